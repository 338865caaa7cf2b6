#include "data/row_domains.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

using Domains = std::vector<std::string>;

Domains of(const std::string& row) {
    return row_domains(Json::parse(row), "row");
}

TEST(RowDomains, AreSaidOrFollowFromConstraints) {
    EXPECT_EQ(of(R"({"domain":"c2"})"), Domains{"c2"});
    EXPECT_EQ(of(R"({"domain":"C2","constraints":[]})"), Domains{"c2"});
    EXPECT_EQ(of(R"({"domain":3})"), Domains{"c3"});
    EXPECT_EQ(of(R"({"domain":"news"})"), Domains{"news"});
    EXPECT_EQ(of(R"row({"domain":null,"constraints":[["a()"],["b()","c()"]]})row"), Domains{"c2"});
    EXPECT_EQ(of(R"({"constraints":[]})"), Domains{"c0"});
    EXPECT_EQ(
        of(R"({"constraints":[{"kind":"style","text":"t"},{"kind":"semantic","text":"t"},{"kind":"style","text":"u"}]})"),
        (Domains{"semantic", "style"}));
    EXPECT_EQ(of(R"({"text":"t"})"), Domains{});
    EXPECT_EQ(of(R"({"constraints":"none"})"), Domains{});
    for (const char* bad : {R"({"domain":["c2"]})", R"({"domain":""})", R"({"domain":-1})", R"({"domain":2.5})"})
        EXPECT_THROW(of(bad), Error) << bad;
}

}  // namespace
}  // namespace craft

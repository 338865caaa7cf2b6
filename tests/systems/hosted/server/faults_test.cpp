#include "tests/systems/hosted/server/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/core/temporary_folder.h"

namespace craft::chat_server {
namespace {

using ::testing::HasSubstr;

TEST(Faults, EachHasItsName) {
    std::set<std::string> names;
    for (size_t i = 0; i < fault_names().size(); ++i) {
        const auto fault = static_cast<Fault>(i);
        EXPECT_EQ(fault_of(fault_name(fault)), fault);
        names.insert(fault_name(fault));
    }
    EXPECT_EQ(names.size(), fault_names().size());
    EXPECT_EQ(fault_name(Fault::http_429), "http_429");
    EXPECT_EQ(fault_name(Fault::dropped), "dropped");
    EXPECT_EQ(fault_name(Fault::n_ignored), "n_ignored");
}

TEST(Faults, SharesFromText) {
    const FaultShare share = parse_fault_share("http_500=.25");
    EXPECT_EQ(share.kind, Fault::http_500);
    EXPECT_DOUBLE_EQ(share.share, .25);
    EXPECT_DOUBLE_EQ(parse_fault_share("html").share, 1);
    for (const char* text : {"http_500=", "http_500=1.5", "http_500=-1", "http_500=x", "http_500=.5x", "http_500=nan"})
        EXPECT_THAT(message_of([&] { parse_fault_share(text); }), HasSubstr("http_500: expected a share from 0 to 1"))
            << text;
    EXPECT_THAT(message_of([] { parse_fault_share("htlm=1"); }), HasSubstr("did you mean 'html'"));
}

TEST(Faults, SharesAreKept) {
    const std::vector<FaultShare> faults = {{Fault::http_429, .2}, {Fault::dropped, .05}, {Fault::never, .02}};
    std::map<std::optional<Fault>, double> share;
    for (int i = 0; i < 2000; ++i) share[draw_fault(faults, 1, "body " + std::to_string(i), 0)] += 1 / 2000.0;
    EXPECT_NEAR(share[Fault::http_429], .2, .02);
    EXPECT_NEAR(share[Fault::dropped], .05, .02);
    EXPECT_NEAR(share[Fault::never], .02, .02);
    EXPECT_NEAR(share[std::nullopt], .73, .02);
    EXPECT_EQ(share.size(), 4U);
}

TEST(Faults, DrawsAreKeyed) {
    const std::vector<FaultShare> faults = {{Fault::http_429, .5}};
    int by_seed = 0, by_body = 0, by_try = 0;
    for (int i = 0; i < 100; ++i) {
        const std::string body = std::to_string(i);
        const auto drawn = draw_fault(faults, 1, body, 0);
        EXPECT_EQ(drawn, draw_fault(faults, 1, body, 0));
        by_seed += drawn != draw_fault(faults, 2, body, 0);
        by_body += drawn != draw_fault(faults, 1, body + " ", 0);
        by_try += drawn != draw_fault(faults, 1, body, 1);
    }
    EXPECT_NEAR(by_seed, 50, 20);
    EXPECT_NEAR(by_body, 50, 20);
    EXPECT_NEAR(by_try, 50, 20);
    EXPECT_EQ(draw_fault({}, 1, "x", 0), std::nullopt);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(draw_fault({{Fault::html, 1}}, 1, std::to_string(i), 0), Fault::html);
}

}  // namespace
}  // namespace craft::chat_server

#include "cli/partial_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

const RunIdentity kIdentity = {.command = "gec", .options = {{"steps", 3}}, .inputs = {}};

TEST(PartialRows, AreOneCommandsAtATime) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    std::optional<PartialRows> first(std::in_place, output, kIdentity);
    first->add({{{"id", "1"}}});
    first->sync();
    try {
        const PartialRows second(output, kIdentity);
        ADD_FAILURE() << "two commands write the same output";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("out.jsonl: expected an output of this command alone"));
    }
    first.reset();  // as a stopped process leaves it
    PartialRows next(output, kIdentity);
    EXPECT_EQ(next.earlier(), 1);
    next.remove();
    EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
    EXPECT_EQ(PartialRows(output, kIdentity).earlier(), 0);
}

TEST(PartialRows, WithoutARowLeaveNothing) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    { const PartialRows none(output, kIdentity); }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace craft

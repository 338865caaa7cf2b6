#include "cli/partial_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

RunIdentity identity() {
    RunIdentity made;
    made.command = "gec";
    made.options = {{"steps", 3}};
    return made;
}

TEST(PartialRows, AreOneCommandsAtATime) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    std::optional<PartialRows> first(std::in_place, output, identity());
    first->add({{{"id", "1"}}});
    first->sync();
    try {
        const PartialRows second(output, identity());
        ADD_FAILURE() << "two commands write the same output";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("out.jsonl: expected an output of this command alone"));
    }
    first.reset();  // as a stopped process leaves it
    PartialRows next(output, identity());
    EXPECT_EQ(next.earlier(), 1);
    next.remove();
    EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
    EXPECT_EQ(PartialRows(output, identity()).earlier(), 0);
}

TEST(PartialRows, OfTwoThatStartedTogetherAreTheFirstWriters) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    PartialRows second(output, identity());
    {
        PartialRows first(output, identity());
        first.add({{{"id", "1"}}});
        EXPECT_THROW(second.add({{{"id", "1"}}}), Error) << "while it writes";
        EXPECT_THROW(second.add({{{"id", "1"}}}), Error) << "however often";
        first.sync();
    }
    PartialRows third(output, identity());
    EXPECT_EQ(third.earlier(), 1);
    third.add({{{"id", "2"}}});
}

TEST(PartialRows, LeftByAProcessThatEndedMeanwhileAreNotAddedTo) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    PartialRows second(output, identity());
    PartialRows(output, identity()).add({{{"id", "1"}}});
    EXPECT_THROW(second.add({{{"id", "1"}}}), Error);
}

TEST(PartialRows, AreRemovedToStartAnew) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    PartialRows(output, identity()).add({{{"id", "1"}}});
    RunIdentity other = identity();
    other.seed = 7;
    EXPECT_THROW(PartialRows(output, other), Error);
    EXPECT_EQ(PartialRows(output, other, /*overwrite=*/true).earlier(), 0);
    EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
}

TEST(PartialRows, OfAnOlderVersionAreRefused) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    PartialRows(output, identity()).add({{{"id", "1"}}});
    Json kept = parse_json(read_file(output + ".partial"), "a row");
    kept.erase("row");
    kept["id"] = "1";
    folder.file("out.jsonl.partial", dump_line(kept) + "\n");
    EXPECT_THROW(PartialRows(output, identity()), Error);
}

TEST(PartialRows, KeepEveryKeyOfARow) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    const Json row = {{"id", "1"}, {"of", "what a user has under this name"}};
    PartialRows rows(output, identity());
    rows.add({row});
    rows.for_each([&](const Json& kept) { EXPECT_EQ(kept, row); });
}

TEST(PartialRows, WithoutARowLeaveNothing) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    { const PartialRows none(output, identity()); }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace craft

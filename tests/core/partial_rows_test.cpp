#include "core/partial_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
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
    first->add(0, {{"id", "1"}});
    first->sync();
    try {
        const PartialRows second(output, identity());
        ADD_FAILURE() << "two commands write the same output";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("out.jsonl: expected an output that no other process writes"));
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
        first.add(0, {{"id", "1"}});
        EXPECT_THROW(second.add(0, {{"id", "1"}}), Error) << "while it writes";
        EXPECT_THROW(second.add(0, {{"id", "1"}}), Error) << "however often";
        first.sync();
    }
    PartialRows third(output, identity());
    EXPECT_EQ(third.earlier(), 1);
    third.add(1, {{"id", "2"}});
}

TEST(PartialRows, LeftByAProcessThatEndedMeanwhileAreNotAddedTo) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    PartialRows second(output, identity());
    PartialRows(output, identity()).add(0, {{"id", "1"}});
    EXPECT_THROW(second.add(0, {{"id", "1"}}), Error);
}

TEST(PartialRows, AreRemovedToStartAnew) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    PartialRows(output, identity()).add(0, {{"id", "1"}});
    RunIdentity other = identity();
    other.seed = 7;
    EXPECT_THROW(PartialRows(output, other), Error);
    EXPECT_EQ(PartialRows(output, other, /*overwrite=*/true).earlier(), 0);
    EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
}

std::string refusal(const std::string& output, const RunIdentity& identity) {
    try {
        const PartialRows rows(output, identity);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(PartialRows, OfAnOlderVersionAreRefused) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    folder.file("out.jsonl.partial", "{\"of\":\"xxh64:1\",\"row\":{\"id\":\"1\"}}\n");
    EXPECT_EQ(
        refusal(output, identity()),
        output +
            ".partial: expected rows of this version of craft-train, got those of another one (--overwrite starts over)");
}

TEST(PartialRows, OfAnotherCommandAreRefusedWithTheDifference) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    PartialRows(output, identity()).add(0, {{"id", "1"}});
    RunIdentity other = identity();
    other.options["steps"] = 4;
    EXPECT_EQ(refusal(output, other), output +
                                          ".partial: expected steps 3, by which these rows were made, got 4 (use the "
                                          "earlier value to resume, or --overwrite to start over)");
    std::filesystem::rename(output + ".partial", (folder.path() / "moved.jsonl.partial"));
    EXPECT_EQ(PartialRows((folder.path() / "moved.jsonl").string(), identity()).earlier(), 1) << "moved with its output";
}

TEST(PartialRows, NeedNotBeTheFirstOnes) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    {
        PartialRows rows(output, identity());
        rows.add(3, {{"id", "3"}});
        rows.add(1, {{"id", "1"}});
    }
    std::ofstream(output + ".partial", std::ios::app) << "{\"item\":0,\"ro";  // a kill in the middle of writing
    PartialRows rows(output, identity());
    EXPECT_EQ(rows.earlier(), 2);
    EXPECT_TRUE(rows.has(1));
    EXPECT_FALSE(rows.has(0));
    EXPECT_FALSE(rows.has(2));
    rows.add(2, {{"id", "2"}});
    rows.add(0, {{"id", "0"}});
    std::string ids;
    rows.for_each([&](const Json& row) { ids += row.at("id").get<std::string>(); });
    EXPECT_EQ(ids, "0123");
}

// Rows that are not final are made again, and the last ones count; other ranks' rows likewise.
TEST(PartialRows, ThatAreNotFinalAreMadeAgain) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "rows";
    const auto is_final = [](const Json& row) { return row.at("ok").get<bool>(); };
    {
        PartialRows rows = PartialRows::of_stage(file);
        rows.add(0, {{"ok", true}});
        rows.add(1, {{"ok", false}});
    }
    {
        PartialRows rows = PartialRows::of_stage(file, Ranks::alone(), is_final);
        EXPECT_EQ(rows.earlier(), 1);
        EXPECT_FALSE(rows.has(1));
        rows.add(1, {{"ok", true}, {"again", true}});
    }
    PartialRows rows = PartialRows::of_stage(file, Ranks::alone(), is_final);
    EXPECT_EQ(rows.earlier(), 2);
    std::vector<Json> all;
    rows.for_each([&](const Json& row) { all.push_back(row); });
    EXPECT_EQ(all, (std::vector<Json>{{{"ok", true}}, {{"ok", true}, {"again", true}}}));
}

TEST(PartialRows, WithoutAFileAreToldOnceAndInOrder) {
    PartialRows rows("-", identity());
    std::string ids;
    const auto tell = [&] { rows.for_each([&](const Json& row) { ids += row.at("id").get<std::string>(); }); };
    rows.add(1, {{"id", "1"}});
    tell();
    EXPECT_EQ(ids, "");
    rows.add(0, {{"id", "0"}});
    tell();
    tell();
    EXPECT_EQ(ids, "01");
    EXPECT_TRUE(rows.has(0));
    EXPECT_FALSE(rows.has(2));
}

TEST(PartialRows, KeepEveryKeyOfARow) {
    const TemporaryFolder folder;
    const std::string output = (folder.path() / "out.jsonl").string();
    const Json row = {{"id", "1"}, {"of", "what a user has under this name"}};
    PartialRows rows(output, identity());
    rows.add(0, row);
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

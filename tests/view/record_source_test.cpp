#include "view/record_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/pair_file.h"
#include "data/store.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_in(const std::filesystem::path& path) {
    std::vector<std::string> names;
    for (const RecordPlace& place : record_places(path)) names.push_back(place.name);
    return names;
}

std::vector<std::string> ids_in(const std::filesystem::path& place) {
    std::vector<std::string> ids;
    for_each_record(place, {}, [&](const Json& record, const std::string&) {
        ids.push_back(record.is_object() && record.contains("id") ? id_text(record, "") : "?");
        return true;
    });
    return ids;
}

Trajectory small_trajectory(const std::string& id) {
    Trajectory trajectory;
    trajectory.instruction.id = id;
    trajectory.prompt = "p";
    trajectory.steps.emplace_back();
    trajectory.steps[0].response = "r";
    return trajectory;
}

TEST(RecordPlaces, OfARunAreInTheOrderOfItsRounds) {
    const TemporaryFolder folder;
    for (const char* name : {"align/round-10/pairs/pairs.jsonl", "align/round-9/pairs/pairs.jsonl", "metrics.jsonl",
                             "notes.txt", ".lock.jsonl", "summary.json", "manifest.json"})
        folder.file(name, "{\"id\":1}\n");
    folder.file("trees/a.json", R"({"format":1,"iterations":1,"nodes":[]})");
    EXPECT_THAT(names_in(folder.path()),
                ElementsAre("align/round-9/pairs/pairs.jsonl", "align/round-10/pairs/pairs.jsonl", "trees/a.json"));
    EXPECT_THAT(names_in(folder.path() / "trees/a.json"), ElementsAre((folder.path() / "trees/a.json").string()));
}

TEST(RecordPlaces, NothingThereIsSaid) {
    const TemporaryFolder folder;
    EXPECT_THAT(message_of([&] { record_places(folder.path() / "x"); }), HasSubstr("got nothing there"));
    EXPECT_THAT(message_of([&] { record_places(folder.path()); }), HasSubstr("got none of them"));
}

TEST(Records, AreReadOfEveryFormThatHoldsThem) {
    const TemporaryFolder folder;
    {
        StoreWriter store(folder.path() / "store", {.segment_trajectories = 2});
        store.append(small_trajectory("a"));
        store.append(small_trajectory("b"));
        store.append(small_trajectory("c"));
    }  // stopped: the third is not sealed
    EXPECT_THAT(ids_in(folder.path() / "store"), ElementsAre("a", "b"));
    EXPECT_THAT(ids_in(folder.path() / "store/segment-000001.h5"), ElementsAre("a", "b"));
    EXPECT_THAT(names_in(folder.path()), ElementsAre("store"));
    PairWriter pairs((folder.path() / "p.h5").string());
    pairs.write({.prompt = std::string("p"), .chosen = std::string("c"), .rejected = std::string("r")});
    pairs.close();
    EXPECT_THAT(ids_in(folder.path() / "p.h5"), ElementsAre("?"));
    EXPECT_THAT(ids_in(folder.file("rows.jsonl", "{\"id\":\"x\"}\n{}\n")), ElementsAre("x", "2"));
    EXPECT_THAT(ids_in(folder.file("list.json", R"([{"id":"y"},7])")), ElementsAre("y", "?"));
    EXPECT_THAT(ids_in(folder.file("one.json", R"({"id":"z"})")), ElementsAre("z"));
}

TEST(Records, WhatIsDamagedIsToldWithItsPlace) {
    const TemporaryFolder folder;
    const auto failure = [&](const std::string& name, const std::string& bytes) {
        return message_of([&] { ids_in(folder.file(name, bytes)); });
    };
    EXPECT_THAT(failure("a.jsonl", "{\"id\":1}\n{\"id\"\n"), HasSubstr("a.jsonl:2"));
    EXPECT_THAT(failure("a.json", "{"), HasSubstr("a.json"));
    EXPECT_THAT(failure("a.h5", "\x89HDF\r\n\x1a\nxxxx"), HasSubstr("a.h5"));
}

TEST(Records, ReadingEndsWhenNoMoreAreWanted) {
    const TemporaryFolder folder;
    int seen = 0;
    for_each_record(folder.file("a.jsonl", "{\"id\":1}\n{\"id\":2}\nbroken\n"), {},
                    [&](const Json&, const std::string&) { return ++seen < 2; });
    EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace craft

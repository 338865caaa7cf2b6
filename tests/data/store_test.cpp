#include "data/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/random_trajectory.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kItems = 25;

Trajectory item(int64_t number, int64_t max_pieces = 40) {
    Rng rng(7, "store", static_cast<uint64_t>(number));
    Trajectory trajectory = test::random_trajectory(rng, max_pieces);
    trajectory.instruction.constraints.clear();
    for (const auto& group : trajectory.instruction.gold) {  // as reading fills them
        const auto constraint = constraint_from_calls(group);
        if (constraint) trajectory.instruction.constraints.push_back(*constraint);
    }
    if (trajectory.instruction.constraints.size() != trajectory.instruction.gold.size())
        trajectory.instruction.constraints.clear();
    return trajectory;
}

void write_store(const fs::path& folder, int64_t items = kItems, int64_t segment = 10) {
    StoreWriter writer(folder, {.segment_trajectories = segment});
    for (int64_t i = writer.sealed(); i < items; ++i) writer.append(item(i), Json{{"inputs", i + 1}});
    writer.finish();
}

void expect_items(const fs::path& folder, int64_t items = kItems) {
    StoreReader reader(folder);
    EXPECT_EQ(reader.size(), items);
    for (int64_t i = 0; i < items; ++i) {
        const auto read = reader.next();
        ASSERT_TRUE(read) << i;
        EXPECT_EQ(test::everything(*read), test::everything(item(i)));
    }
    EXPECT_FALSE(reader.next());
}

std::string all_bytes(const fs::path& folder) {
    std::string bytes;
    for (const StoreSegment& segment : read_store_index(folder).segments) bytes += read_file(folder / segment.file);
    return bytes + read_file(folder / "store.json");
}

}  // namespace

TEST(Store, RandomTrajectoriesRoundTrip) {
    const TemporaryFolder folder;
    write_store(folder.path());
    expect_items(folder.path());
    const StoreIndex index = read_store_index(folder.path());
    ASSERT_EQ(index.segments.size(), 3U);
    EXPECT_EQ(index.segments[2].file, "segment-000003.h5");
    EXPECT_EQ(index.segments[2].trajectories, 5);
    EXPECT_EQ(index.progress.at("inputs"), kItems);
    EXPECT_EQ(folder.count(), 4U);  // no temporary files
}

TEST(Store, EmptyOnes) {
    const TemporaryFolder folder;
    write_store(folder.path(), 0);
    expect_items(folder.path(), 0);
    const fs::path blank = folder.path() / "blank";
    StoreWriter writer(blank);
    writer.append(Trajectory{});  // no text anywhere, no steps
    writer.finish();
    StoreReader reader(blank);
    EXPECT_EQ(test::everything(reader.next().value()), test::everything(Trajectory{}));
}

TEST(Store, SegmentsEndByBytesToo) {
    const TemporaryFolder folder;
    StoreWriter writer(folder.path(), {.segment_trajectories = 1000, .segment_bytes = 5000});
    Trajectory large;
    large.prompt.assign(3000, 'x');
    for (int i = 0; i < 5; ++i) writer.append(large);
    EXPECT_EQ(writer.sealed(), 4);
    large.prompt.assign(3000000, 'y');  // larger than the reader's window and than a chunk
    writer.append(large);
    writer.finish();
    StoreReader reader(folder.path());
    reader.seek(5);
    EXPECT_EQ(reader.next()->prompt, large.prompt);
}

TEST(Store, Seek) {
    const TemporaryFolder folder;
    write_store(folder.path());
    StoreReader reader(folder.path());
    for (const int64_t position : {24, 0, 10, 9, 19, 20, 3}) {
        reader.seek(position);
        EXPECT_EQ(test::everything(reader.next().value()), test::everything(item(position)));
    }
    reader.seek(kItems);
    EXPECT_FALSE(reader.next());
    EXPECT_THROW(reader.seek(kItems + 1), Error);
    EXPECT_THROW(reader.seek(-1), Error);
}

TEST(Store, GoesOnBehindWhatIsSealed) {
    const TemporaryFolder folder;
    const fs::path broken = folder.path() / "broken", whole = folder.path() / "whole";
    write_store(whole);
    for (int64_t stop : {3, 14, 22}) {  // each process dies with some trajectories that are not sealed
        StoreWriter writer(broken, {.segment_trajectories = 10});
        EXPECT_EQ(writer.progress().value("inputs", int64_t{0}), writer.sealed());
        for (int64_t i = writer.sealed(); i < stop; ++i) writer.append(item(i), Json{{"inputs", i + 1}});
    }
    EXPECT_EQ(message_of([&] { StoreReader reader(broken); }),
              broken.string() +
                  ": expected a finished trajectory store, got one with 20 trajectories so far (rerun the command that "
                  "writes it: it resumes where it stopped)");
    EXPECT_EQ(StoreReader(broken, true).size(), 20);
    // What a killed process leaves: a temporary file, and a segment that was renamed but not yet in the index.
    std::ofstream(broken / "segment-000003.h5.tmp-4711") << "half";
    std::ofstream(broken / "segment-000003.h5") << "whole but unknown";
    std::ofstream(broken / "store.json.tmp-4711") << "{";
    std::ofstream(broken / "metrics.jsonl") << "not ours";
    write_store(broken);
    EXPECT_FALSE(fs::exists(broken / "segment-000003.h5.tmp-4711"));
    EXPECT_FALSE(fs::exists(broken / "store.json.tmp-4711"));
    EXPECT_TRUE(fs::exists(broken / "metrics.jsonl"));
    expect_items(broken);
    EXPECT_EQ(all_bytes(broken), all_bytes(whole));  // byte for byte as without the interruptions
}

TEST(Store, GoesOnInWhatAStoppedRunKept) {
    const TemporaryFolder folder;
    const fs::path stopped = folder.path() / "stopped", whole = folder.path() / "whole";
    write_store(whole);
    for (const int64_t stop : {3, 3, 7, 14, 20, 22}) {
        StoreWriter writer(stopped, {.segment_trajectories = 10});
        EXPECT_EQ(writer.progress().value("inputs", int64_t{0}), writer.sealed());
        for (int64_t i = writer.sealed(); i < stop; ++i) writer.append(item(i), Json{{"inputs", i + 1}});
        writer.keep();
        EXPECT_EQ(writer.sealed(), stop);
        StoreReader reader(stopped, true);
        EXPECT_EQ(reader.size(), stop);
        for (int64_t i = 0; i < stop; ++i) EXPECT_EQ(test::everything(reader.next().value()), test::everything(item(i)));
    }
    write_store(stopped);
    expect_items(stopped);
    EXPECT_EQ(all_bytes(stopped), all_bytes(whole));
}

// The real thing: a process that is killed outright.
TEST(Store, AKilledProcessLosesOnlyWhatIsNotSealed) {
    const TemporaryFolder folder;
    for (const int64_t stop : {7, 19, 23}) {
        const pid_t child = ::fork();
        if (child == 0) {
            StoreWriter writer(folder.path(), {.segment_trajectories = 10});
            for (int64_t i = writer.sealed(); i < stop; ++i) writer.append(item(i), Json{{"inputs", i + 1}});
            ::kill(::getpid(), SIGKILL);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        EXPECT_EQ(StoreReader(folder.path(), true).size(), stop / 10 * 10);
    }
    write_store(folder.path());
    expect_items(folder.path());
}

TEST(Store, AFinishedStoreTakesNoMore) {
    const TemporaryFolder folder;
    write_store(folder.path());
    StoreWriter writer(folder.path());
    EXPECT_TRUE(writer.finished());
    EXPECT_THROW(writer.append(item(0)), Error);
    writer.finish();
    expect_items(folder.path());
}

TEST(Store, AFailedSealLosesNothing) {
    const TemporaryFolder folder;
    StoreWriter writer(folder.path(), {.segment_trajectories = 100});
    for (int64_t i = 0; i < 3; ++i) writer.append(item(i));
    fs::create_directory(folder.path() / "segment-000001.h5");  // in the way
    EXPECT_THROW(writer.seal(), Error);
    EXPECT_EQ(writer.sealed(), 0);
    fs::remove(folder.path() / "segment-000001.h5");
    fs::remove(folder.path() / "store.json");
    fs::create_directory(folder.path() / "store.json");  // the segment gets there, the index does not
    EXPECT_THROW(writer.seal(), Error);
    EXPECT_EQ(writer.sealed(), 0);
    fs::remove(folder.path() / "store.json");
    writer.finish();
    expect_items(folder.path(), 3);
}

TEST(Store, FullDisk) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const TemporaryFolder folder;
    write_store(folder.path(), 3);
    StoreReader reader(folder.path());
    EXPECT_THAT(message_of([&] { export_trajectories(reader, "/dev/full"); }), ::testing::HasSubstr("No space left"));
}

TEST(Store, WhatIsNoStoreIsNamed) {
    const TemporaryFolder folder;
    EXPECT_FALSE(is_store(folder.path()));
    EXPECT_EQ(message_of([&] { StoreReader reader(folder.path()); }),
              folder.path().string() + ": expected a trajectory store, got no store.json there");
    const auto refusal = [&](const std::string& key, const Json& value) {
        fs::remove_all(folder.path() / "store");
        write_store(folder.path() / "store", 12);
        Json row = read_json_file(folder.path() / "store/store.json");
        row[Json::json_pointer(key)] = value;
        write_json_file(folder.path() / "store/store.json", row);
        std::string message = message_of([&] {
            StoreReader reader(folder.path() / "store");
            while (reader.next()) {}
        });
        const std::string prefix = (folder.path() / "store").string() + "/";
        return message.rfind(prefix, 0) == 0 ? message.substr(prefix.size()) : message;
    };
    EXPECT_EQ(refusal("/format", "other"), "store.json: field 'format': expected 'craft-train trajectories', got 'other'");
    EXPECT_EQ(refusal("/version", 2U),
              "store.json: expected store version 1, got 2 "
              "(export it as JSON Lines with the program that wrote it)");
    EXPECT_EQ(refusal("/segments/1/file", "../../etc/passwd"),
              "store.json: segment 2: expected segment-000002.h5, got '../../etc/passwd'");
    EXPECT_EQ(refusal("/segments/0/trajectories", -1),
              "store.json: segment 1: field 'trajectories': expected a count, got -1");
    EXPECT_EQ(refusal("/segments/0/trajectories", 99U),
              "store.json: field 'trajectories': expected 101, the sum of the segments");
    EXPECT_EQ(refusal("/segments/0/bytes", 7U).substr(0, 37), "segment-000001.h5: expected 7 bytes, ");
    EXPECT_EQ(refusal("/segments/0/hash", "xxh64:0").substr(0, 71),
              "segment-000001.h5: expected the bytes that were written (xxh64:0), got ");
    EXPECT_EQ(refusal("/segments", 5), "store.json: field 'segments': expected a list");
}

TEST(Store, AMissingSegmentIsNamed) {
    const TemporaryFolder folder;
    write_store(folder.path());
    fs::remove(folder.path() / "segment-000002.h5");
    StoreReader reader(folder.path());
    const std::string expected = (folder.path() / "segment-000002.h5").string() +
                                 ": expected a segment of the store, got No such file or directory (restore it from a copy, "
                                 "or rewrite the store with --overwrite)";
    EXPECT_EQ(message_of([&] {
                  while (reader.next()) {}
              }),
              expected);
    EXPECT_EQ(message_of([&] { StoreWriter writer(folder.path()); }), expected);
}

TEST(StoreLines, BothWays) {
    const TemporaryFolder folder;
    write_store(folder.path() / "a");
    StoreReader reader(folder.path() / "a");
    const std::string lines = (folder.path() / "t.jsonl").string();
    EXPECT_EQ(export_trajectories(reader, lines), kItems);
    {
        StoreWriter writer(folder.path() / "b", {.segment_trajectories = 7});
        EXPECT_EQ(import_trajectories(lines, writer), kItems);
    }
    StoreReader again(folder.path() / "b");
    const std::string lines_again = (folder.path() / "again.jsonl").string();
    EXPECT_EQ(export_trajectories(again, lines_again), kItems);
    EXPECT_EQ(read_file(lines_again), read_file(lines));
}

TEST(StoreLines, ImportGoesOn) {
    const TemporaryFolder folder;
    write_store(folder.path() / "a", 12);
    StoreReader reader(folder.path() / "a");
    const std::string lines = (folder.path() / "t.jsonl").string();
    export_trajectories(reader, lines);
    const std::string good = read_file(lines);
    std::ofstream(lines, std::ios::app) << "{\"id\": 3.5}\n";
    const StoreOptions small{.segment_trajectories = 5};
    const std::string stopped = message_of([&] {
        StoreWriter writer(folder.path() / "b", small);
        import_trajectories(lines, writer);
    });
    EXPECT_EQ(stopped, lines + ":13: field 'id': expected a string, got number");
    EXPECT_EQ(read_store_index(folder.path() / "b").trajectories(), 10);
    std::ofstream(lines, std::ios::trunc) << good;
    StoreWriter writer(folder.path() / "b", small);
    EXPECT_EQ(import_trajectories(lines, writer), 12);
    expect_items(folder.path() / "b", 12);
}

TEST(StoreLines, BadLinesAreCounted) {
    const TemporaryFolder folder;
    write_store(folder.path() / "a", 4);
    StoreReader reader(folder.path() / "a");
    const std::string lines = (folder.path() / "t.jsonl").string();
    export_trajectories(reader, lines);
    std::ofstream(lines, std::ios::app) << "{\"id\": 3.5}\nnothing\n";
    StoreWriter writer(folder.path() / "b");
    JsonLinesOptions options;
    options.skip_bad = true;
    EXPECT_EQ(import_trajectories(lines, writer, options), 4);
    EXPECT_EQ(writer.progress().at("bad_lines"), 2);
}

TEST(StoreLines, AreCheckedBeforeThereIsAStore) {
    const TemporaryFolder folder;
    write_store(folder.path() / "a", 4);
    StoreReader reader(folder.path() / "a");
    const std::string lines = (folder.path() / "t.jsonl").string();
    export_trajectories(reader, lines);
    EXPECT_NO_THROW(check_trajectories(lines));
    std::ofstream(lines, std::ios::app) << "nothing\n";
    EXPECT_EQ(message_of([&] { check_trajectories(lines); }).substr(0, lines.size() + 4), lines + ":5: ");
    EXPECT_NO_THROW(check_trajectories(lines, {.skip_bad = true}));
    const std::string bad = folder.file("bad.jsonl", "nothing\n");
    EXPECT_EQ(message_of([&] { check_trajectories(bad, {.skip_bad = true}); }),
              bad + ": expected at least one trajectory, got none out of 0 rows");
}

TEST(StoreLines, NothingToImportIsAnError) {
    const TemporaryFolder folder;
    const std::string lines = folder.file("empty.jsonl", "\n");
    StoreWriter writer(folder.path() / "a");
    EXPECT_EQ(message_of([&] { import_trajectories(lines, writer); }),
              lines + ": expected at least one trajectory, got none out of 0 rows");
    EXPECT_FALSE(read_store_index(folder.path() / "a").finished);
}

}  // namespace craft

// Finished stages of rounds: the sealed set's come last, a stopped run resumes after them as if there had been no stop, and
// files that are not what a marker says are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "align/align.h"
#include "core/error.h"
#include "core/files.h"
#include "tests/align/align_fixture.h"
#include "text/words.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Align;
using test::timeless;
using testing::HasSubstr;

// The stages of a finished run in the order in which they were finished.
std::vector<fs::path> stages_of(const fs::path& folder) {
    std::vector<fs::path> markers;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().filename() == "complete.json") markers.push_back(entry.path());
    std::sort(markers.begin(), markers.end(),
              [](const auto& a, const auto& b) { return fs::last_write_time(a) < fs::last_write_time(b); });
    std::vector<fs::path> stages;
    for (const auto& marker : markers) stages.push_back(marker.parent_path());
    return stages;
}

bool is_test(const fs::path& stage, const fs::path& run) {
    return *fs::relative(stage, run).begin() == "test";
}

// What configs/quickstart.json takes of it: twenty of each domain, and no text longer than one that was left.
TEST_F(Align, APartOfTheSealedSetHasTheShortestTexts) {
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    const auto all = sealed_test_set(environment, 300, folder_.path() / "all"),
               part = sealed_test_set(environment, 100, folder_.path() / "part");
    ASSERT_EQ(all.size(), 300u);
    ASSERT_EQ(part.size(), 100u);
    const auto words = [](const Instruction& one) { return whitespace_words(one.text).size(); };
    std::map<int, size_t> longest, taken;
    size_t next = 0;
    for (const Instruction& one : part) {
        longest[one.domain] = std::max(longest[one.domain], words(one));
        ++taken[one.domain];
        while (next < all.size() && all[next].id != one.id) ++next;  // in the order of the set
    }
    EXPECT_LT(next, all.size());
    EXPECT_EQ(taken, (std::map<int, size_t>{{0, 20}, {1, 20}, {2, 20}, {3, 20}, {4, 20}}));
    std::set<std::string> ids;
    for (const Instruction& one : part) ids.insert(one.id);
    for (const Instruction& one : all) {
        if (ids.contains(one.id)) continue;
        EXPECT_GE(words(one), longest[one.domain]) << one.id;
    }
}

// It is there to be compared with a round: where none is better than the start, nobody waits for it.
TEST_F(Align, TheSealedSetIsAskedOfTheControlOnlyWhereARoundIsBest) {
    AlignOptions options = test::tiny_options();
    options.control = true;
    options.test = 5;
    options.train.lr = 0;  // all rounds are the start
    const Run done = run(options, folder_.path() / "same");
    ASSERT_EQ(done.summary.best, "base");
    ASSERT_EQ(done.summary.test.size(), 2u);
    EXPECT_EQ(done.summary.test[1].name, "best");
    EXPECT_FALSE(fs::exists(folder_.path() / "same/test/control"));
}

// The sealed set: on the planner as it came, the best one and the control's, when all else is done, changing nothing of it.
TEST_F(Align, TheSealedSetIsEvaluatedLastAndOnce) {
    AlignOptions options = test::tiny_options();
    options.control = true;
    options.test = 10;
    const fs::path with = folder_.path() / "with", without = folder_.path() / "without";
    const Run done = run(options, with);
    ASSERT_EQ(done.summary.test.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
        const SummaryStage& row = done.summary.test[i];
        EXPECT_EQ(row.name, (std::vector<std::string>{"base", "best", "control"})[i]);
        EXPECT_EQ(row.dev.overall.items, 10);
        ASSERT_EQ(row.dev.by_domain.size(), 5u);
        for (const auto& [domain, scores] : row.dev.by_domain) EXPECT_EQ(scores.items, 2) << domain;
    }
    // Each row is of the planner that its name says.
    ASSERT_NE(done.summary.best, "base");
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    const auto instructions = sealed_test_set(environment, 10, with / "test" / "instructions");
    const std::vector<fs::path> adapters = {"", with / "adapter", with / "control/round-2/adapter"};
    for (size_t i = 0; i < 3; ++i) {
        if (!adapters[i].empty()) planner.load_adapter(adapters[i]);
        const auto alone =
            evaluate_stage(planner, environment, instructions, options.sampling, folder_.path() / std::to_string(i));
        EXPECT_EQ(timeless(to_json(alone)), timeless(to_json(done.summary.test[i].dev))) << adapters[i];
    }
    EXPECT_NE(read_file(with / "test/base/items.jsonl"), read_file(with / "test" / done.summary.best / "items.jsonl"));

    const auto stages = stages_of(with);
    const auto first =
        std::find_if(stages.begin(), stages.end(), [&](const fs::path& stage) { return is_test(stage, with); });
    EXPECT_EQ(stages.end() - first, 4) << "the instructions and three planners";
    EXPECT_TRUE(std::all_of(first, stages.end(), [&](const fs::path& stage) { return is_test(stage, with); }));

    options.test = 0;
    const Run bare = run(options, without);
    EXPECT_FALSE(fs::exists(without / "test"));
    EXPECT_FALSE(to_json(bare.summary).contains("test"));
    for (const char* key : {"stages", "best"})
        EXPECT_EQ(timeless(to_json(bare.summary)).at(key), timeless(to_json(done.summary)).at(key));
    EXPECT_EQ(adapter(without / "adapter"), adapter(with / "adapter"));
}

TEST_F(Align, AStartThatIsTheBestIsEvaluatedOnTheSealedSetOnce) {
    AlignOptions options = test::tiny_options();
    options.train.lr = 1e-9;
    options.test = 5;
    const Run done = run(options, folder_.path());
    ASSERT_EQ(done.summary.best, "base");
    ASSERT_EQ(done.summary.test.size(), 2u);
    EXPECT_EQ(to_json(done.summary.test[1].dev), to_json(done.summary.test[0].dev));
    EXPECT_GT(done.summary.test[0].seconds, 0);
    EXPECT_EQ(done.summary.test[1].seconds, 0) << "its seconds are the start's";
    std::set<std::string> folders;
    for (const auto& entry : fs::directory_iterator(folder_.path() / "test")) folders.insert(entry.path().filename());
    EXPECT_EQ(folders, (std::set<std::string>{"base", "instructions"}));
}

// Stopped after every stage: once with nothing of the next ones, once with their files but not their markers.
TEST_F(Align, AStoppedRunGoesOnToTheSameSummary) {
    AlignOptions options = test::tiny_options();
    options.test = 5;
    options.mean = true;
    options.control = true;
    const fs::path whole = folder_.path() / "whole";
    const Run done = run(options, whole);
    const Json summary = timeless(to_json(done.summary));
    const auto stages = stages_of(whole);
    ASSERT_GE(stages.size(), 22u);
    for (size_t kept = 1; kept <= stages.size(); ++kept) {
        const fs::path part = folder_.path() / "part";
        fs::remove_all(part);
        fs::copy(whole, part, fs::copy_options::recursive);
        for (size_t i = kept; i < stages.size(); ++i) {
            const fs::path stage = part / fs::relative(stages[i], whole);
            fs::remove(stage / "complete.json");
            if (kept % 2 == 0) fs::remove_all(stage);
        }
        for (const char* unmarked : {"round-2/mean", "control/mean", "adapter"}) fs::remove_all(part / unmarked);
        const Run again = run(options, part);
        EXPECT_EQ(timeless(to_json(again.summary)), summary) << "stopped after " << fs::relative(stages[kept - 1], whole);
        for (const char* file :
             {"round-1/pairs/pairs.jsonl", "round-2/train/adapter/adapter_model.safetensors",
              "round-2/mean/adapter_model.safetensors", "control/mean/adapter_model.safetensors",
              "adapter/adapter_model.safetensors", "control/round-2/adapter/adapter_model.safetensors",
              "control/dev/items.jsonl", "test/instructions/instructions.jsonl", "test/control/items.jsonl"})
            EXPECT_EQ(read_file(part / file), read_file(whole / file)) << file;
        EXPECT_EQ(read_json_file(part / "round-1/pairs/complete.json"),
                  read_json_file(whole / "round-1/pairs/complete.json"));
        EXPECT_EQ(stages_of(part).size(), stages.size());
        if (kept == stages.size()) {  // nothing was left to do: even the times are those of the first run
            for (size_t i = 0; i < again.summary.stages.size(); ++i)
                EXPECT_EQ(to_json(again.summary.stages[i]), to_json(done.summary.stages[i]));
            for (size_t i = 0; i < again.summary.test.size(); ++i)
                EXPECT_EQ(to_json(again.summary.test[i]), to_json(done.summary.test[i]));
        }
    }
}

// A file of a finished stage that is not what its marker says ends the run: nothing is computed from the rest of it.
TEST_F(Align, FilesOfFinishedStagesThatLostRowsAreErrors) {
    const fs::path whole = folder_.path() / "whole";
    run(test::tiny_options(), whole);
    for (const std::string name : {"instructions", "histories", "pairs"}) {
        const fs::path part = folder_.path() / "part", file = part / "round-1" / name / (name + ".jsonl");
        fs::remove_all(part);
        fs::copy(whole, part, fs::copy_options::recursive);
        if (name != "pairs") fs::remove(part / "round-1/pairs/complete.json");  // made again from what came before
        const std::string bytes = read_file(file);
        write_file_atomic(file, bytes.substr(0, bytes.find('\n') + 1));
        EXPECT_THAT(message_of([&] { run(test::tiny_options(), part); }),
                    testing::AllOf(HasSubstr(file.string()), HasSubstr("got 1"), HasSubstr("remove ")));
    }
    write_file_atomic(whole / "start/dev/complete.json", "[]");
    EXPECT_THAT(message_of([&] { run(test::tiny_options(), whole); }), HasSubstr("start/dev/complete.json"));
}

}  // namespace
}  // namespace craft

#include "systems/asked_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/thread_ranks.h"

namespace craft {
namespace {

using testing::ElementsAre;

RunIdentity identity() {
    RunIdentity made;
    made.command = "score";
    made.options = Json::object();
    return made;
}

class ComputedRowsTest : public testing::Test {
protected:
    // Ten rows, four a batch, of which that of `failing` cannot be computed.
    std::vector<std::string> run(const std::string& output, size_t failing) {
        computed_.clear();
        std::vector<std::string> written;
        PartialRows partial(output, identity());
        const auto rows = [&](const std::vector<size_t>& items, const RowSink& done) {
            for (const size_t i : items) {
                if (i == failing) throw Error("no memory");
                computed_.push_back(i);
                done(i, {{"id", i}});
            }
        };
        EXPECT_TRUE(make_rows({"scoring", "rows", fours(), rows, 1}, partial,
                              [&](const Json& row) { written.push_back(row.dump()); }));
        partial.remove();
        return written;
    }
    static std::vector<std::vector<size_t>> fours() { return {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}}; }
    // The items of each call.
    std::vector<std::vector<size_t>> calls(const std::vector<std::vector<size_t>>& groups, size_t at_once,
                                           Ranks& ranks = Ranks::alone()) {
        std::vector<std::vector<size_t>> made;
        PartialRows partial(at("calls"), identity(), false, ranks);
        const auto rows = [&](const std::vector<size_t>& items, const RowSink& done) {
            made.push_back(items);
            for (const size_t i : items) done(i, {{"id", i}, {"rank", ranks.rank()}});
        };
        if (make_rows({"making", "rows", groups, rows, at_once}, partial, [](const Json&) {})) partial.remove();
        return made;
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    TemporaryFolder folder_;
    std::vector<size_t> computed_;
};

TEST_F(ComputedRowsTest, GoOnBehindThoseThatAreKept) {
    EXPECT_THROW(run(at("out"), 8), Error);
    EXPECT_THAT(computed_, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)) << "four a batch";
    const std::vector<std::string> resumed = run(at("out"), 99);
    EXPECT_THAT(computed_, ElementsAre(8, 9));
    EXPECT_EQ(resumed, run(at("other"), 99));
    EXPECT_EQ(computed_.size(), 10u);
}

// Rows of a batch that was written in part are computed with those they were computed with before.
TEST_F(ComputedRowsTest, GoOnWithTheSameBatches) {
    {
        PartialRows partial(at("out"), identity());
        for (size_t i = 0; i < 5; ++i) partial.add(i, {{"id", i}});
    }
    const std::vector<std::string> resumed = run(at("out"), 99);
    EXPECT_THAT(computed_, ElementsAre(4, 5, 6, 7, 8, 9));
    EXPECT_EQ(resumed.size(), 10u);
    EXPECT_EQ(resumed[4], "{\"id\":4}");
}

// A stop in the middle of a batch costs none of those that are done.
TEST_F(ComputedRowsTest, AreKeptOneByOne) {
    EXPECT_THROW(run(at("out"), 6), Error);
    EXPECT_THAT(computed_, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_EQ(PartialRows(at("out"), identity()).earlier(), 6);
}

TEST_F(ComputedRowsTest, AreWrittenAtOnceWhereNothingCanBeKept) {
    EXPECT_EQ(run("/dev/null", 99).size(), 10u);
    EXPECT_THROW(run("/dev/null", 4), Error);
    EXPECT_EQ(folder_.count(), 0u);
}

// Seven items, at most four at once, are four and three.
TEST_F(ComputedRowsTest, ComeInCallsOfAboutOneSize) {
    using Calls = std::vector<std::vector<size_t>>;
    EXPECT_EQ(calls(each_by_itself(7), 4), (Calls{{0, 1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(calls(each_by_itself(7), 7), (Calls{{0, 1, 2, 3, 4, 5, 6}}));
    EXPECT_EQ(calls(fours(), 1), fours());
    EXPECT_EQ(calls({{0, 2}, {1}, {3, 4}}, 3), (Calls{{0, 2, 1}, {3, 4}})) << "groups stay whole";
    EXPECT_EQ(calls({}, 3), Calls());
}

// Groups are dealt in turn; rank 0 has all rows in the end.
TEST_F(ComputedRowsTest, AreSharedOutByGroups) {
    for (const int size : {2, 3}) {
        std::vector<std::vector<std::vector<size_t>>> made(3);
        std::vector<std::string> rows;
        const auto thrown = test::ThreadRanks::run(size, [&](Ranks& ranks) {
            PartialRows partial(at("shared"), identity(), false, ranks);
            const auto some = [&](const std::vector<size_t>& items, const RowSink& done) {
                made[static_cast<size_t>(ranks.rank())].push_back(items);
                for (const size_t i : items) done(i, {{"id", i}});
            };
            const bool is_here = make_rows({"scoring", "rows", fours(), some, 1}, partial,
                                           [&](const Json& row) { rows.push_back(row.dump()); });
            EXPECT_EQ(is_here, ranks.is_first());
            if (is_here) partial.remove();
        });
        EXPECT_THAT(thrown, testing::Each(""));
        EXPECT_EQ(rows.size(), 10u);
        EXPECT_EQ(rows[9], "{\"id\":9}");
        EXPECT_EQ(made[1].front(), fours()[1]);
        EXPECT_EQ(made[0].size(), size == 2 ? 2u : 1u);
        EXPECT_EQ(folder_.count(), 0u);
    }
}

// What a rank did before it was lost is not made again, whoever goes on and however many they are.
TEST_F(ComputedRowsTest, OfALostRankGoOnInAnyNumber) {
    for (const int size : {1, 2, 3}) {
        const std::string output = at("lost-" + std::to_string(size));
        const auto first = test::ThreadRanks::run(3, [&](Ranks& ranks) {
            PartialRows partial(output, identity(), false, ranks);
            const auto some = [&](const std::vector<size_t>& items, const RowSink& done) {
                for (const size_t i : items) {
                    if (i == 5) throw Error("killed");
                    done(i, {{"id", i}});
                }
            };
            make_rows({"scoring", "rows", each_by_itself(9), some, 1}, partial, [](const Json&) {});
        });
        EXPECT_EQ(first[2], "killed") << "rank 2 has items 2, 5 and 8";
        EXPECT_THAT(first[0], testing::AnyOf("rank lost", ""));
        std::vector<size_t> again;
        std::mutex mutex;
        std::vector<std::string> rows;
        test::ThreadRanks::run(size, [&](Ranks& ranks) {
            PartialRows partial(output, identity(), false, ranks);
            EXPECT_GE(partial.earlier(), 1);
            const auto some = [&](const std::vector<size_t>& items, const RowSink& done) {
                for (const size_t i : items) {
                    const std::lock_guard lock(mutex);
                    again.push_back(i);
                    done(i, {{"id", i}});
                }
            };
            if (make_rows({"scoring", "rows", each_by_itself(9), some, 1}, partial,
                          [&](const Json& row) { rows.push_back(row.dump()); }))
                partial.remove();
        });
        EXPECT_EQ(rows.size(), 9u);
        EXPECT_THAT(again, testing::IsSupersetOf({5u, 8u}));
        EXPECT_THAT(again, testing::Not(testing::Contains(2u))) << "it was kept";
    }
    EXPECT_EQ(folder_.count(), 0u);
}

// Systems that say what they are told.
class ToldAsking : public Asking {
public:
    ToldAsking() : flow_({.items_at_once = 3, .items_ahead = 8}) {}
    Flow& flow() override { return flow_; }
    void finish() override { told.emplace_back("finish"); }
    Json usage() const override { return {{"asked", asked.load()}}; }
    void add(const Json& usage) override { asked += usage.at("asked").get<int>(); }
    Ranks& ranks() const override { return *shared_by; }
    Ranks* shared_by = &Ranks::alone();
    std::string unanswered() const override { return unreached; }
    void report(bool all) const override { told.emplace_back(all ? "all" : "waits"); }
    std::atomic<int> asked = 0;
    std::string unreached;
    mutable std::vector<std::string> told;

private:
    Flow flow_;
};

class AskedRowsTest : public testing::Test {
protected:
    // Five rows; the item at `failing` throws, that at `awaited` waits for a batch.
    bool run(ToldAsking& asking, size_t failing = 9, size_t awaited = 9) {
        KeptOutput kept(output_, identity(), false, asking.ranks());
        const auto row = [&](size_t item) -> Json {
            ++asking.asked;
            if (item == failing) throw Error("no answer");
            if (item == awaited) throw AwaitedAnswer();
            return {{"id", item}};
        };
        std::vector<Json> taken;
        RowsOutput output{.told = "made"};
        output.write = [&](const Json& made) { taken.push_back(made); };
        output.totals = [&] { return Json(taken.size()); };
        output.note = [](OutputManifest& manifest) { manifest.note("by", "test"); };
        output.flush = [] {};
        output.check = [&] {
            if (unusable_) throw Error("none can be used");
        };
        output.close = [&] {
            JsonLinesWriter writer(output_);
            for (const Json& one : taken) writer.write(one);
            writer.close();
        };
        return write_rows(asked_rows("making", "rows", 5, row), asking, kept, output);
    }
    Json manifest(const std::string& of) const { return read_json_file(output_ + of + "manifest.json"); }
    bool is_there(const std::string& suffix) const { return std::filesystem::exists(output_ + suffix); }
    TemporaryFolder folder_;
    std::string output_ = (folder_.path() / "out").string();
    bool unusable_ = false;
};

TEST_F(AskedRowsTest, BecomeTheOutputAndItsManifest) {
    ToldAsking asking;
    EXPECT_TRUE(run(asking));
    EXPECT_THAT(asking.told, ElementsAre("finish", "all"));
    EXPECT_EQ(read_file(output_), "{\"id\":0}\n{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n{\"id\":4}\n");
    const Json made = manifest(".");
    EXPECT_EQ(made["made"], 5);
    EXPECT_EQ(made["usage"]["asked"], 5);
    EXPECT_EQ(made["by"], "test");
    EXPECT_EQ(made["finished"], true);
    EXPECT_EQ(folder_.count(), 2u) << "nothing is kept beside them";
}

// Two ranks make three and two of the five; the files are those of one, but for where time went.
TEST_F(AskedRowsTest, AreSharedOutItemByItem) {
    std::vector<int> asked(2);
    const auto thrown = test::ThreadRanks::run(2, [&](Ranks& ranks) {
        ToldAsking asking;
        asking.shared_by = &ranks;
        EXPECT_TRUE(run(asking));
        asked[static_cast<size_t>(ranks.rank())] = asking.asked;
    });
    EXPECT_THAT(thrown, testing::Each(""));
    EXPECT_THAT(asked, ElementsAre(5, 2)) << "rank 0 counts what rank 1 asked";
    EXPECT_EQ(read_file(output_), "{\"id\":0}\n{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n{\"id\":4}\n");
    EXPECT_EQ(manifest(".")["usage"]["asked"], 5);
    EXPECT_EQ(folder_.count(), 2u) << "nothing is kept beside them";
}

TEST_F(AskedRowsTest, ThoseBeforeAFailureAreKept) {
    ToldAsking asking;
    EXPECT_THROW(run(asking, 3), Error);
    EXPECT_TRUE(asking.told.empty()) << "the systems are asked no more";
    EXPECT_TRUE(is_there(".partial"));
    EXPECT_EQ(manifest(".partial.")["finished"], false);
    ToldAsking again;
    EXPECT_TRUE(run(again));
    // The failed row, and the one behind it where it was not asked for by then.
    EXPECT_THAT(again.asked, testing::AllOf(testing::Ge(1), testing::Le(2)));
    EXPECT_EQ(manifest(".")["resumes"], 1);
}

TEST_F(AskedRowsTest, ThoseBehindOneThatWaitsAreKeptToo) {
    ToldAsking asking;
    EXPECT_FALSE(run(asking, 9, 2));
    EXPECT_THAT(asking.told, ElementsAre("finish", "waits"));
    EXPECT_FALSE(is_there(""));
    EXPECT_EQ(manifest(".partial.")["usage"]["asked"], 5);
    ToldAsking again;
    EXPECT_TRUE(run(again));
    EXPECT_EQ(again.asked, 1);
}

TEST_F(AskedRowsTest, ThatCanBeNoOutputAreMadeAnew) {
    unusable_ = true;
    ToldAsking asking;
    EXPECT_THROW(run(asking), Error);
    EXPECT_FALSE(is_there(""));
    EXPECT_EQ(manifest(".partial.")["made"], 5) << "what they came to is told";
    unusable_ = false;
    ToldAsking again;
    EXPECT_TRUE(run(again));
    EXPECT_EQ(again.asked, 5);
}

TEST_F(AskedRowsTest, NeedOneAnswerOfTheirOwnOrAnEarlierProcess) {
    ToldAsking asking;
    asking.unreached = "planner: 3 requests, none answered";
    EXPECT_THROW(asking.require_answers({}, "look"), Error);
    EXPECT_NO_THROW(asking.require_answers({}, "look", 1));
    asking.unreached.clear();
    UsableAnswers answers;
    answers.add("cut");
    EXPECT_THROW(asking.require_answers(answers, "look", 1), Error);
    answers.add("");
    EXPECT_NO_THROW(asking.require_answers(answers, "look"));
}

}  // namespace
}  // namespace craft

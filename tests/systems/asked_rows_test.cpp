#include "systems/asked_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"

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
    // Ten rows, of which the batch that begins at `failing` cannot be computed.
    std::vector<std::string> run(const std::string& output, size_t failing) {
        computed_.clear();
        std::vector<std::string> written;
        PartialRows partial(output, identity());
        const auto rows = [&](size_t begin, size_t end, const RowSink& done) {
            for (size_t i = begin; i < end; ++i) {
                if (i == failing) throw Error("no memory");
                computed_.push_back(i);
                done(i, {{"id", i}});
            }
        };
        const auto fours = [](size_t next) { return RowBatch(next / 4 * 4, std::min<size_t>(next / 4 * 4 + 4, 10)); };
        make_rows({"scoring", "rows", 10, fours, rows}, partial, [&](const Json& row) { written.push_back(row.dump()); });
        partial.remove();
        return written;
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

TEST(Batches, OfItemsCoverAllOfThem) {
    const auto batch = batches_of_items(300);
    EXPECT_EQ(batch(0), RowBatch(0, 256));
    EXPECT_EQ(batch(256), RowBatch(256, 300));
    EXPECT_EQ(batch(7), RowBatch(7, 263)) << "from the first one without a row";
}

// Systems that say what they are told.
class ToldAsking : public Asking {
public:
    ToldAsking() : flow_({.items_at_once = 3, .items_ahead = 8}) {}
    Flow& flow() override { return flow_; }
    void finish() override { told.emplace_back("finish"); }
    Json usage() const override { return {{"asked", asked.load()}}; }
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
        KeptOutput kept(output_, identity(), false);
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

TEST_F(AskedRowsTest, ThoseBeforeAFailureAreKept) {
    ToldAsking asking;
    EXPECT_THROW(run(asking, 3), Error);
    EXPECT_TRUE(asking.told.empty()) << "the systems are asked no more";
    EXPECT_TRUE(is_there(".partial"));
    EXPECT_EQ(manifest(".partial.")["finished"], false);
    ToldAsking again;
    EXPECT_TRUE(run(again));
    EXPECT_EQ(again.asked, 2);
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

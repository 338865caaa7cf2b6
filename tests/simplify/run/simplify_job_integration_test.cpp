// The whole run on a student that babbles and rules that go by the lengths of words: what it leaves behind, that run again
// it repeats nothing, and that a killed one continues.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "core/error.h"
#include "core/files.h"
#include "data/revised_text.h"
#include "metrics/sari.h"
#include "simplify/run/candidate_stages.h"
#include "simplify/run/policy_following.h"
#include "simplify/run/simplify_job.h"
#include "tests/core/temporary_folder.h"
#include "tests/judge/verdicts/principles/simple_sources.h"
#include "tests/model/babbling_model.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const fs::path& shipped() {
    static const fs::path folder = fs::path(test_source()) / "share" / "simplify";
    return folder;
}

void make_tiny_student(const fs::path& folder) {
    std::vector<std::string> lines;
    for (const RevisedText& text : read_revised_texts((shipped() / "dev.jsonl").string())) lines.push_back(text.text);
    test::make_babbling_model(folder, lines, {"A boat went out.", "They sang well.", "It rained."});
}

// Words of nine letters and more are hard, and a hard noun may give way to "thing". Throws from the call `fails_at` on.
struct LengthRules {
    std::atomic<int64_t> calls = 0, fails_at = -1;

    SimplifyJobParts parts() {
        SimplifyJobParts made;
        made.judge = test::simple_sources({});
        made.judge.difficulty = [this](std::string_view word) {
            if (++calls == fails_at) throw Error("far enough");
            return word.size() >= 9 ? 0.8 : 0.2;
        };
        made.other_judge = made.judge;
        made.rules.english = made.judge.english;
        made.rules.easier = [](const EnglishDocument& sentence, size_t at) -> std::optional<std::string> {
            return sentence[at].tag == "NN" && sentence[at].lower.size() >= 9 ? std::optional<std::string>("thing")
                                                                              : std::nullopt;
        };
        return made;
    }
};

class SimplifyJob : public testing::Test {
protected:
    void SetUp() override {
        CRAFT_NEEDS_ENGLISH_MODEL();
        make_tiny_student(folder_.path() / "base");
    }
    SimplifyJobOptions options() const {
        SimplifyJobOptions o;
        o.model = folder_.path() / "base";
        o.chat_template = "chatml";
        o.sentences = shipped();
        o.limit = 12;
        o.test = 4;
        o.sampling.max_new_tokens = 4;
        o.items_at_once = 4;
        for (TrainOptions* one : {&o.preference, &o.sft}) {
            one->batch_size = 2;
            one->save_every = 1;
            one->lora.rank = 2;
            one->lora.targets = {"all-linear"};
        }
        return o;
    }
    SimplifySummary run(const SimplifyJobOptions& o, const std::string& name) {
        return run_simplify_job(o, rules_.parts(), at::kFloat, at::kCPU, folder_.path() / name);
    }
    static std::vector<Json> rows(const fs::path& file) {
        std::vector<Json> all;
        JsonLinesReader reader(file.string());
        while (auto row = reader.next()) all.push_back(std::move(*row));
        return all;
    }

    TemporaryFolder folder_;
    LengthRules rules_;
};

TEST_F(SimplifyJob, LeavesEveryStageBehindAndRepeatsNone) {
    const SimplifySummary summary = run(options(), "run");
    const fs::path out = folder_.path() / "run";
    const Json json = parse_json(read_file(out / "summary.json"), "summary.json");
    for (const char* policy : {"lexical", "rewriting"}) {
        std::vector<std::string> systems;
        for (const auto& [name, figures] : json.at("policies").at(policy).items()) {
            systems.push_back(name);
            EXPECT_TRUE(figures.at("follows").is_number() && figures.at("follows_other_judge").is_number()) << name;
            EXPECT_TRUE(figures.at("sari_asset").is_null() && figures.at("sari_turk").is_null()) << name;
        }
        EXPECT_THAT(systems, UnorderedElementsAre("zero_shot", "few_shot", "sft", "trained", "random"));
        const fs::path folder = out / policy;
        EXPECT_EQ(rows(folder / "candidates" / "candidates.jsonl").size(), 12u);
        EXPECT_EQ(rows(folder / "judgements" / "judgements.jsonl").size(), 12u);
        EXPECT_EQ(rows(folder / "evaluation" / "trained" / "test" / "outputs.jsonl").size(), 4u);
        for (const char* training : {"sft", "trained", "random"})
            EXPECT_TRUE(fs::exists(folder / training / "adapter" / "adapter_config.json")) << training;
        const Json& pairs = json.at("counts").at(policy).at("pairs");
        int64_t dropped = 0;
        for (const auto& [reason, count] : pairs.at("dropped").items()) dropped += count.get<int64_t>();
        EXPECT_EQ(pairs.at("pairs").get<int64_t>() + dropped, 12);
    }
    const int64_t calls = rules_.calls;
    EXPECT_EQ(to_json(run(options(), "run")), json);
    EXPECT_EQ(rules_.calls, calls);
    EXPECT_EQ(to_json(summary), json);
}

TEST_F(SimplifyJob, PairsAreAskedWithTheInstructionAlone) {
    SimplifyJobOptions o = options();
    o.policies = {SimplificationPolicy::lexical};
    run(o, "run");
    const auto groups = rows(folder_.path() / "run" / "lexical" / "candidates" / "candidates.jsonl");
    std::vector<std::string> systems;
    for (const Json& candidate : groups.at(0).at("candidates")) systems.push_back(candidate.at("system").get<std::string>());
    EXPECT_THAT(systems, testing::IsSupersetOf({"rules:lexical", "rules:split", "rules:delete", "rules:copy"}));
    const auto pairs = rows(folder_.path() / "run" / "lexical" / "pairs" / "pairs.jsonl");
    ASSERT_FALSE(pairs.empty());
    for (const Json& pair : pairs) {
        ASSERT_EQ(pair.at("prompt").size(), 2u);
        EXPECT_EQ(pair.at("prompt").at(0).at("role"), "system");
        EXPECT_EQ(pair.at("provenance").at("aspect"), "Lexical");
        EXPECT_EQ(pair.at("provenance").at("seed"), 1);
        EXPECT_NE(pair.at("provenance").at("chosen_system"), "rules:copy");
    }
}

TEST_F(SimplifyJob, TheBestOfBadOnesIsNoChosenSide) {
    SimplifyJobOptions o = options();
    o.policies = {SimplificationPolicy::lexical};
    o.test = 1;
    const char* const reason = "no verdict: the best one does not follow the policy";
    const auto dropped = [&](const std::string& name) {
        return to_json(run(o, name)).at("counts").at("lexical").at("pairs").at("dropped").value(reason, 0);
    };
    EXPECT_GT(dropped("with"), 0);
    const PrincipleSources judge = rules_.parts().judge;
    for (const Json& pair : rows(folder_.path() / "with" / "lexical" / "pairs" / "pairs.jsonl"))
        EXPECT_TRUE(follows_policy(SimplificationPolicy::lexical, pair.at("prompt").at(1).at("content").get<std::string>(),
                                   pair.at("chosen").at(0).at("content").get<std::string>(), judge));
    o.chosen_follows = false;
    EXPECT_EQ(dropped("without"), 0);
}

TEST_F(SimplifyJob, SariIsThatOfTheOutputsAndTheirReferences) {
    SimplifyJobOptions o = options();
    o.policies = {SimplificationPolicy::lexical};
    o.limit = 6;
    o.test = 1;
    o.items = 2;
    o.data = folder_.path() / "data";
    fs::create_directories(o.data);
    for (const char* name : {"asset.valid", "tune.truecase.detok"}) {
        write_file_atomic(o.data / (std::string(name) + ".orig"), "It rained hard.\nThey sang aloud.\nA ship went out.\n");
        for (const char* reference : {".simp.0", ".simp.1"})
            write_file_atomic(o.data / (std::string(name) + reference), "It rained.\nThey sang well.\nA boat went out.\n");
    }
    const Json json = to_json(run(o, "run"));
    const fs::path folder = folder_.path() / "run" / "lexical" / "evaluation" / "trained";
    for (const char* set : {"asset", "turk"}) {
        const std::unique_ptr<Metric> metric = make_sari({});
        const auto outputs = rows(folder / set / "outputs.jsonl");
        ASSERT_EQ(outputs.size(), 2u);
        for (const Json& row : outputs) {
            const std::string source = row.at("source").get<std::string>();
            const std::string better = source == "It rained hard."    ? "It rained."
                                       : source == "They sang aloud." ? "They sang well."
                                                                      : "A boat went out.";
            metric->add(metric->measure({"", source, row.at("text").get<std::string>(), {better, better}}));
        }
        EXPECT_DOUBLE_EQ(json.at("policies").at("lexical").at("trained").at("sari_" + std::string(set)).get<double>(),
                         metric->corpus().at("sari").get<double>());
    }
    fs::remove(o.data / "tune.truecase.detok.orig");
    EXPECT_THAT(message_of([&] { run(o, "other"); }), HasSubstr("expected turk's dev set"));
}

TEST_F(SimplifyJob, AKilledRunGoesOn) {
    SimplifyJobOptions o = options();
    o.policies = {SimplificationPolicy::rewriting};
    const auto figures = [](const SimplifySummary& summary) { return to_json(summary).at("policies"); };
    const Json whole = figures(run(o, "whole"));
    const int64_t all = rules_.calls;
    for (int time = 0; time < 2; ++time) {  // while it judges, while it evaluates
        rules_.calls = 0;
        rules_.fails_at = all / 2;
        EXPECT_THAT(message_of([&] { run(o, "killed"); }), HasSubstr("far enough"));
    }
    rules_.calls = 0;
    rules_.fails_at = -1;
    EXPECT_EQ(figures(run(o, "killed")), whole);
    EXPECT_LT(rules_.calls, all / 2);
}

TEST_F(SimplifyJob, WithoutAPairThereIsNoTraining) {
    SimplifyJobOptions o = options();
    o.filters.max_source_copy = 0;
    EXPECT_THAT(message_of([&] { run(o, "run"); }), HasSubstr("lexical: verdicts: expected pairs to train on, got none"));
}

TEST(DrawnSides, ComeFromTheSeedAndKeepThePairs) {
    std::vector<Pair> pairs;
    for (int i = 0; i < 64; ++i) pairs.push_back({"prompt " + std::to_string(i), "better", "worse"});
    const auto turned = [&](uint64_t seed) {
        std::string sides;
        for (const Pair& pair : with_drawn_sides(pairs, seed)) {
            EXPECT_NE(pair.chosen, pair.rejected);
            sides += pair.chosen == pairs[0].chosen ? '0' : '1';
        }
        return sides;
    };
    const std::string sides = turned(1);
    EXPECT_EQ(turned(1), sides);
    EXPECT_NE(turned(2), sides);
    const auto count = std::count(sides.begin(), sides.end(), '1');
    EXPECT_GT(count, 16);  // of 64 coins fewer than 17 or more than 47 fall so once in ten thousand seeds
    EXPECT_LT(count, 48);
}

}  // namespace
}  // namespace craft

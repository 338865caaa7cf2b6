#include "simplify/candidate_collection.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "simplify/model_simplifier.h"
#include "simplify/rule_systems.h"

namespace craft {
namespace {

// Answers what is written for a text; keeps what it was asked.
class WrittenSystem : public System {
public:
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink&) override {
        asked.insert(asked.end(), requests.begin(), requests.end());
        last_sampling = sampling;
        return {replies.at(requests.at(0).conversation.messages.back()["content"])};
    }
    std::string name() const override { return "written"; }
    Json record(const Request&, const SamplingOptions&) const override { return nullptr; }
    std::map<std::string, Reply> replies;
    std::vector<Request> asked;
    SamplingOptions last_sampling;
};

TEST(CandidateCollection, LeavesOutWhatHasNoTextAndCountsIt) {
    WrittenSystem system;
    system.replies["One."] = {.text = "Here is the simplified sentence: Single."};
    system.replies["Two."] = {.text = "Cut of", .status = Reply::Status::cut};
    system.replies["Three."] = Reply::failed(Failure::timed_out, "slow");
    system.replies["Four."] = {.text = "\"\"", .reasoning = "hm"};
    const PromptFiles files;
    const ModelSimplifier model("openai:own", system, files, SimplificationPolicy::lexical, {.shots = 2});
    const auto copy = make_rule_system("copy", {});
    SimplificationCounts counts;
    std::vector<CandidateGroup> groups;
    for (const char* text : {"One.", "Two.", "Three.", "Four."}) {
        const CollectedCandidates collected =
            collect_candidates({"id-" + std::string(text), text, 7}, SimplificationPolicy::lexical, {&model, copy.get()});
        for (const auto& one : collected.all) counts.add(one.system, one.made);
        groups.push_back(collected.group());
        // What is kept of it is all of it.
        const CollectedCandidates again = collected_from_json(to_json(collected), "row");
        EXPECT_EQ(to_json(again), to_json(collected));
        EXPECT_EQ(again.all.at(0).made, collected.all.at(0).made);
    }
    EXPECT_EQ(to_json(groups[0]), Json::parse(R"({"id":"id-One.","source":"One.","policy":"lexical","candidates":
        [{"system":"openai:own","text":"Single."},{"system":"rules:copy","text":"One."}]})"));
    EXPECT_EQ(groups[1].candidates.size(), 1u);
    EXPECT_EQ(groups[2].candidates.size(), 1u);
    EXPECT_EQ(groups[3].candidates.size(), 1u);
    EXPECT_EQ(counts.to_json(), Json::parse(R"({
        "openai:own":{"texts":4,"made":1,"left_out":{"cut":1,"empty":1,"timed_out":1},
                      "noted":{"prefaced":1,"quoted":1,"thinking":1}},
        "rules:copy":{"texts":4,"made":4,"left_out":{},"noted":{"unchanged":4}}})"));
    EXPECT_EQ(system.asked.at(0).conversation.messages.size(), 2u + 2 * 2);
    EXPECT_EQ(system.asked.at(0).item, 7u);
    EXPECT_EQ(system.last_sampling.temperature, 0);
}

TEST(CandidateCollection, RefusesWhatIsNotThere) {
    WrittenSystem system;
    const PromptFiles files;
    EXPECT_THROW(ModelSimplifier("x", system, files, SimplificationPolicy::lexical, {.shots = 4}), Error);
    EXPECT_THROW(make_rule_system("splitt", {}), Error);
    EXPECT_THROW(make_rule_system("split", {}), Error);
    EXPECT_THROW(make_rule_system("lexical", {}), Error);
    EXPECT_EQ(make_rule_system("copy", {})->name(), "rules:copy");
}

}  // namespace
}  // namespace craft

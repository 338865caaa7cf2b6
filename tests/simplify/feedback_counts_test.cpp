#include "simplify/feedback_counts.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/rng.h"
#include "simplify/candidate_collection.h"

namespace craft {
namespace {

CorrectionRound answered(const std::string& answer, const std::string& verdict, const std::string& text) {
    CorrectionRound round;
    round.report = "r";
    round.answer = answer;
    (verdict == "better" || verdict == "worse" ? round.verdict : round.no_verdict) = verdict;
    round.text = text;
    return round;
}

Simplification corrected(std::vector<CorrectionRound> rounds) {
    Simplification made;
    made.first = "first";
    made.text = rounds.back().text;
    made.rounds = std::move(rounds);
    return made;
}

TEST(FeedbackCounts, EveryTextIsCountedOnceARound) {
    FeedbackCounts counts;
    EXPECT_EQ(counts.reports(), 0);
    CorrectionRound silent, mute;
    silent.no_report = "timed_out";
    silent.text = "first";
    mute.report = "r";
    mute.no_answer = "echo";
    mute.text = "first";
    counts.add(corrected({answered("b", "better", "b"), answered("b", "equal", "b")}));
    counts.add(corrected({answered("b", "worse", "first"), silent}));
    counts.add(corrected({mute, answered("c", "tie", "c")}));
    Simplification failed;
    failed.failure = "empty";
    counts.add(failed);
    EXPECT_EQ(counts.reports(), 5);
    EXPECT_EQ(counts.to_json(), Json::parse(R"({"texts":4,"without_text":1,"rounds":[
        {"round":1,"corrected":1,"unchanged":0,"declined":1,"no_report":{},"no_answer":{"echo":1},"better":1,"worse":1,
         "no_verdict":{},"noted":{}},
        {"round":2,"corrected":1,"unchanged":1,"declined":0,"no_report":{"timed_out":1},"no_answer":{},"better":0,"worse":0,
         "no_verdict":{"equal":1,"tie":1},"noted":{}}]})"));
}

int64_t sum_of(const Json& counts) {
    int64_t sum = 0;
    for (const auto& one : counts) sum += one.get<int64_t>();
    return sum;
}

TEST(FeedbackCounts, AddUpWhateverHappened) {
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        Rng rng(seed, "feedback", "counts", 0);
        FeedbackCounts counts;
        for (int text = 0; text < 20; ++text) {
            std::vector<CorrectionRound> rounds;
            std::string now = "first";
            for (int i = 0; i < 3; ++i) {
                CorrectionRound round;
                const std::string answer = rng.pick(std::vector<std::string>{"first", "a", "b"});
                const std::string how =
                    rng.pick(std::vector<std::string>{"better", "worse", "tie", "no report", "no answer"});
                if (how == "no report")
                    round.no_report = "empty";
                else if (how == "no answer")
                    round.no_answer = "declined";
                else
                    round = answered(answer, how, rng.pick(std::vector<std::string>{now, answer}));
                if (round.text.empty()) round.text = now;
                now = round.text;
                rounds.push_back(round);
            }
            counts.add(corrected(rounds));
        }
        const Json said = counts.to_json();
        for (const Json& round : said["rounds"]) {
            const int64_t answers =
                round["corrected"].get<int64_t>() + round["unchanged"].get<int64_t>() + round["declined"].get<int64_t>();
            EXPECT_EQ(answers + sum_of(round["no_report"]) + sum_of(round["no_answer"]), 20) << round;
            EXPECT_EQ(round["better"].get<int64_t>() + round["worse"].get<int64_t>() + sum_of(round["no_verdict"]), answers);
        }
    }
}

TEST(FeedbackCounts, RoundsAreWrittenAndReadAlike) {
    CorrectionRound full = answered("b", "better", "b");
    full.thinking = "hm";
    full.noted = {{"quoted", 1}};
    full.judgement = "0 is.";
    CorrectionRound silent;
    silent.no_report = "empty";
    silent.text = "b";
    CollectedCandidates collected{"1", "source", "lexical", {{"own", corrected({full, silent})}}};
    const CollectedCandidates read = collected_from_json(Json::parse(to_json(collected).dump()), "row");
    EXPECT_EQ(read.all.at(0).made, collected.all[0].made);
    EXPECT_THROW(correction_round_from_json(Json::parse(R"({"report":"r"})"), "row"), Error);
    EXPECT_THROW(correction_round_from_json("x", "row"), Error);
    const Json trace = feedback_trace("1", "source", collected.all[0].made);
    EXPECT_EQ(trace["rounds"][0], Json({{"round", 0}, {"text", "first"}}));
    EXPECT_EQ(trace["rounds"][1]["verdict"], "better");
    EXPECT_EQ(trace["rounds"][2], Json::parse(R"({"round":2,"report":"","no_report":"empty","verdict":null,"text":"b"})"));
}

}  // namespace
}  // namespace craft

#include "simplify/feedback_rounds.h"

#include <gtest/gtest.h>

#include "simplify/feedback_counts.h"
#include "tests/judge/verdicts/injections.h"
#include "tests/judge/verdicts/scripted_judge.h"

namespace craft {
namespace {

using test::ScriptedJudge;
using Counts = std::map<std::string, int64_t>;

// Reports what a function says of the text; the longer a text, the worse, of equal length none.
class StandInReporter : public CandidateReporter {
public:
    using Says = std::function<CandidateReport(const std::string& candidate, uint64_t round)>;
    explicit StandInReporter(Says says) : says_(std::move(says)) {}
    std::string name() const override { return "stand-in"; }
    CandidateReport report(const std::string&, const std::string& source, const std::string& candidate,
                           uint64_t round) const override {
        EXPECT_EQ(source, "The task was facile.");
        return says_(candidate, round);
    }

private:
    Says says_;
};

class ShorterIsBetter : public CandidateJudge {
public:
    std::string name() const override { return "shorter"; }
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const override {
        Judgement said{name(), order, repeat, {}, {}, {}};
        const size_t before = group.candidates.at(0).text.size(), after = group.candidates.at(1).text.size();
        if (before == after)
            said.reasons["Lexical"] = "tie";
        else
            said.verdicts["Lexical"] = after < before ? ListwiseVerdict{1, 0} : ListwiseVerdict{0, 1};
        said.attempts.push_back({.reply = "The shorter one."});
        return said;
    }
};

CandidateReport finds(const std::string& text) {
    return {.text = text, .problem = {}};
}

struct Setting {
    FeedbackRoundsOptions rounds = {.rounds = 2, .aspect = "Lexical"};
    StandInReporter::Says reports = [](const std::string& text, uint64_t round) {
        return finds("report " + std::to_string(round) + " on " + text);
    };
    size_t shots = 0;
};

Simplification simplified(System& system, const Setting& setting) {
    const StandInReporter reporter(setting.reports);
    const ShorterIsBetter shorter;
    const JudgePanel panel({&shorter}, {});
    const FeedbackRounds rounds("own", system, PromptFiles(), SimplificationPolicy::lexical, {.shots = setting.shots},
                                {&reporter, &panel}, setting.rounds);
    return rounds.simplify({"a", "The task was facile.", 7});
}

// Answers one after another.
ScriptedJudge answering(std::vector<std::string> answers) {
    return ScriptedJudge([answers = std::move(answers), next = std::make_shared<size_t>(0)](const std::string&) {
        const std::string& text = answers.at((*next)++);
        if (text == "down") return Reply::failed(Failure::server_error, "500");
        return Reply{.text = text, .status = text == "The cu" ? Reply::Status::cut : Reply::Status::finished};
    });
}

TEST(FeedbackRounds, EachRoundReportsOnTheTextOfTheOneBefore) {
    ScriptedJudge system = answering({"The task was simple.", "The task was easy.", "The whole task was easy."});
    const Simplification made = simplified(system, {});
    EXPECT_EQ(made.text, "The whole task was easy.");  // of the last round, though it is worse
    EXPECT_EQ(made.first, "The task was simple.");
    ASSERT_EQ(made.rounds.size(), 2u);
    EXPECT_EQ(made.rounds[0].report, "report 1 on The task was simple.");
    EXPECT_EQ(made.rounds[0].answer, "The task was easy.");
    EXPECT_EQ(made.rounds[0].verdict, "better");
    EXPECT_EQ(made.rounds[0].judgement, "The shorter one.");
    EXPECT_EQ(made.rounds[1].report, "report 2 on The task was easy.");
    EXPECT_EQ(made.rounds[1].verdict, "worse");
    EXPECT_EQ(made.rounds[1].text, made.text);
    EXPECT_EQ(system.keys, (std::vector<std::pair<uint64_t, uint64_t>>{{7, 0}, {7, 1}, {7, 2}}));
}

TEST(FeedbackRounds, TheTextBeforeStaysWhereThatIsWantedAndItIsBetter) {
    Setting setting;
    setting.rounds.kept = KeptText::preferred;
    ScriptedJudge system = answering({"The task was simple.", "The whole task was easy.", "The task was EASY!!"});
    const Simplification made = simplified(system, setting);
    EXPECT_EQ(made.rounds[0].text, "The task was simple.");
    EXPECT_EQ(made.rounds[1].report, "report 2 on The task was simple.");
    EXPECT_EQ(made.text, "The task was EASY!!");
    // 19 bytes, as the text before has: without a verdict for it, it does not take its place.
    ScriptedJudge tied = answering({"The task was simple.", "The task was s1mple.", "The task was simpl3."});
    EXPECT_EQ(simplified(tied, setting).text, "The task was simple.");
}

TEST(FeedbackRounds, WithoutAReportNobodyIsAskedAndTheTextStays) {
    Setting setting;
    setting.reports = [](const std::string&, uint64_t round) {
        return round == 1 ? CandidateReport{.text = {}, .problem = "timed_out"} : finds("hard");
    };
    ScriptedJudge system = answering({"The task was simple.", "The task was easy."});
    const Simplification made = simplified(system, setting);
    EXPECT_EQ(made.rounds[0].no_report, "timed_out");
    EXPECT_EQ(made.rounds[0].text, "The task was simple.");
    EXPECT_EQ(made.rounds[0].verdict + made.rounds[0].no_verdict, "");
    EXPECT_EQ(made.text, "The task was easy.");
}

TEST(FeedbackRounds, WithoutAnAnswerTheTextStays) {
    Setting setting;
    setting.rounds.rounds = 7;
    setting.reports = [](const std::string&, uint64_t) { return finds("\"facile\" stays: moderate penalty."); };
    ScriptedJudge system =
        answering({"The task was simple.", "down", "", "The cu", "> \"facile\" stays",
                   "You said:\n> \"facile\" stays: moderate", "Here is a report on your version", "The task was easy."});
    const Simplification made = simplified(system, setting);
    ASSERT_EQ(made.rounds.size(), 7u);
    EXPECT_EQ(made.rounds[0].no_answer, "server_error");
    EXPECT_EQ(made.rounds[1].no_answer, "empty");
    EXPECT_EQ(made.rounds[2].no_answer, "cut");
    EXPECT_EQ(made.rounds[3].no_answer, "echo");
    EXPECT_EQ(made.rounds[4].no_answer, "echo");
    EXPECT_EQ(made.rounds[5].no_answer, "echo");
    EXPECT_EQ(made.rounds[5].text, "The task was simple.");
    EXPECT_EQ(made.rounds[6].no_answer, "");
    EXPECT_EQ(made.text, "The task was easy.");
    ScriptedJudge mute = answering({"down"});
    const Simplification none = simplified(mute, {});
    EXPECT_EQ(none.failure, "server_error");
    EXPECT_TRUE(none.rounds.empty());
    EXPECT_EQ(none.first, "");
}

// The system as it was asked, whole conversations of it.
class Listening : public System {
public:
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions&, const ReplySink&) override {
        std::vector<Reply> replies;
        for (const Request& request : requests) {
            asked.push_back(request.conversation.messages);
            replies.push_back({.text = "Text " + std::to_string(asked.size()) + "."});
        }
        return replies;
    }
    std::string name() const override { return "listening"; }
    Json record(const Request&, const SamplingOptions&) const override { return {}; }
    std::vector<Json> asked;
};

TEST(FeedbackRounds, AReportIsTheNextTurnOrAConversationOfItsOwn) {
    Setting setting;
    setting.shots = 1;
    Listening turns;
    simplified(turns, setting);
    ASSERT_EQ(turns.asked.size(), 3u);
    ASSERT_EQ(turns.asked[2].size(), 6u);  // system, an example, the source, the second text, its report
    EXPECT_EQ(turns.asked[2][3]["content"], "The task was facile.");
    EXPECT_EQ(turns.asked[2][4], Json({{"role", "assistant"}, {"content", "Text 2."}}));
    EXPECT_EQ(turns.asked[2][5]["role"], "user");
    EXPECT_NE(turns.asked[2][5]["content"].get<std::string>().find("\n> report 2 on Text 2.\n"), std::string::npos);
    setting.rounds.form = FeedbackForm::apart;
    Listening apart;
    simplified(apart, setting);
    ASSERT_EQ(apart.asked[1].size(), 2u);
    EXPECT_EQ(apart.asked[1][1]["content"],
              "Source:\n> The task was facile.\n\nVersion:\n> Text 1.\n\nReport:\n> report 1 on Text 1.");
}

TEST(FeedbackRounds, NoReportLeavesItsQuotation) {
    for (const std::string& text : test::injections(1, 0, {"Lexical"}))
        for (const FeedbackForm form : {FeedbackForm::turn, FeedbackForm::apart}) {
            Setting setting;
            setting.rounds.form = form;
            const auto asked_with = [&](const std::string& report) {
                setting.reports = [report](const std::string&, uint64_t) { return finds(report); };
                Listening system;
                simplified(system, setting);
                return system.asked.at(1);
            };
            const Json plain = asked_with("PLAIN"), injected = asked_with(text);
            ASSERT_EQ(plain.size(), injected.size());
            const std::string before = plain.back()["content"], with = injected.back()["content"];
            // All around the report is as it was, and every line of the report is quoted.
            const size_t at = before.find("> PLAIN"), behind = before.size() - at - 7;
            EXPECT_EQ(with.substr(0, at), before.substr(0, at));
            EXPECT_EQ(with.substr(with.size() - behind), before.substr(before.size() - behind));
            const std::string inner = with.substr(at, with.size() - behind - at);
            EXPECT_EQ(inner.find("<|im_"), std::string::npos) << inner;
            for (size_t line = 0; line != std::string::npos; line = inner.find('\n', line + 1))
                EXPECT_EQ(inner[line == 0 ? 0 : line + 1], '>') << inner;
        }
}

}  // namespace
}  // namespace craft

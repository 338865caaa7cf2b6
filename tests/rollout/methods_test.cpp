// The methods of revising with scripted systems: what each asks for, what it keeps, and what it counts.
#include "rollout/methods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "rollout/rules_reviser.h"
#include "tests/rollout/scripted_parts.h"

namespace craft {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using HowOften = std::map<std::string, int64_t>;

const std::string kDam =
    "The dam was built in 1841. It was closed, due to the fact that the river silted up. Agnes bought it.";
const std::string kAvoidRiver = response_text("text_eval()\nkeyword_keep_removal_check(\"river\", \"remove\")");
const std::string kShortDam = response_text("word_count_check(15, \"less than\")");

// Adds "+", so that the number of revisions can be seen.
Revised add_plus(const RevisionRequest& request, size_t) {
    return {request.text + "+", {}, {}, {Usage{.prompt_tokens = 7, .new_tokens = 2}}};
}

MethodOptions method(Method which) {
    MethodOptions options;
    options.method = which;
    return options;
}

std::vector<std::string> texts_of(const RevisionResult& result) {
    std::vector<std::string> texts;
    for (const Round& round : result.rounds) texts.push_back(round.text);
    return texts;
}

}  // namespace

// What the responses of these tests are read with is not their subject.
HowOften but_leniency(HowOften counted) {
    std::erase_if(counted, [](const auto& one) { return one.first.starts_with("leniency: "); });
    return counted;
}

TEST(Methods, DirectRevisesByTheInstructionAlone) {
    ScriptedReviser reviser(add_plus);
    ScriptedParts all(nullptr, &reviser);
    for (const Method which : {Method::direct, Method::cot}) {
        const RevisionResult result = revise_text(scripted_task(kDam), all.parts, method(which));
        EXPECT_EQ(result.text, kDam + "+");
        EXPECT_EQ(reviser.asks.back().instruction, "Use at most 3 sentences and avoid 'river':");
        EXPECT_EQ(reviser.asks.back().original, kDam);
        EXPECT_THAT(result.rounds.at(0).conditions.all, IsEmpty());
        EXPECT_EQ(result.rounds.at(0).conditions.share(), 1) << "nobody asked for anything";
        EXPECT_EQ(result.cost.calls, 1);
        EXPECT_EQ(result.cost.input_tokens, 7);
        EXPECT_THAT(result.calls, IsEmpty());
        EXPECT_THAT(result.counted, IsEmpty());
    }
    EXPECT_EQ(reviser.asks.size(), 2u);
}

TEST(Methods, SentencesAreJoinedAsTheyStood) {
    const std::string text = "  One is here. \n Two is here.\tNot split. Three!  ";
    ScriptedReviser reviser([](const RevisionRequest& request, size_t number) -> Revised {
        if (number == 1) return {request.text, "cut"};
        return {"<" + request.text + ">", {}, {{"fenced", 1}}, {Usage{.new_tokens = 1}}};
    });
    ScriptedParts all(nullptr, &reviser);
    MethodOptions options = method(Method::direct);
    options.by_sentence = true;
    const RevisionResult result = revise_text(scripted_task(text), all.parts, options);
    ASSERT_EQ(reviser.asks.size(), 3u);
    EXPECT_EQ(reviser.asks[1].text, "Two is here.\tNot split.");
    EXPECT_EQ(reviser.asks[1].original, reviser.asks[1].text);
    EXPECT_NE(reviser.asks[0].sample, reviser.asks[1].sample) << "a stream each";
    EXPECT_EQ(result.text, "  <One is here.> \n Two is here.\tNot split. <Three!>  ");
    EXPECT_EQ(but_leniency(result.counted), (HowOften{{"noted: fenced", 2}, {"noted: sentence cut", 1}}));
    EXPECT_EQ(result.rounds.at(0).unusable, "");
    EXPECT_EQ(result.cost.calls, 2);
}

TEST(Methods, WhereNoSentenceHasARevisionTheTextHasNone) {
    ScriptedReviser reviser([](const RevisionRequest& request, size_t) -> Revised { return {request.text, "cut"}; });
    ScriptedParts all(nullptr, &reviser);
    MethodOptions options = method(Method::direct);
    options.by_sentence = true;
    const RevisionResult result = revise_text(scripted_task(kDam), all.parts, options);
    EXPECT_EQ(result.text, kDam);
    EXPECT_EQ(result.rounds.at(0).unusable, "cut");
    EXPECT_EQ(but_leniency(result.counted), (HowOften{{"noted: sentence cut", 3}, {"unusable: cut", 1}}));
}

TEST(Methods, APlanIsCarriedOutOnce) {
    ScriptedSystem planner([](const ScriptedSystem::Ask&, size_t) {
        return Reply{.text = kAvoidRiver, .usage = {.prompt_tokens = 40, .new_tokens = 9, .cached_tokens = 30}};
    });
    RulesReviser reviser(shipped_rules());
    ScriptedParts all(&planner, &reviser);
    const RevisionResult result = revise_text(scripted_task(kDam), all.parts, method(Method::plan));
    ASSERT_EQ(planner.asks.size(), 1u);
    EXPECT_EQ(planner.asks[0].messages.at(0).content, scripted_task(kDam).instruction + "\n" + kDam);
    EXPECT_EQ(planner.asks[0].sampling.temperature, 0);
    EXPECT_THAT(result.text, Not(HasSubstr("river")));
    EXPECT_THAT(result.calls, ElementsAre("text_eval()", "keyword_keep_removal_check(\"river\", \"remove\")"));
    ASSERT_EQ(result.rounds.size(), 1u);
    ASSERT_EQ(result.rounds[0].conditions.all.size(), 1u) << "text_eval() sets none";
    EXPECT_TRUE(result.rounds[0].conditions.all[0].met);
    EXPECT_EQ(result.cost.calls, 1);
    EXPECT_EQ(result.cost.input_tokens, 40);
    EXPECT_EQ(result.planner_tokens.computed, 40 - 30 + 9);
    EXPECT_EQ(result.planner_tokens.plain, 40 + 9);
}

TEST(Methods, APlanThatIsThereNeedsNoPlanner) {
    RulesReviser reviser(shipped_rules());
    ScriptedParts all(nullptr, &reviser);
    const RevisionResult result =
        revise_by_response(scripted_task(kDam), {.text = kAvoidRiver}, all.parts, method(Method::plan));
    EXPECT_THAT(result.text, Not(HasSubstr("river")));
    EXPECT_EQ(result.cost.calls, 0) << "it cost nothing";
    EXPECT_EQ(result.rounds.at(0).response, kAvoidRiver);
    EXPECT_FALSE(result.row()["trace"].contains("planner_tokens"));
    EXPECT_EQ(result.problem(), "");

    const Reply cut{.text = kAvoidRiver, .status = Reply::Status::cut};
    EXPECT_EQ(revise_by_response(scripted_task(kDam), cut, all.parts, method(Method::plan)).problem(), "cut");
}

TEST(Methods, RoundsReviseTheLastRevisionUnderTheFirstConditions) {
    ScriptedSystem planner([](const ScriptedSystem::Ask&, size_t number) {
        // The first asks for two conditions, the others for one: R_c must not be won so.
        return Reply{.text = number == 0
                                 ? response_text("word_count_check(5, \"less than\")\nsentence_count_check(3, \"equal\")")
                                 : response_text("sentence_count_check(3, \"equal\")")};
    });
    ScriptedReviser reviser(add_plus);
    ScriptedParts all(&planner, &reviser);
    const RevisionResult result = revise_text(scripted_task(kDam), all.parts, method(Method::iter));
    EXPECT_THAT(texts_of(result), ElementsAre(kDam + "+", kDam + "++", kDam + "+++", kDam + "++++", kDam + "+++++"));
    EXPECT_EQ(result.text, kDam + "+++++");
    for (size_t i = 1; i < reviser.asks.size(); ++i) {
        EXPECT_EQ(reviser.asks[i].text, result.rounds[i - 1].text);
        EXPECT_EQ(reviser.asks[i].original, kDam);
    }
    for (const Round& round : result.rounds) EXPECT_EQ(round.conditions.all.size(), 2u);
    EXPECT_THAT(result.calls, ElementsAre("word_count_check(5, \"less than\")", "sentence_count_check(3, \"equal\")"));
    // What the planner read: its responses and what came of them.
    const auto& last = planner.asks.at(4).messages;
    ASSERT_EQ(last.size(), 9u);
    EXPECT_THAT(last[2].content, AllOf(HasSubstr(kDam + "+\n"), HasSubstr("Not met: word_count_check(5, \"less than\")")));
    EXPECT_NE(planner.asks[0].item, planner.asks[1].item) << "each round has streams of its own";
}

TEST(Methods, WithoutFeedbackAnObservationIsTheRevision) {
    ScriptedSystem planner(kShortDam);
    ScriptedReviser reviser(add_plus);
    ScriptedParts all(&planner, &reviser);
    MethodOptions options = method(Method::iter);
    options.use_feedback = false;
    options.rounds = 2;
    revise_text(scripted_task(kDam), all.parts, options);
    EXPECT_EQ(planner.asks.at(1).messages.at(2).content, "###OBSERVATION:\n" + kDam + "+\n");
}

TEST(Methods, WithoutAPlanRoundsGoByTheInstruction) {
    ScriptedReviser reviser(add_plus);
    ScriptedParts all(nullptr, &reviser);
    MethodOptions options = method(Method::iter);
    options.use_plan = false;
    options.rounds = 3;
    const RevisionResult result = revise_text(scripted_task(kDam), all.parts, options);
    EXPECT_THAT(texts_of(result), ElementsAre(kDam + "+", kDam + "++", kDam + "+++"));
    EXPECT_EQ(reviser.asks.at(2).text, kDam + "++");
    EXPECT_EQ(reviser.asks.at(2).original, kDam);
    EXPECT_NE(reviser.asks.at(1).sample, reviser.asks.at(2).sample);
    EXPECT_FALSE(needs_planner(options));
    EXPECT_TRUE(needs_free_reviser(options));
    // The rules cannot, and say so.
    RulesReviser rules(shipped_rules());
    ScriptedParts others(nullptr, &rules);
    EXPECT_THROW(revise_text(scripted_task(kDam), others.parts, options), Error);
}

TEST(Methods, AnUnusableRevisionKeepsTheLastOne) {
    ScriptedSystem planner(kShortDam);
    ScriptedReviser reviser([](const RevisionRequest& request, size_t number) -> Revised {
        if (number == 1) return {request.text, "unrelated"};
        return add_plus(request, number);
    });
    ScriptedParts all(&planner, &reviser);
    MethodOptions options = method(Method::iter);
    options.rounds = 3;
    const RevisionResult result = revise_text(scripted_task(kDam), all.parts, options);
    EXPECT_THAT(texts_of(result), ElementsAre(kDam + "+", kDam + "+", kDam + "++"));
    EXPECT_EQ(result.rounds.at(1).unusable, "unrelated");
    EXPECT_EQ(but_leniency(result.counted), (HowOften{{"unusable: unrelated", 1}}));
    EXPECT_EQ(result.row()["trace"]["rounds"][1]["unusable"], "unrelated");
}

TEST(Methods, ARevisionThatIsNotUtf8IsNone) {
    const auto broken = [](const RevisionRequest&, size_t) -> Revised { return {"The dam \xff."}; };
    ScriptedReviser reviser(broken);
    ScriptedSystem planner(kShortDam);
    ScriptedParts all(&planner, &reviser);
    MethodOptions sentences = method(Method::direct);
    sentences.by_sentence = true;
    for (const MethodOptions& options : {method(Method::direct), method(Method::plan), sentences}) {
        const RevisionResult result = revise_text(scripted_task(kDam), all.parts, options);
        EXPECT_EQ(result.text, kDam);
        EXPECT_EQ(result.rounds.at(0).unusable, "not_utf8");
        EXPECT_EQ(result.counted.at("unusable: not_utf8"), 1);
    }
}

TEST(Methods, APlannerThatFailsLeavesNoTurnAndSetsNoConditions) {
    ScriptedSystem planner([](const ScriptedSystem::Ask&, size_t number) {
        return number == 0 ? Reply::failed(Failure::timed_out, "no answer in 600 s") : Reply{.text = kShortDam};
    });
    ScriptedReviser reviser(add_plus);
    ScriptedParts all(&planner, &reviser);
    MethodOptions options = method(Method::iter);
    options.rounds = 3;
    const RevisionResult result = revise_text(scripted_task(kDam), all.parts, options);
    EXPECT_THAT(texts_of(result), ElementsAre(kDam, kDam + "+", kDam + "++"));
    EXPECT_EQ(result.rounds.at(0).unusable, "timed_out");
    EXPECT_EQ(but_leniency(result.counted), (HowOften{{"unusable: timed_out", 1}}));
    EXPECT_EQ(planner.asks.at(1).messages.size(), 1u) << "an empty turn would be refused by servers";
    EXPECT_EQ(planner.asks.at(2).messages.size(), 3u);
    EXPECT_THAT(result.calls, ElementsAre("word_count_check(15, \"less than\")"));
    EXPECT_EQ(result.rounds.at(2).conditions.all.size(), 1u);
    EXPECT_EQ(result.cost.calls, 1 + 2) << "what failed was asked for; the scripted planner counts no tokens";

    ScriptedSystem never([](const ScriptedSystem::Ask&, size_t) { return Reply::failed(Failure::declined, "no"); });
    ScriptedParts without(&never, &reviser);
    const RevisionResult none = revise_text(scripted_task(kDam), without.parts, options);
    EXPECT_EQ(none.text, kDam);
    EXPECT_EQ(none.counted, (HowOften{{"unusable: declined", 3}}));
    EXPECT_THAT(none.calls, IsEmpty());
}

TEST(Methods, APlannerThatIsCutOrWritesNothingOfUse) {
    RulesReviser reviser(shipped_rules());
    ScriptedSystem cut([](const ScriptedSystem::Ask&, size_t) {
        return Reply{.text = kAvoidRiver, .status = Reply::Status::cut, .usage = {.new_tokens = 5}};
    });
    ScriptedParts parts(&cut, &reviser);
    for (const Method how : {Method::plan, Method::iter}) {
        cut.asks.clear();
        const RevisionResult found = revise_text(scripted_task(kDam), parts.parts, method(how));
        EXPECT_EQ(found.text, kDam) << "half a plan is none";
        EXPECT_EQ(found.problem(), "cut");
        EXPECT_THAT(found.calls, IsEmpty());
        EXPECT_EQ(found.counted, (HowOften{{"planner: cut", 1}, {"unusable: cut", 1}}));
        EXPECT_EQ(found.rounds.at(0).response, kAvoidRiver) << "what came is told";
        EXPECT_EQ(found.cost.output_tokens, 5) << "and was paid for";
        EXPECT_EQ(cut.asks.size(), 1u) << "it would be cut again";
    }

    ScriptedSystem chat("I cannot help with that.");
    ScriptedParts others(&chat, &reviser);
    const RevisionResult nothing = revise_text(scripted_task(kDam), others.parts, method(Method::plan));
    EXPECT_THAT(nothing.calls, IsEmpty());
    EXPECT_THAT(nothing.rounds.at(0).conditions.all, IsEmpty());

    ScriptedSystem unknown(response_text("letter_count_check(3)\nletter_count_check(3)"));
    ScriptedParts third(&unknown, &reviser);
    const RevisionResult wrong = revise_text(scripted_task(kDam), third.parts, method(Method::plan));
    ASSERT_EQ(wrong.rounds.at(0).conditions.all.size(), 1u) << "each distinct call once";
    EXPECT_FALSE(wrong.rounds.at(0).conditions.all[0].met);
    EXPECT_NE(wrong.rounds.at(0).conditions.all[0].problem, "");
    EXPECT_EQ(wrong.rounds.at(0).conditions.share(), 0);
    EXPECT_EQ(wrong.row()["conditions"][0]["met"], false);
}

TEST(Methods, NamesThatAreToBePreservedAreAConditionMore) {
    // "Agnes" occurs twice; of its occurrences one survives. The call is met: R_c = (1 + .5) / 2.
    const std::string text = "There Agnes came. Then Agnes went.";
    ScriptedSystem planner(response_text("sentence_count_check(2, \"equal\")"));
    ScriptedReviser reviser([](const RevisionRequest&, size_t) -> Revised { return {"There Agnes came. Then she went."}; });
    ScriptedParts all(&planner, &reviser);
    MethodOptions options = method(Method::plan);
    const RevisionResult without = revise_text(scripted_task(text), all.parts, options);
    EXPECT_FALSE(without.rounds.at(0).conditions.preserved);
    options.preserve.names = true;
    const RevisionResult with = revise_text(scripted_task(text), all.parts, options);
    EXPECT_EQ(with.rounds.at(0).conditions.preserved, 0.5);
    EXPECT_EQ(with.rounds.at(0).conditions.share(), 0.75);
    EXPECT_EQ(with.row()["conditions"].back(), Json({{"call", "preserved"}, {"met", false}, {"value", 0.5}}));
    EXPECT_EQ(revise_text(scripted_task("it was so."), all.parts, options).rounds.at(0).conditions.preserved, std::nullopt)
        << "a text without names";
}

// Whom the options name is asked for what is to be preserved, and for what detect_keyword() tells the planner.
TEST(Methods, NamesAreThoseOfTheFinderThatIsGiven) {
    ScriptedSystem planner(response_text("detect_keyword()"));
    ScriptedReviser reviser([](const RevisionRequest&, size_t) -> Revised { return {"It was so."}; });
    ScriptedParts all(&planner, &reviser);
    MethodOptions options = method(Method::iter);
    options.rounds = 2;
    options.preserve.names = true;
    options.preserve.find_names = [](const std::string&) { return std::vector<std::string>{"was"}; };
    const RevisionResult result = revise_text(scripted_task("Ann was in Paris. She was glad."), all.parts, options);
    EXPECT_EQ(result.rounds.at(0).conditions.preserved, 0.5);
    ASSERT_EQ(planner.asks.size(), 2u);
    EXPECT_THAT(planner.asks.back().messages.back().content, HasSubstr("detect_keyword() -> was\n"));
}

TEST(Methods, AReviserThatAnswersTooLittleIsAnError) {
    class Short : public Reviser {
    public:
        std::vector<Revised> revise(const std::vector<RevisionRequest>&) override { return {}; }
        std::string name() const override { return "short"; }
    } reviser;
    ScriptedSystem planner(kShortDam);
    ScriptedParts all(&planner, &reviser);
    EXPECT_THROW(revise_text(scripted_task(kDam), all.parts, method(Method::direct)), Error);
    EXPECT_THROW(revise_text(scripted_task(kDam), all.parts, method(Method::plan)), Error);
}

}  // namespace craft

// A planner's evaluation with a scripted planner and reviser: every mean worked out by hand.
#include "eval/planner_eval.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

// Answers each instruction by its name, which the prompt begins with; the third answer may be cut.
class Script : public System {
public:
    explicit Script(bool cuts = false) : cuts_(cuts) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink&) override {
        EXPECT_EQ(sampling.max_new_tokens, 77);
        std::vector<Reply> replies;
        for (const Request& request : requests) {
            const std::string prompt = request.conversation.messages.at(0).at("content");
            PlannerResponse response;
            response.tools = "text_eval()";
            if (prompt[0] == 'b') response.tools += "\nsentence_count_check(2, 'more than')";
            if (prompt[0] == 'c') response.tools += "\nkeyword_keep_removal_check(\"river\", \"remove\")\nfoo(1)";
            replies.push_back({print_response(response)});
            replies.back().usage.new_tokens = prompt[0];
            if (cuts_ && prompt[0] == 'c') replies.back().status = Reply::Status::cut;
        }
        return replies;
    }
    std::string name() const override { return "script"; }
    Json record(const Request&, const SamplingOptions&) const override { return {}; }

private:
    bool cuts_;
};

class Revisions : public Reviser {
public:
    std::vector<Revised> revise(const std::vector<RevisionRequest>& requests) override {
        std::vector<Revised> out;
        for (const RevisionRequest& request : requests)
            out.push_back({request.original == "One."   ? "Won."
                           : request.original == "Two." ? "One. Two. Three."
                                                        : "The mill closed down early."});
        return out;
    }
    std::string name() const override { return "revisions"; }
};

struct LengthScorer : Scorer {
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override {
        std::vector<double> values;
        for (const ScoredPair& pair : pairs) values.push_back(static_cast<double>(pair.hypothesis.size()));
        return values;
    }
    std::string name() const override { return "length"; }
};

Instruction instruction(const std::string& id, const std::string& text, const std::vector<Constraint>& constraints) {
    Instruction out;
    out.id = out.instruction = id;
    out.text = text;
    out.domain = static_cast<int>(constraints.size());
    out.constraints = constraints;
    for (const Constraint& constraint : constraints) out.gold.push_back(constraint.calls());
    return out;
}

Constraint constraint(Shape shape, int64_t n = 0, const std::string& keyword = "") {
    Constraint out;
    out.shape = shape;
    out.n = n;
    out.keyword = keyword;
    return out;
}

std::vector<Instruction> instructions() {
    return {instruction("a", "One.", {}), instruction("b", "Two.", {constraint(Shape::sentences_more, 2)}),
            instruction("c", "By the river stood a mill.",
                        {constraint(Shape::keyword_remove, 0, "river"), constraint(Shape::words_less, 4)})};
}

EvaluatedItems evaluated(Judge& judge, bool cuts = false) {
    Script script(cuts);
    Revisions reviser;
    return evaluate_items(script, reviser, judge, PromptTemplate("{instruction}: {text}"), instructions(),
                          {.max_new_tokens = 77});
}

// a: nothing is asked for and nothing is checked: 1 everywhere, no S_c; S_a = 50 + 25.
// b: the right call, three sentences: 1 everywhere; S_a = 50 + 25.
// c: of three calls with text_eval() two are right, of three gold ones two are found: tool F1 2/3; without it 1 of 2 and 1
// of
//    2: 1/2. "river" is gone, six tokens are not below four: S_c 1/2; S_a = 50 * 2/3 + 25/2.
TEST(EvaluatePlanner, MeansAreThoseWorkedOutByHand) {
    Judge judge({}, {});
    const EvaluatedItems all = evaluated(judge);
    const std::vector<EvaluatedItem>& items = all.items;
    const PlannerEvaluation got = evaluation_of(instructions(), all);
    EXPECT_EQ(got.overall.items, 3);
    EXPECT_DOUBLE_EQ(got.overall.tool_f1, 8.0 / 9);
    EXPECT_DOUBLE_EQ(got.overall.constraint_f1, 2.5 / 3);
    EXPECT_EQ(got.overall.intervals.at("constraint_f1"), Interval(.5, 1))
        << "all three draws are of the .5 in 1 of 27 resamples";
    EXPECT_EQ(got.overall.intervals.at("exact_match"), Interval(0, 1)) << "likewise of c's 0";
    EXPECT_EQ(got.overall.intervals.at("s_c"), Interval(.5, 1)) << "of two instructions: twice the same in half of all";
    EXPECT_EQ(got.overall.intervals.count("s_r"), 0U) << "no instruction has it";
    EXPECT_DOUBLE_EQ(got.overall.exact_match, 2.0 / 3);
    EXPECT_DOUBLE_EQ(got.overall.s_c.value(), 0.75);  // of the two that have constraints
    EXPECT_FALSE(got.overall.s_r);
    EXPECT_FALSE(got.overall.touched_besides);
    EXPECT_DOUBLE_EQ(got.overall.s_a, (75 + 75 + 100.0 / 3 + 12.5) / 3);
    EXPECT_EQ(got.unusable_calls, 1);
    EXPECT_EQ(got.leniency, (Leniency{{leniency::kSingleQuotes, 1}}));  // of b
    EXPECT_EQ(got.unfinished, 0);
    EXPECT_EQ(got.tokens, 'a' + 'b' + 'c');

    ASSERT_EQ(got.by_domain.size(), 3u);
    EXPECT_FALSE(got.by_domain.at("c0").s_c);
    EXPECT_EQ(got.by_domain.at("c1").items, 1);
    EXPECT_EQ(got.by_domain.at("c1").exact_match, 1);
    EXPECT_DOUBLE_EQ(got.by_domain.at("c2").tool_f1, 2.0 / 3);
    EXPECT_EQ(got.by_domain.at("c2").intervals.at("constraint_f1"), Interval(.5, .5)) << "one instruction";
    EXPECT_DOUBLE_EQ(got.by_domain.at("c2").s_c.value(), 0.5);
    EXPECT_EQ(got.recall_by_shape,
              (std::map<std::string, double>{{"keyword_remove", 1}, {"sentences_more", 1}, {"words_less", 0}}));
    EXPECT_EQ(got.recall_intervals.at("words_less"), Interval(0, 0)) << "of the one instruction that has the shape";
    EXPECT_EQ(got.items.domains, (std::vector<std::string>{"c0", "c1", "c2"}));
    EXPECT_EQ(got.items.values.at("constraint_f1"), (std::vector<std::optional<double>>{1, 1, .5}));
    EXPECT_EQ(got.items.values.at("s_c"), (std::vector<std::optional<double>>{std::nullopt, 1, .5}));

    ASSERT_EQ(items.size(), 3u);
    EXPECT_EQ(items[1].revision, "One. Two. Three.");
    EXPECT_EQ(items[2].unusable_calls, 1);
}

// b's call is found, c's is not: of two instructions an interval is as wide as can be, since both draws are of the same one
// in half of all resamples.
TEST(EvaluatePlanner, AShapesRecallIsThatOfAllItsCalls) {
    const std::vector<Instruction> both = {
        instruction("b", "Two.", {constraint(Shape::sentences_more, 2)}),
        instruction("c", "By the river stood a mill.", {constraint(Shape::sentences_more, 5)})};
    Script script;
    Revisions reviser;
    Judge judge({}, {});
    const PlannerEvaluation got = evaluation_of(
        both, evaluate_items(script, reviser, judge, PromptTemplate("{instruction}: {text}"), both, {.max_new_tokens = 77}));
    EXPECT_EQ(got.recall_by_shape, (std::map<std::string, double>{{"sentences_more", .5}}));
    EXPECT_EQ(got.recall_intervals.at("sentences_more"), Interval(0, 1));
}

// The keys of a row of items.jsonl are the figures' names.
TEST(EvaluatePlanner, FiguresOfItemsAreReadFromTheirRows) {
    ItemFigures figures;
    for (const bool exact : {true, false})
        add_figures(figures, {{"domain", exact ? "c1" : "c2"},
                              {"tool_f1", .75},
                              {"constraint_f1", .5},
                              {"exact_match", exact},
                              {"s_c", Json()},
                              {"s_r", 12.5},
                              {"s_a", 50},
                              {"touched_besides", exact ? Json(2) : Json()},
                              {"only_kept", exact ? Json(false) : Json()},
                              {"response", "r"}});
    EXPECT_EQ(figures.domains, (std::vector<std::string>{"c1", "c2"}));
    EXPECT_EQ(figures.values,
              (std::map<std::string, std::vector<std::optional<double>>>{{"tool_f1", {.75, .75}},
                                                                         {"constraint_f1", {.5, .5}},
                                                                         {"exact_match", {1, 0}},
                                                                         {"s_c", {std::nullopt, std::nullopt}},
                                                                         {"s_r", {12.5, 12.5}},
                                                                         {"s_a", {50, 50}},
                                                                         {"touched_besides", {2, std::nullopt}},
                                                                         {"only_kept", {0, std::nullopt}}}));
}

// What was cut asks for nothing and changes nothing: of c's three gold calls text_eval() alone stands, which is added, so
// that its tool F1 is 1/2 and all else 0; S_a = 50 / 2. a and b as above.
TEST(EvaluatePlanner, AResponseThatWasCutIsNone) {
    Judge judge({}, {});
    const EvaluatedItems all = evaluated(judge, true);
    const std::vector<EvaluatedItem>& items = all.items;
    const PlannerEvaluation got = evaluation_of(instructions(), all);
    EXPECT_EQ(got.unfinished, 1);
    EXPECT_DOUBLE_EQ(got.overall.tool_f1, 2.5 / 3);
    EXPECT_DOUBLE_EQ(got.overall.constraint_f1, 2.0 / 3);
    EXPECT_DOUBLE_EQ(got.overall.s_c.value(), 0.5);
    EXPECT_DOUBLE_EQ(got.overall.s_a, (75 + 75 + 25) / 3.0);
    EXPECT_EQ(got.unusable_calls, 0);
    EXPECT_EQ(items[2].revision, "By the river stood a mill.");
    EXPECT_NE(items[2].response, "") << "what came is told";
    EXPECT_EQ(got.tokens, 'a' + 'b' + 'c');
}

// S_r is a mean over all three revisions, of 4, 16 and 27 bytes.
TEST(EvaluatePlanner, QualityIsAMeanOverAll) {
    Judge judge({}, {{std::make_shared<LengthScorer>(), [](double value, double) { return value; }}});
    const PlannerEvaluation got = evaluation_of(instructions(), evaluated(judge));
    EXPECT_DOUBLE_EQ(got.overall.s_r.value(), (4 + 16 + 27) / 3.0);
    EXPECT_DOUBLE_EQ(got.by_domain.at("c2").s_r.value(), 27);
}

// "Only change" sentence 1 of three: sentences 2 and 3 are gone too, two besides.
TEST(EvaluatePlanner, SentencesTouchedBesidesAreCounted) {
    Script script;
    Revisions reviser;
    Judge judge({}, {});
    Constraint change = constraint(Shape::modify_one);
    change.ids = {1};
    const std::vector<Instruction> some = {instruction("a", "One.", {}), instruction("a", "By it. Of it. To it.", {change})};
    const PlannerEvaluation got =
        evaluate_planner(script, reviser, judge, PromptTemplate("{instruction}: {text}"), some, {.max_new_tokens = 77});
    EXPECT_DOUBLE_EQ(got.overall.touched_besides.value(), 2);  // of the one that says which to change
    EXPECT_DOUBLE_EQ(got.overall.only_kept.value(), 0);
    EXPECT_EQ(to_json(got).at("only_kept"), 0.0);
}

TEST(EvaluatePlanner, SurvivesItsJson) {
    Judge judge({}, {});
    const PlannerEvaluation got = evaluation_of(instructions(), evaluated(judge));
    const Json json = to_json(got);
    EXPECT_TRUE(json.at("by_domain").at("c0").at("s_c").is_null());
    EXPECT_EQ(to_json(planner_evaluation_from_json(json)).dump(), json.dump());
}

// A system that answers less than it is asked has broken its promise.
TEST(EvaluatePlanner, OneReplyEachIsExpected) {
    struct Silent : System {
        std::vector<Reply> answer_into(const std::vector<Request>&, const SamplingOptions&, const ReplySink&) override {
            return {};
        }
        std::string name() const override { return "silent"; }
        Json record(const Request&, const SamplingOptions&) const override { return {}; }
    } silent;
    Revisions reviser;
    Judge judge({}, {});
    EXPECT_THROW(evaluate_planner(silent, reviser, judge, PromptTemplate("{instruction}{text}"), instructions(), {}), Error);
}

}  // namespace
}  // namespace craft

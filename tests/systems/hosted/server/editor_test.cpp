#include "tests/systems/hosted/server/editor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "tests/source.h"
#include "tests/systems/hosted/server/sentence_edits.h"

namespace craft::chat_server {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kText = "It is very late. The road is long, and nobody came. He sang.";

// A prompt of share/prompts with its placeholders filled in.
std::string prompt(const std::string& name, const std::vector<std::pair<std::string, std::string>>& values) {
    std::string text = read_file(test_source() + "/share/prompts/" + name);
    for (const auto& [key, value] : values)
        for (size_t at = text.find("{" + key + "}"); at != std::string::npos; at = text.find("{" + key + "}", at))
            text.replace(at, key.size() + 2, value);
    return text;
}

Json body_with(const std::string& content, const Json& more = Json::object()) {
    Json body = {{"model", "m"}, {"messages", Json::array({{{"role", "user"}, {"content", content}}})}};
    body.update(more);
    return body;
}

std::string answer_to(const std::string& content) {
    return Editor().answer(body_with(content), 0);
}

TEST(SentenceEdits, TightenedIsNeverTheSame) {
    EXPECT_EQ(tightened("It is very late."), "It is late.");
    EXPECT_EQ(tightened("The long road is wide, and nobody came."), "The long road is wide.");
    EXPECT_EQ(tightened("He sang."), "In short, he sang.");
    EXPECT_EQ(tightened("In short, he sang."), "He sang.");
    EXPECT_EQ(tightened("A man sang."), "In short, a man sang.");
    EXPECT_EQ(tightened("I sang."), "In short, I sang.");
    EXPECT_EQ(tightened("The long road is very wide, and nobody came.", 1), "The long road is very wide.");
    EXPECT_EQ(tightened("It is very late.", 2), "In short, it is very late.");
}

TEST(SentenceEdits, PlansOfTheRules) {
    const auto done = [](const std::string& plan) {
        return carried_out({{"It rained, and we left.", plan}, {"Nobody sang.", "keep as it is"}});
    };
    EXPECT_EQ(done("leave it out"), "Nobody sang.");
    EXPECT_EQ(done("split in two"), "It rained. We left. Nobody sang.");
    EXPECT_EQ(done("join with the next sentence"), "It rained, and we left, and nobody sang.");
    EXPECT_EQ(done("make it longer"), "It rained, and we left, as far as anybody there can tell. Nobody sang.");
    EXPECT_EQ(done("replace 'we'"), "It rained, and such a thing left. Nobody sang.");
    EXPECT_EQ(done("replace 'e'"), "In short, it rained, and we left. Nobody sang.") << "no word of its own";
    EXPECT_EQ(done("bring up 'rain' once more"), "It rained, and we left, and rain once more. Nobody sang.");
    EXPECT_EQ(done("Keep it as it is."), "It rained, and we left. Nobody sang.");
    EXPECT_EQ(carried_out({{"It rained.", "keep as it is"}, {"Nobody sang.", "join with the sentence before"}}),
              "It rained, and nobody sang.");
}

TEST(Editor, RevisesByAPlan) {
    const std::string plan =
        "Sentence: \"It is very late.\"; Improvement Plan: \"tighten the wording\"\n"
        "Sentence: \"He said \"no\".\"; Improvement Plan: \"Keep it as it is.\"";
    EXPECT_EQ(answer_to(prompt("reviser.plan.txt", {{"plan", plan}})), "It is late. He said \"no\".");
}

TEST(Editor, RevisesByAnInstruction) {
    const std::vector<std::pair<std::string, std::string>> values = {
        {"instruction", "Tighten it:"}, {"text", kText}, {"original", "-"}};
    const std::string revised = "It is late. In short, the road is long, and nobody came. In short, he sang.";
    EXPECT_EQ(answer_to(prompt("reviser.direct.txt", values)), revised);
    EXPECT_EQ(answer_to(prompt("reviser.again.txt", values)), revised);
    EXPECT_THAT(answer_to(prompt("reviser.cot.txt", values)), HasSubstr("### Revised text:\n" + revised));
    EXPECT_THAT(answer_to(prompt("reviser.free.txt", values)), StartsWith("It is late. In short, the road is long, and"));
}

TEST(Editor, PlaysTheRolesBeside) {
    EXPECT_THAT(answer_to(prompt("rewrite_instruction.txt", {{"instruction", "Use less than 9 words:"}})),
                EndsWith(" Use less than 9 words:"));
    for (const char* aspect : {"fluency", "grammaticality", "coherence"})
        EXPECT_EQ(answer_to(prompt(std::string("feedback.") + aspect + ".txt", {{"text", kText}})),
                  "Original: The road is long, and nobody came.; Suggestion: In short, the road is long, and nobody came.");
    EXPECT_EQ(answer_to(prompt("planner.plan.txt", {{"instruction", "-"}, {"text", "He sang."}})),
              "Sentence: \"He sang.\"; Improvement Plan: \"Keep it as it is.\"");
    EXPECT_THAT(answer_to(prompt("planner.full.txt", {{"instruction", "-"}, {"text", "He sang."}})),
                testing::AllOf(StartsWith("###THOUGHT:"), HasSubstr("text_eval()"), HasSubstr("###PLAN:\nSentence: \"He ")));
    EXPECT_EQ(answer_to(prompt("easy_constraint.style.txt", {{"text", kText}})),
              "The text reads like a notice for visitors.");
}

// The tool calls of its plan for kText, without text_eval().
std::vector<std::string> calls_for(const std::string& request) {
    const std::string response = answer_to(prompt("planner.taught.txt", {{"instruction", request}, {"text", kText}}));
    const std::string before = "###TOOLS:\n```\ntext_eval()\n";
    const size_t begin = response.find(before) + before.size();
    std::istringstream block(response.substr(begin, response.find("```", begin) - begin));
    std::vector<std::string> calls;
    for (std::string line; std::getline(block, line);) calls.push_back(line);
    return calls;
}

TEST(Editor, PlansWithTheCallsOfTheRequest) {
    const std::string words = R"(word_count_check(15, "less than"))",
                      keyword = R"(keyword_keep_removal_check("road", "keep"))",
                      sentences = R"(sentence_count_check(3, "equal"))";
    EXPECT_THAT(calls_for("Improve this text:"), ElementsAre());
    EXPECT_THAT(calls_for("Please polish this text in at most 14 words:"), ElementsAre(words));
    EXPECT_THAT(calls_for("Please polish this text in at most 14 words, and keep 'road':"), ElementsAre(words, keyword));
    const std::string three = "Please polish this text in at most fourteen words. Keep 'road'. Use exactly 3 sentences:";
    EXPECT_THAT(calls_for(three), ElementsAre(words, keyword, sentences));
    const std::string in_other_words = answer_to(prompt("rewrite_instruction.txt", {{"instruction", three}}));
    ASSERT_NE(in_other_words, three);
    EXPECT_THAT(calls_for(in_other_words), ElementsAre(words, keyword, sentences));
    EXPECT_THAT(calls_for("Leave the last sentence as it is:"),
                ElementsAre(R"(sentence_modification_check([3], "unchange"))"));
    EXPECT_THAT(calls_for("Keep 'road'. Please polish this text in about 14 words:"), ElementsAre())
        << "cannot be read with certainty";
}

// Of sentences of 4, 15 and 2 words, it is the second that is long.
TEST(Editor, PlansForTheSentencesThatTheRequestNames) {
    const std::vector<std::string> text = {
        "It is very late.", "The road is long, and nobody came, since the bridge over the river is closed.", "He sang."};
    const auto plans_for = [&](const char* prompt_file, const std::string& request) {
        const std::string answer =
            answer_to(prompt(prompt_file, {{"instruction", request}, {"text", text[0] + " " + text[1] + " " + text[2]}}));
        std::vector<std::string> plans;
        for (const PlannedSentence& planned : planned_sentences(answer)) {
            EXPECT_EQ(planned.sentence, text.at(plans.size()));
            plans.push_back(planned.is_kept() ? "keep" : planned.plan);
        }
        return plans;
    };
    const std::string tighten = "Tighten it and drop what says little.";
    EXPECT_THAT(plans_for("planner.taught.txt", "Improve this text:"), ElementsAre("keep", tighten, "keep"));
    EXPECT_THAT(plans_for("planner.taught.txt", "Change sentences 1 and 3, keep everything else:"),
                ElementsAre(tighten, "keep", tighten));
    EXPECT_THAT(plans_for("planner.plan.txt", "Leave sentence 2 as it is:"), ElementsAre("keep", "keep", "keep"));
}

TEST(Editor, PlansAgainWithTheSameCallsForTheTextAsItIsNow) {
    Json body = body_with(prompt("planner.taught.txt", {{"instruction", "Leave sentence 1 as it is:"}, {"text", kText}}));
    body["messages"].push_back({{"role", "assistant"}, {"content", "-"}});
    body["messages"].push_back({{"role", "user"}, {"content", "###OBSERVATION:\nIt is late. He sang.\ntext_eval() -> 3"}});
    EXPECT_THAT(Editor().answer(body, 0),
                EndsWith("###TOOLS:\n```\ntext_eval()\nsentence_modification_check([1], \"unchange\")\n```\n###PLAN:\n"
                         "Sentence: \"It is late.\"; Improvement Plan: \"Keep it as it is.\"\n"
                         "Sentence: \"He sang.\"; Improvement Plan: \"Keep it as it is.\""));
}

// Sentences of 4 and of 11 words.
TEST(Editor, Judges) {
    const std::string easy = "It is very late.", hard = "It is so late that nobody here can see the road.";
    EXPECT_EQ(answer_to(prompt("pairwise.fluency.txt", {{"source", "-"}, {"a", hard}, {"b", easy}})), "B");
    EXPECT_EQ(answer_to(prompt("pointwise.fluency.txt", {{"source", "-"}, {"candidate", "> " + easy}})), "5");
    EXPECT_EQ(answer_to(prompt("pointwise.grammaticality.txt", {{"source", "-"}, {"candidate", "> " + easy}})), "0");
    EXPECT_EQ(answer_to(prompt("pointwise.overcorrection.txt", {{"source", "-"}, {"candidate", "> " + easy}})), "slight");
    const Json asked = {{"id", "7"}, {"original_input", "-"}, {"output_1", easy}};
    EXPECT_EQ(answer_to(prompt("joint.refinement.txt", {{"input", dump_line(asked)}})),
              R"({"output_1":{"fluency":5,"coherence":5,"consistency":4},"id":"7"})");
    EXPECT_EQ(answer_to(prompt("joint.correction.txt", {{"input", dump_line(asked)}})),
              R"({"output_1":{"semantics":4,"grammaticality":"0","overcorrection":"slight"},"id":"7"})");
    Json ranked = body_with("Source:\n> -\n\nCandidate 0:\n> " + hard + "\n\nCandidate 1:\n> " + easy + "\n\nJudge.");
    EXPECT_EQ(Editor().answer(ranked, 0), "Best: 1, Worst: 0");
    const Json example = {{"role", "assistant"}, {"content", "Fine.\nAspect: Lexical, Best: 0, Worst: 2"}};
    ranked["messages"].insert(ranked["messages"].begin(), example);
    EXPECT_EQ(Editor().answer(ranked, 0), "Aspect: Lexical, Best: 1, Worst: 0");
}

TEST(Editor, AnswersDifferBySeedAtATemperature) {
    const std::string asked =
        prompt("reviser.direct.txt", {{"instruction", "-"}, {"text", "The long road is very wide, and nobody came."}});
    std::set<std::string> answers;
    for (int seed = 0; seed < 20; ++seed)
        answers.insert(Editor().answer(body_with(asked, {{"temperature", .7}, {"seed", seed}}), 0));
    EXPECT_EQ(answers.size(), 3U) << "one for each manner";
    answers.clear();
    for (int seed = 0; seed < 20; ++seed) answers.insert(Editor().answer(body_with(asked, {{"seed", seed}}), 0));
    EXPECT_EQ(answers.size(), 1U) << "greedy";
}

TEST(Editor, MistakesOfEachKindAndNoMoreThanAsked) {
    const std::string plan =
        "Sentence: \"It is very late.\"; Improvement Plan: \"tighten the wording\"\n"
        "Sentence: \"He sang.\"; Improvement Plan: \"Keep it as it is.\"";
    const Json body = body_with(prompt("reviser.plan.txt", {{"plan", plan}}));
    const std::string good = "It is late. He sang.";
    Editor editor({.mistakes = .5});
    std::map<std::string, int64_t> said;
    for (int i = 0; i < 400; ++i) ++said[editor.answer(body, 0)];
    EXPECT_NEAR(static_cast<double>(said[good]), 200, 40);
    EXPECT_EQ(said["Here is what you asked for:\n\n" + good], editor.mistakes().at("prefaced"));
    EXPECT_EQ(said["Here is what you asked for:"], editor.mistakes().at("preface alone"));
    EXPECT_EQ(said["It is very late. In short, he sang."], editor.mistakes().at("off the task"));
    EXPECT_EQ(said.size(), 5U);
    int64_t mistakes = 0;
    for (const auto& [kind, count] : editor.mistakes()) mistakes += count;
    EXPECT_EQ(mistakes + said[good], 400);
    Editor careful;
    for (int i = 0; i < 20; ++i) EXPECT_EQ(careful.answer(body, 0), good);
    EXPECT_TRUE(careful.mistakes().empty());
}

}  // namespace
}  // namespace craft::chat_server

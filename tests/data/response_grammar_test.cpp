// The grammar of a whole response: what print_response() writes, and nothing that its reader would not call well formed.
#include "data/response_grammar.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/files.h"
#include "core/utf8.h"
#include "data/trajectory.h"
#include "tests/source.h"
#include "tests/tools/gbnf_reader.h"
#include "tests/tools/random_sentence.h"
#include "tools/craft/craft_tools.h"
#include "tools/grammar_text.h"

namespace craft {
namespace {

const char* const kResponse =
    "###THOUGHT:\nThe text must shrink.\nTwo sentences stay.\n"
    "###ACTION:\n###TOOLS:\n```\ntext_eval()\nword_count_check(120, \"less than\")\n```\n"
    "###PLAN:\nSentence: \"It was \"late\".\nAnd cold.\"; Improvement Plan: \"Cut \"late\"; keep the rest.\"\n"
    "Sentence: \"Go...\"; Improvement Plan: \"Keep as it is.\"";

// Where the first byte is refused; the text's size where none is, one more where it is a sentence.
size_t taken_of_response(std::string_view text) {
    GrammarState state = response_grammar()->start();
    for (size_t i = 0; i < text.size(); ++i)
        if (!state.advance(static_cast<uint8_t>(text[i]))) return i;
    return text.size() + (state.may_end() ? 1 : 0);
}
bool is_response(std::string_view text) {
    return taken_of_response(text) == text.size() + 1;
}

TEST(ResponseGrammar, TakesWellFormedResponses) {
    EXPECT_TRUE(is_response(kResponse));
    EXPECT_TRUE(is_response(print_response({})));
    PlannerResponse odd;
    odd.thought = "# one\n## two\n\n#";
    odd.tools = "keyword_keep_removal_check(\"\\n###PLAN:\", \"keep\")";
    odd.plan = {{"", ""}, {"\"He said \"no\"; then \"; Improv\" and\n\"\nSen", "\"quoted\""}, {"; Improvement Plan:", "\""}};
    EXPECT_TRUE(parse_response(print_response(odd)).well_formed);
    EXPECT_TRUE(is_response(print_response(odd)));
}

TEST(ResponseGrammar, RefusesWhereTheFormBreaks) {
    const std::string text = kResponse;
    const auto refused_at = [&](const std::string& before, const std::string& wrong) {
        const size_t at = text.find(before) + before.size();
        return taken_of_response(text.substr(0, at) + wrong) == at;
    };
    EXPECT_TRUE(refused_at("###THOUGHT:", " The"));
    EXPECT_EQ(taken_of_response("###THOUGHT:\na\n###ACTION: "), 24u) << "a blank behind the heading";
    EXPECT_EQ(taken_of_response("###THOUGHT:\na\n####"), 17u) << "a heading that is none of ours";
    EXPECT_EQ(taken_of_response("###THOUGHT:\n###"), 14u) << "a heading at once";
    EXPECT_TRUE(refused_at("###TOOLS:\n```", "python\n"));
    EXPECT_TRUE(refused_at("text_eval()\n", "Now for the words\n"));
    EXPECT_TRUE(refused_at("\"less than\")", " "));
    EXPECT_TRUE(refused_at("###PLAN:", " "));
    EXPECT_TRUE(refused_at("###PLAN:\n", "- "));
    EXPECT_TRUE(refused_at("Keep as it is.", "\n"));
    EXPECT_TRUE(is_response(text + " more\"")) << "the quote did not close the plan";
    EXPECT_EQ(taken_of_response(text + "\n###OBSERVATION: done"), text.size() + 1) << "the user's turn";
    EXPECT_EQ(taken_of_response(text + "\n"), text.size() + 1) << "another line would have to follow";
}

TEST(ResponseGrammar, EveryPrefixIsLive) {
    const std::string text = kResponse;
    GrammarState state = response_grammar()->start();
    for (size_t i = 0; i < text.size(); ++i) {
        const bool is_complete = i == text.find("###PLAN:") + 8 || (i > text.find("###PLAN:") && text[i - 1] == '"');
        EXPECT_TRUE(!state.may_end() || is_complete) << i;
        ASSERT_TRUE(state.advance(static_cast<uint8_t>(text[i]))) << i;
    }
    EXPECT_TRUE(state.may_end());
}

// Well-formed responses with all that delimiters can be mixed up with, but for what response_grammar.h leaves out.
TEST(ResponseGrammar, IsAsWideAsTheReader) {
    const std::vector<std::string> pieces = {"a",
                                             "\"",
                                             ";",
                                             "\n",
                                             "#",
                                             "##",
                                             " ",
                                             "Sentence: ",
                                             "\"; Improvement Plan: ",
                                             "; Improv",
                                             "ement Plan: \"",
                                             "\n###",
                                             "\"\n",
                                             "\xC3\xA9",
                                             "```"};
    Rng rng(21, "wide");
    const auto text_of = [&] {
        std::string text;
        for (int64_t i = rng.between(0, 5); i > 0; --i) text += rng.pick(pieces);
        return text;
    };
    int well_formed = 0, others = 0;
    for (int i = 0; i < 30000; ++i) {
        PlannerResponse response;
        response.thought = text_of();
        if (rng.below(2) == 0) response.tools = "text_eval()";
        for (int64_t k = rng.between(0, 2); k > 0; --k) response.plan.push_back({text_of(), text_of()});
        const std::string text = print_response(response);
        const PlannerResponse read = parse_response(text);
        bool left_out = read.thought.starts_with("###");
        for (const PlanLine& line : read.plan)
            left_out = left_out || line.plan.find('\n') != std::string::npos || line.sentence.starts_with("\n###");
        const bool is_read = read.well_formed && !left_out && (read.tools.empty() || read.tools == "text_eval()");
        ASSERT_EQ(is_response(text), is_read) << text;
        (is_read ? well_formed : others) += 1;
    }
    EXPECT_GT(well_formed, 3000);
    EXPECT_GT(others, 3000);
}

TEST(ResponseGrammar, WhatItTakesIsWellFormedAndUsable) {
    const test::RandomSentences sentences(*response_grammar(), "\"\n#`)]0aeiou");
    Rng rng(22, "responses");
    size_t calls = 0, lines = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string text = sentences.next(rng, 3);
        const ParsedResponse response(text);
        ASSERT_TRUE(response.parts.well_formed) << text;
        for (const ParsedCall& call : response.calls.calls) ASSERT_EQ(call.problem, "") << text;
        EXPECT_TRUE(response.calls.ignored.empty() && response.leniency().empty()) << text;
        calls += response.calls.calls.size();
        lines += response.parts.plan.size();
    }
    EXPECT_GT(calls, 60u);
    EXPECT_GT(lines, 100u);
}

TEST(ResponseGrammar, PrintedItSaysTheSame) {
    const test::GbnfReader printed(gbnf_text(response_grammar_rules(craft_tools())));
    const test::RandomSentences sentences(*response_grammar(), "\"\n#`)]0aeiou");
    Rng rng(23, "printed");
    EXPECT_TRUE(printed.accepts(kResponse));
    int refused = 0;
    for (int i = 0; i < 400; ++i) {
        const std::string text = i % 2 == 0 ? kResponse : sentences.next(rng, 2);
        if (text.size() > 3000) continue;
        const std::string changed = test::changed_somewhere(text, rng, "\"\n#;`)a S(0,");
        ASSERT_EQ(printed.accepts(changed), is_response(changed)) << changed;
        refused += is_response(changed) ? 0 : 1;
    }
    EXPECT_GT(refused, 50);
    EXPECT_LT(refused, 390);
}

// What servers are sent, written out for a set of two tools that shows every form; by whoever changes the form on purpose:
// CRAFT_WRITE_EXPECTED=1.
TEST(ResponseGrammar, PrintsAsItStandsInTheFile) {
    using Kind = ArgumentForm::Kind;
    const ToolSet tools({{.name = "score"},
                         {.name = "look_at",
                          .parameters = {{"ids"}, {"word"}, {"count"}, {"kind"}},
                          .forms = {{Kind::ids}, {Kind::text}, {Kind::number}, {Kind::choice, {"all of it", "a part"}}}}});
    const std::string printed = gbnf_text(response_grammar_rules(tools));
    const std::filesystem::path file = std::filesystem::path(test_source()) / "tests/data/grammars/response.gbnf";
    if (std::getenv("CRAFT_WRITE_EXPECTED") != nullptr) write_file_atomic(file, printed);
    EXPECT_EQ(printed, read_file(file));
}

}  // namespace
}  // namespace craft

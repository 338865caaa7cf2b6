// What the rules and the spelling find of the errors in share/gec/dev.jsonl, without a parser: a change of a rule or of a
// list of words that finds less, or marks more of what is correct, is seen here.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/json.h"
#include "tests/source.h"
#include "tests/tools/grammar/grammar_setup.h"
#include "text/words.h"
#include "tools/grammar/error_parsing.h"

namespace craft {
namespace {

class NoParser : public SentenceParser {
public:
    std::vector<ConstituentParse> parse(const std::vector<ParseRequest>& requests) override {
        return std::vector<ConstituentParse>(requests.size(), no_parse());
    }
    static ConstituentParse no_parse() {
        ConstituentParse parse;
        parse.problem = "none is asked for";
        return parse;
    }
};

struct Marked {
    ParsedSentence tree;
    std::vector<ErrorMark> marks;
};

Marked marked(const std::string& sentence) {
    const test::InstalledGrammar& grammar = test::InstalledGrammar::get();
    Marked made{grammar.tree(sentence), {}};
    NoParser parser;
    made.marks = find_errors(made.tree, grammar.spelling().check(made.tree.tokens()), NoParser::no_parse(), grammar.know(),
                             parser, false)
                     .marks;
    return made;
}

// Whether a mark begins within what the correction changes or in a word beside it. Words are apart by single blanks.
bool is_found(const Marked& made, const std::string& source, const std::string& target) {
    const std::vector<std::string> from = whitespace_words(source), to = whitespace_words(target);
    size_t same = 0, same_end = 0;
    while (same < std::min(from.size(), to.size()) && from[same] == to[same]) ++same;
    while (same_end < std::min(from.size(), to.size()) - same &&
           from[from.size() - 1 - same_end] == to[to.size() - 1 - same_end])
        ++same_end;
    std::vector<size_t> begins, ends;
    for (size_t at = 0; const std::string& word : from) {
        begins.push_back(at);
        ends.push_back(at + word.size());
        at += word.size() + 1;
    }
    const size_t begin = begins[same == 0 ? 0 : same - 1], end = ends[std::min(from.size() - same_end, from.size() - 1)];
    return std::any_of(made.marks.begin(), made.marks.end(), [&](const ErrorMark& mark) {
        const size_t at = mark.token < made.tree.size() ? made.tree[mark.token].byte : source.size();
        return begin <= at && at <= end;
    });
}

TEST(ShippedErrors, AreFoundAsWellAsEver) {
    CRAFT_NEEDS_GRAMMAR();
    int64_t wrong = 0, found = 0, correct = 0, marked_correct = 0;
    std::ifstream lines(test_source() + "/share/gec/dev.jsonl");
    for (std::string line; std::getline(lines, line);) {
        const Json pair = parse_json(line, "dev.jsonl");
        const auto source = pair.at("source").get<std::string>(), target = pair.at("target").get<std::string>();
        if (source == target) {
            ++correct;
            if (!marked(source).marks.empty()) ++marked_correct;
            continue;
        }
        ++wrong;
        if (is_found(marked(source), source, target)) ++found;
    }
    EXPECT_EQ(wrong, 250);
    EXPECT_EQ(correct, 50);
    EXPECT_GE(found, 143);
    EXPECT_LE(marked_correct, 2);
}

}  // namespace
}  // namespace craft

// Rules that set parts of speech, features and lemmas from tags, words and labels of arcs.
// Reference: spaCy 3.8, AttributeRuler, with what its English packages use of Matcher patterns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "english/msgpack.h"
#include "english/python_pattern.h"
#include "english/token.h"

namespace craft {

class AttributeRuler {
public:
    // Of the package's file `attribute_ruler/patterns`. Throws Error naming `where` and the rule if it asks for an attribute
    // other than TAG, DEP, LOWER and IS_SPACE, by another predicate than a value, IN, NOT_IN or REGEX, or sets another than
    // TAG, POS, MORPH, LEMMA and DEP.
    AttributeRuler(const MsgpackValue& file, const std::string& where);

    // Later rules have precedence. What a rule looks at is what was there before the first of them.
    void apply(EnglishDocument& document) const;

private:
    struct Condition {
        std::string EnglishToken::*field = nullptr;
        std::vector<std::string> values;       // one of them, ...
        bool is_excluded = false;              // ... or none of them
        std::optional<PythonPattern> pattern;  // or what is found in it
    };
    struct TokenPattern {
        std::vector<Condition> conditions;
        std::optional<bool> is_space;
    };
    using Sequence = std::vector<TokenPattern>;  // of tokens one after the other
    struct Rule {
        std::vector<Sequence> sequences;  // any of them
        std::vector<std::pair<std::string EnglishToken::*, std::string>> settings;
        size_t index = 0;  // of the token within the sequence that they are set on
    };
    static Condition read_condition(const std::string& attribute, const MsgpackValue& value, const std::string& where);
    static TokenPattern read_token(const MsgpackValue& token, const std::string& where);
    static Rule read_rule(const MsgpackValue& rule, const std::string& where);
    static bool matches(const TokenPattern& pattern, const EnglishToken& token);
    static bool matches(const Sequence& sequence, const EnglishDocument& document, size_t at);

    std::vector<Rule> rules_;
};

}  // namespace craft

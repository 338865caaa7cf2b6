// A formal grammar as a table of rules. What is printed for documents and servers (grammar_text.h) and what follows the
// bytes of a text (grammar.h) are both made of the table, so that they cannot differ.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace craft {

struct CodePointRange {
    char32_t first = 0, last = 0;  // both inclusive
};

// Characters, or with `is_complement` all others of Unicode.
struct CharacterSet {
    std::vector<CodePointRange> ranges = {};
    bool is_complement = false;
};

// What stands on the right side of a rule: a tree.
struct GrammarTerm {
    enum class Kind { literal, characters, rule, sequence, choice, repetition };
    Kind kind = Kind::sequence;
    std::string text = {};         // of a literal its UTF-8, of a rule its name
    CharacterSet characters = {};  // one of them
    std::vector<GrammarTerm> parts =
        {};                           // of a sequence in order, of a choice each; of a repetition the one that is repeated
    size_t least = 0;                 // of a repetition
    std::optional<size_t> most = {};  // of a repetition; absent: no bound

    static GrammarTerm literal(std::string text);
    static GrammarTerm one_of(std::string_view ascii);
    static GrammarTerm none_of(std::string_view ascii);
    static GrammarTerm range(char first, char last);
    static GrammarTerm rule(std::string name);
    static GrammarTerm sequence(std::vector<GrammarTerm> parts);
    static GrammarTerm choice(std::vector<GrammarTerm> parts);
    static GrammarTerm repeated(GrammarTerm part, size_t least = 0, std::optional<size_t> most = {});
    static GrammarTerm optional(GrammarTerm part) { return repeated(std::move(part), 0, 1); }
};

struct GrammarRule {
    std::string name;  // of a-z, 0-9 and "-", which every dialect takes
    GrammarTerm body;
};
// The first one is the whole; each other one is used by one before it, so that a text is regular and its state small.
using GrammarRules = std::vector<GrammarRule>;

// Throws std::logic_error on a table that breaks what is said above: no rule, a name twice, of other characters or (but for
// the first) `root`, a rule
// that nobody defines or that is used by itself or a later one, a choice or a set without members.
void check_grammar_rules(const GrammarRules& rules);

// The text after a `delimiter` (its first byte) up to the delimiter that `end` begins with, so that `end` and all of
// `without` stand nowhere in it, not even across its beginning. All begin with the delimiter, which of their other bytes can
// be the last one alone; ASCII. Throws std::logic_error otherwise. The term is one stretch between two delimiters:
// text = delimiter , stretch , { delimiter , stretch }, and then `end`.
GrammarTerm stretch_before(const std::string& end, const std::vector<std::string>& without);

}  // namespace craft

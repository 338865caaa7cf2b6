// A call of one of the eight tools (CRAFT App. E.2) and its normal form.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tools/tool_set.h"

namespace craft {

enum class Relation { less_than, more_than, equal };

struct TextEval {};
struct DetectKeyword {};
struct WordCountCheck {
    int64_t count = 0;
    Relation relation = Relation::equal;
};
struct SentenceCountCheck {
    int64_t count = 0;
    Relation relation = Relation::equal;
};
struct SentenceLengthCheck {
    int64_t length = 0;
    Relation relation = Relation::equal;
};
struct KeywordKeepRemovalCheck {
    std::string keyword;
    bool keep = true;
};
struct KeywordFrequencyCheck {
    std::string keyword;
    int64_t frequency = 0;
    Relation relation = Relation::equal;
};
struct SentenceModificationCheck {
    std::vector<int64_t> sentence_ids;  // from 1
    bool change = false;
    bool short_name = false;  // was written `sentence_check`: only the published scoring tells the two apart
};

// A tool of the set without a type of its own is a BoundCall.
using ToolCall = std::variant<TextEval, DetectKeyword, WordCountCheck, SentenceCountCheck, SentenceLengthCheck,
                              KeywordKeepRemovalCheck, KeywordFrequencyCheck, SentenceModificationCheck, BoundCall>;

// Normal form (docs/definitions.md, Tools): double quotes (a quote or backslash inside is escaped with a backslash), ", "
// between arguments, ids ascending without repeats, `sentence_check` written as `sentence_modification_check`, keyword
// verbatim.
std::string normal_form(const ToolCall& call);
BoundCall bound_form(const ToolCall& call);                   // what is written there, as data
std::string relation_name(Relation relation);                 // "less than", "more than", "equal"
bool holds(int64_t value, Relation relation, int64_t bound);  // relations are strict
bool operator==(const ToolCall& a, const ToolCall& b);        // equal normal forms

}  // namespace craft

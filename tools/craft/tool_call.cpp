#include "tools/craft/tool_call.h"

#include <algorithm>

namespace craft {

namespace {

template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

BoundCall bounded(const std::string& name, int64_t bound, Relation relation) {
    return {name, {bound, relation_name(relation)}};
}

std::vector<ListItem> ascending(std::vector<int64_t> ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return {ids.begin(), ids.end()};
}

}  // namespace

std::string relation_name(Relation relation) {
    switch (relation) {
        case Relation::less_than:
            return "less than";
        case Relation::more_than:
            return "more than";
        case Relation::equal:
            return "equal";
    }
    return "";
}

bool holds(int64_t value, Relation relation, int64_t bound) {
    switch (relation) {
        case Relation::less_than:
            return value < bound;
        case Relation::more_than:
            return value > bound;
        case Relation::equal:
            return value == bound;
    }
    return false;
}

BoundCall bound_form(const ToolCall& call) {
    return std::visit(
        Overloaded{[](const TextEval&) {
                       return BoundCall{"text_eval", {}};
                   },
                   [](const DetectKeyword&) {
                       return BoundCall{"detect_keyword", {}};
                   },
                   [](const WordCountCheck& c) { return bounded("word_count_check", c.count, c.relation); },
                   [](const SentenceCountCheck& c) { return bounded("sentence_count_check", c.count, c.relation); },
                   [](const SentenceLengthCheck& c) { return bounded("sentence_length_check", c.length, c.relation); },
                   [](const KeywordKeepRemovalCheck& c) {
                       return BoundCall{"keyword_keep_removal_check", {c.keyword, std::string(c.keep ? "keep" : "remove")}};
                   },
                   [](const KeywordFrequencyCheck& c) {
                       return BoundCall{"keyword_frequency_check", {c.keyword, c.frequency, relation_name(c.relation)}};
                   },
                   [](const SentenceModificationCheck& c) {
                       return BoundCall{"sentence_modification_check",
                                        {ascending(c.sentence_ids), std::string(c.change ? "change" : "unchange")}};
                   },
                   [](const BoundCall& c) { return c; }},
        call);
}

std::string normal_form(const ToolCall& call) {
    return normal_form(bound_form(call));
}

bool operator==(const ToolCall& a, const ToolCall& b) {
    return normal_form(a) == normal_form(b);
}

}  // namespace craft

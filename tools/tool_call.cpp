#include "tools/tool_call.h"

#include <algorithm>

namespace craft {

namespace {

template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;  // a call stays on one line
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                out.push_back(c);
        }
    }
    return out + "\"";
}

std::string bounded(const std::string& name, int64_t bound, Relation relation) {
    return name + "(" + std::to_string(bound) + ", " + quoted(relation_name(relation)) + ")";
}

std::string id_list(std::vector<int64_t> ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::string out;
    for (int64_t id : ids) out += (out.empty() ? "" : ", ") + std::to_string(id);
    return "[" + out + "]";
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

std::string normal_form(const ToolCall& call) {
    return std::visit(
        Overloaded{[](const TextEval&) { return std::string("text_eval()"); },
                   [](const DetectKeyword&) { return std::string("detect_keyword()"); },
                   [](const WordCountCheck& c) { return bounded("word_count_check", c.count, c.relation); },
                   [](const SentenceCountCheck& c) { return bounded("sentence_count_check", c.count, c.relation); },
                   [](const SentenceLengthCheck& c) { return bounded("sentence_length_check", c.length, c.relation); },
                   [](const KeywordKeepRemovalCheck& c) {
                       return "keyword_keep_removal_check(" + quoted(c.keyword) + ", " + quoted(c.keep ? "keep" : "remove") +
                              ")";
                   },
                   [](const KeywordFrequencyCheck& c) {
                       return "keyword_frequency_check(" + quoted(c.keyword) + ", " + std::to_string(c.frequency) + ", " +
                              quoted(relation_name(c.relation)) + ")";
                   },
                   [](const SentenceModificationCheck& c) {
                       return "sentence_modification_check(" + id_list(c.sentence_ids) + ", " +
                              quoted(c.change ? "change" : "unchange") + ")";
                   }},
        call);
}

bool operator==(const ToolCall& a, const ToolCall& b) {
    return normal_form(a) == normal_form(b);
}

}  // namespace craft

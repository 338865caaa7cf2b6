#include "metrics/edits/token_tags.h"

#include <map>

#include "core/error.h"

namespace craft {

std::string_view part_of_tag(const std::string& tag) {
    static const std::map<std::string, std::string_view, std::less<>> kParts = {
        {"#", "SYM"},       {"$", "SYM"},       {"''", "PUNCT"},  {"\"\"", "PUNCT"}, {"``", "PUNCT"},   {",", "PUNCT"},
        {"-LRB-", "PUNCT"}, {"-RRB-", "PUNCT"}, {".", "PUNCT"},   {":", "PUNCT"},    {"HYPH", "PUNCT"}, {"AFX", "ADJ"},
        {"CC", "CONJ"},     {"CD", "NUM"},      {"DT", "DET"},    {"EX", "PRON"},    {"FW", "X"},       {"IN", "PREP"},
        {"JJ", "ADJ"},      {"JJR", "ADJ"},     {"JJS", "ADJ"},   {"LS", "X"},       {"MD", "VERB"},    {"NIL", "X"},
        {"NN", "NOUN"},     {"NNP", "NOUN"},    {"NNPS", "NOUN"}, {"NNS", "NOUN"},   {"PDT", "DET"},    {"POS", "PART"},
        {"PRP", "PRON"},    {"PRP$", "DET"},    {"RB", "ADV"},    {"RBR", "ADV"},    {"RBS", "ADV"},    {"RP", "PART"},
        {"SYM", "SYM"},     {"TO", "PART"},     {"UH", "INTJ"},   {"VB", "VERB"},    {"VBD", "VERB"},   {"VBG", "VERB"},
        {"VBN", "VERB"},    {"VBP", "VERB"},    {"VBZ", "VERB"},  {"WDT", "DET"},    {"WP", "PRON"},    {"WP$", "DET"},
        {"WRB", "ADV"},     {"SP", "SPACE"},    {"_SP", "SPACE"}, {"BES", "VERB"},   {"HVS", "VERB"},   {"ADD", "X"},
        {"GW", "X"},        {"NFP", "X"},       {"XX", "X"}};
    const auto found = kParts.find(tag);
    if (found == kParts.end()) throw Error("token", "a tag of the Penn Treebank", "\"" + tag + "\"");
    return found->second;
}

std::string_view part_of_dependency(std::string_view label) {
    static const std::map<std::string_view, std::string_view> kParts = {
        {"acomp", "ADJ"}, {"amod", "ADJ"}, {"advmod", "ADV"}, {"det", "DET"},
        {"prep", "PREP"}, {"prt", "PART"}, {"punct", "PUNCT"}};
    const auto found = kParts.find(label);
    return found == kParts.end() ? std::string_view{} : found->second;
}

bool is_rare_part(std::string_view part) {
    return part == "INTJ" || part == "NUM" || part == "SYM" || part == "X";
}

bool is_open_part(std::string_view part) {
    return part == "ADJ" || part == "ADV" || part == "NOUN" || part == "VERB";
}

}  // namespace craft

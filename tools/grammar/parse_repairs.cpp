#include "tools/grammar/parse_repairs.h"

#include <algorithm>
#include <set>

namespace craft {

namespace {

constexpr size_t kMaxTried = 80;   // changes of one sentence
constexpr size_t kReach = 1;       // tokens on either side of one that is left out
constexpr int64_t kMaxWords = 30;  // of a sentence whose changes are tried: longer ones take seconds, and are often correct
constexpr size_t kMaxLeftOut = 3;  // words: where more are left out, one change is not what is wrong
constexpr double kHighestCost = 3.0;  // of a repaired sentence
constexpr double kHigherCost = 1.5;   // that a repair by a rule may have

struct Repair {
    ErrorMark mark;
    double prior = 0;  // what is less likely meant costs more, in link-grammar's units
};

// Function words that may be missing, and how much less likely that is than a repair that needs none.
struct InsertedWord {
    const char* word;
    double prior;
};
constexpr InsertedWord kInserted[] = {{"a", 0.5},  {"the", 0.6}, {"to", 0.6}, {"of", 0.9},
                                      {"is", 1.0}, {"are", 1.2}, {"be", 1.2}};
constexpr const char* kPrepositions[] = {"in", "on", "at", "for", "to", "of", "with", "from", "by", "about"};

class Repairs {
public:
    Repairs(const ParsedSentence& tree, const RuleKnowledge& know) : tree_(tree), know_(know) {}
    std::vector<Repair> near(const std::vector<size_t>& left_out);

private:
    void leave_out(size_t i);
    void other_form(size_t i);
    void other_word(size_t i);
    void insert_before(size_t i);
    void add(MarkKind kind, size_t token, size_t count, const std::string& why, const std::string& word, double prior);

    const ParsedSentence& tree_;
    const RuleKnowledge& know_;
    std::vector<Repair> repairs_;
    std::set<std::tuple<size_t, size_t, std::string>> seen_;
};

void Repairs::add(MarkKind kind, size_t token, size_t count, const std::string& why, const std::string& word, double prior) {
    const std::string in_case = count > 0 && !word.empty() ? in_case_of(word, tree_[token].text) : word;
    if (!seen_.emplace(token, count, in_case).second || (count > 0 && in_case == tree_[token].text)) return;
    ErrorMark mark{kind, token, count, why, {}, MarkEvidence::parse};
    if (!in_case.empty()) mark.suggestions.push_back(in_case);
    repairs_.push_back({std::move(mark), prior});
}

// Of other words the parser too often does without: pronouns, forms of be, and prepositions of phrases that it does not
// know.
void Repairs::leave_out(size_t i) {
    if (tree_.is_lower(i, {"to"}))
        add(MarkKind::redundant, i, 1, "without '" + tree_[i].text + "' the sentence can be parsed", "", 1.0);
}

void Repairs::other_form(size_t i) {
    const std::string why = "in another form the sentence can be parsed";
    const std::string& word = tree_[i].lower;
    const WordForms& forms = know_.forms;
    const auto verb = forms.verb_of(word);
    if (!verb || (tree_[i].text != word && tree_.tag(i).starts_with("NNP"))) return;
    if (*verb == "be") {
        for (const auto& [form, other] : {std::pair("is", "are"),
                                          {"are", "is"},
                                          {"was", "were"},
                                          {"were", "was"},
                                          {"be", "is"},
                                          {"be", "been"},
                                          {"am", "is"}})
            if (word == form) add(MarkKind::substituted, i, 1, why, other, 0.2);
        return;
    }
    // What comes before it says which forms may be meant.
    const bool is_after_base =
        i > 0 && (tree_.is_tag(i - 1, {"MD", "TO"}) || tree_.is_lower(i - 1, {"do", "does", "did", "n't", "not"}));
    const bool is_after_be =
        i > 0 && tree_.is_lower(i - 1, {"is", "are", "was", "were", "be", "been", "am", "has", "have", "had", "being"});
    const bool is_base = word == *verb;
    if (is_after_base && !is_base) add(MarkKind::substituted, i, 1, why, *verb, 0.2);
    if (is_base && is_after_be)
        for (const char* tag : {"VBG", "VBN"}) add(MarkKind::substituted, i, 1, why, forms.form(*verb, tag), 0.3);
    if (is_base && i > 0 && tree_.tag(i - 1) == "IN") add(MarkKind::substituted, i, 1, why, forms.form(*verb, "VBG"), 0.5);
    if (is_base && tree_.is_tag(i, {"VBP", "VB"})) add(MarkKind::substituted, i, 1, why, forms.form(*verb, "VBZ"), 0.3);
    if (tree_.tag(i) == "VBZ") add(MarkKind::substituted, i, 1, why, *verb, 0.3);
}

void Repairs::other_word(size_t i) {
    const std::string why = "with another word the sentence can be parsed";
    static const std::vector<std::vector<std::string>> kSets = {{"this", "these"},
                                                                {"that", "those"},
                                                                {"much", "many"},
                                                                {"there", "their"},
                                                                {"he", "him", "his"},
                                                                {"she", "her"},
                                                                {"they", "them", "their"},
                                                                {"i", "me", "my"},
                                                                {"we", "us", "our"},
                                                                {"another", "other"},
                                                                {"every", "all"},
                                                                // Words of one sound, or nearly so.
                                                                {"of", "off"},
                                                                {"where", "were", "wear"},
                                                                {"here", "hear"},
                                                                {"new", "knew"},
                                                                {"weather", "whether"},
                                                                {"loose", "lose"},
                                                                {"quiet", "quite"},
                                                                {"which", "witch"},
                                                                {"to", "too"},
                                                                {"then", "than"},
                                                                {"its", "it's"},
                                                                {"whole", "hole"},
                                                                {"won", "one"},
                                                                {"week", "weak"},
                                                                {"know", "now"},
                                                                {"by", "buy"},
                                                                {"past", "passed"},
                                                                {"peace", "piece"}};
    for (const auto& set : kSets)
        if (std::find(set.begin(), set.end(), tree_[i].lower) != set.end())
            for (const std::string& word : set) add(MarkKind::substituted, i, 1, why, word == "i" ? "I" : word, 0.6);
    if (tree_.is_tag(i, {"IN", "TO"}))
        for (const char* word : kPrepositions) add(MarkKind::substituted, i, 1, why, word, 1.2);
}

void Repairs::insert_before(size_t i) {
    if (i < tree_.size() && tree_.is_tag(i, {",", ";", ":", "''", "-RRB-"})) return;
    for (const InsertedWord& one : kInserted)
        add(MarkKind::missing, i, 0, "with '" + std::string(one.word) + "' here the sentence can be parsed", one.word,
            one.prior);
}

std::vector<Repair> Repairs::near(const std::vector<size_t>& left_out) {
    std::vector<size_t> order;  // of tokens, those that are left out first
    for (size_t distance = 0; distance <= kReach; ++distance)
        for (const size_t at : left_out)
            for (const size_t i : {at - distance, at + distance})
                if (i < tree_.size() && std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
    for (const size_t i : order) {
        if (tree_[i].is_space || tree_[i].pos == "PUNCT") continue;
        other_form(i);
        leave_out(i);
        other_word(i);
        insert_before(i);
    }
    return std::move(repairs_);
}

}  // namespace

bool is_better_parse(const ConstituentParse& changed, const ConstituentParse& before) {
    if (!changed.problem.empty()) return false;
    return changed.left_out < before.left_out || (changed.left_out == before.left_out && changed.cost < before.cost - 0.5);
}

bool is_no_worse_parse(const ConstituentParse& changed, const ConstituentParse& before) {
    if (!changed.problem.empty()) return false;
    return changed.left_out < before.left_out ||
           (changed.left_out == before.left_out && changed.cost <= before.cost + kHigherCost);
}

std::vector<ErrorMark> borne_out_by_parse(const std::vector<ErrorMark>& marks, const EnglishDocument& tokens,
                                          const ConstituentParse& parse, SentenceParser& parser) {
    if (!parse.problem.empty() || marks.empty()) return marks;
    std::vector<ParseRequest> requests;
    for (const ErrorMark& mark : marks) requests.push_back({parse_text(repaired_words(mark, tokens)).text, parse.left_out});
    const std::vector<ConstituentParse> changed = parser.parse(requests);
    std::vector<ErrorMark> kept;
    for (size_t i = 0; i < marks.size(); ++i)
        if (changed[i].problem == "worker" || is_no_worse_parse(changed[i], parse)) kept.push_back(marks[i]);
    return kept;
}

std::vector<ErrorMark> marks_by_repair(const ParsedSentence& tree, const RuleKnowledge& know, const ConstituentParse& parse,
                                       const ParseText& text, SentenceParser& parser) {
    if (!parse.problem.empty() || parse.left_out == 0 || parse.words > kMaxWords) return {};
    const std::vector<size_t> left_out = left_out_tokens(parse, text);
    if (left_out.size() > kMaxLeftOut) return {};
    std::vector<Repair> repairs = Repairs(tree, know).near(left_out);
    if (repairs.size() > kMaxTried) repairs.resize(kMaxTried);
    std::vector<ParseRequest> requests;
    for (const Repair& repair : repairs)
        requests.push_back({parse_text(repaired_words(repair.mark, tree.tokens())).text, 0});
    const std::vector<ConstituentParse> changed = parser.parse(requests);
    const Repair* best = nullptr;
    double best_cost = kHighestCost;
    for (size_t i = 0; i < repairs.size(); ++i) {
        const double cost = changed[i].cost + repairs[i].prior;
        if (!changed[i].problem.empty() || changed[i].left_out > 0 || cost >= best_cost) continue;
        best = &repairs[i];
        best_cost = cost;
    }
    if (best == nullptr) return {};
    return {best->mark};
}

}  // namespace craft

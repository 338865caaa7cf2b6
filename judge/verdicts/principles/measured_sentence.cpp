#include "judge/verdicts/principles/measured_sentence.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "core/ascii.h"
#include "text/words.h"

namespace craft {

namespace {

bool is_one_of(const std::string& text, const std::set<std::string>& set) {
    return set.contains(text);
}

const std::set<std::string>& name_kinds() {
    static const std::set<std::string> kinds = {"PERSON", "ORG",     "GPE",         "LOC", "FAC",
                                                "NORP",   "PRODUCT", "WORK_OF_ART", "LAW", "EVENT"};
    return kinds;
}

const std::set<std::string>& clause_arcs() {
    static const std::set<std::string> arcs = {"advcl", "relcl", "acl", "ccomp", "csubj", "csubjpass", "pcomp"};
    return arcs;
}

bool has_meaning(const EnglishToken& token) {
    static const std::set<std::string> kinds = {"NOUN", "VERB", "ADJ", "ADV", "PROPN", "NUM"};
    // Adverbs that only bind or grade say little by themselves.
    static const std::set<std::string> light = {"also",  "very", "so",  "too", "then", "there", "here", "just", "when",
                                                "where", "how",  "why", "not", "more", "most",  "as",   "even", "only"};
    return kinds.contains(token.pos) && !(token.pos == "ADV" && light.contains(token.lower));
}

bool has_letter_or_digit(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c >= 0x80; });
}

// The verb of a main clause, of another one that is joined to it, or of one that says when, why or what. Relative clauses
// and participles tell details, which may go.
bool heads_statement(const EnglishDocument& all, const EnglishToken& token) {
    static const std::set<std::string> statements = {"advcl", "ccomp", "csubj", "csubjpass"};
    if (token.dep == "ROOT") return true;
    const bool is_verb = token.pos == "VERB" || token.pos == "AUX";
    return is_verb && (is_one_of(token.dep, statements) || (token.dep == "conj" && all[token.head].dep == "ROOT"));
}

// Who does what: the verb of a statement, its subject and its objects.
bool holds_sentence(const EnglishDocument& all, const EnglishToken& token) {
    static const std::set<std::string> roles = {"nsubj", "nsubjpass", "dobj", "obj", "attr", "acomp", "dative"};
    if (heads_statement(all, token)) return token.pos != "AUX";
    return is_one_of(token.dep, roles) && heads_statement(all, all[token.head]);
}

std::string bare(const std::string& lower) {
    size_t begin = 0, end = lower.size();
    const auto is_mark = [](unsigned char c) { return c < 0x80 && !std::isalnum(c); };
    while (begin < end && is_mark(static_cast<unsigned char>(lower[begin]))) ++begin;
    while (end > begin && is_mark(static_cast<unsigned char>(lower[end - 1]))) --end;
    return lower.substr(begin, end - begin);
}

class WordMeasure {
public:
    WordMeasure(const EnglishDocument& document, const std::function<double(std::string_view)>& difficulty, double hard_from)
        : document_(document), difficulty_(difficulty), hard_from_(hard_from) {}

    // Of the tokens [begin, end), which stand between two blanks.
    JudgedWord word(size_t begin, size_t end) const {
        JudgedWord word;
        const EnglishToken* chief = nullptr;
        for (size_t i = begin; i < end; ++i) {
            const EnglishToken& token = document_[i];
            word.text += token.lower;
            if (token.dep == "neg") word.is_negation = true;
            if (!has_letter_or_digit(token.text)) continue;
            if (!chief || (has_meaning(token) && !has_meaning(*chief))) chief = &token;
        }
        word.text = bare(word.text);
        if (chief) describe(*chief, word);
        return word;
    }

private:
    void describe(const EnglishToken& chief, JudgedWord& word) const {
        word.lemma = ascii_lower(chief.lemma);
        word.pos = chief.pos;
        word.is_content = has_meaning(chief);
        word.is_name =
            word.is_content && (chief.pos == "PROPN" || (is_one_of(chief.entity, name_kinds()) && chief.pos != "NUM"));
        word.is_number = chief.pos == "NUM";
        word.is_important = word.is_number || (word.is_content && holds_sentence(document_, chief));
        if (!word.is_content || word.is_name || word.is_number) return;
        word.difficulty = std::min(difficulty_(chief.lower), difficulty_(word.lemma));
        word.is_hard = word.difficulty >= hard_from_;
    }

    const EnglishDocument& document_;
    const std::function<double(std::string_view)>& difficulty_;
    double hard_from_;
};

// The tokens [begin, end) are one sentence.
class StructureMeasure {
public:
    StructureMeasure(const EnglishDocument& document, size_t begin, size_t end)
        : document_(document), begin_(begin), end_(end) {}

    StructureFigures figures(std::vector<std::string>& shape) {
        for (size_t i = begin_; i < end_; ++i) {
            if (has_letter_or_digit(document_[i].text)) ++figures_.words;
            figures_.depth = std::max(figures_.depth, depth(i));
            count_arc(i, shape);
        }
        opening();
        return figures_;
    }

private:
    void count_arc(size_t i, std::vector<std::string>& shape) {
        const EnglishToken& token = document_[i];
        if (token.dep == "ROOT") root_ = i;
        if (is_one_of(token.dep, clause_arcs())) {
            ++figures_.clauses;
            shape.push_back(token.dep);
        } else if (token.dep == "appos") {
            ++figures_.appositions;
            shape.push_back(token.dep);
        } else if (token.dep == "nsubjpass" || token.dep == "csubjpass") {
            ++figures_.passives;
            shape.push_back("passive");
        } else if (token.dep == "conj" && (token.pos == "VERB" || token.pos == "AUX")) {
            shape.push_back("conj");
        }
        if ((token.dep == "nsubj" || token.dep == "nsubjpass") && token.head > i + kParted) ++figures_.interrupted;
        if (token.morph.find("VerbForm=Fin") != std::string::npos || token.tag == "MD") figures_.has_finite_verb = true;
    }

    void opening() {
        if (!root_) return;
        figures_.before_verb = words_before(*root_);
        for (size_t i = begin_; i < end_; ++i)
            if (document_[i].head == *root_ && document_[i].dep.starts_with("nsubj")) {
                size_t first = i;
                while (first > begin_ && is_within(first - 1, i)) --first;
                figures_.opening = words_before(first);
                return;
            }
    }

    bool is_within(size_t i, size_t above) const {
        for (int steps = 0; steps < 200 && document_[i].head != i; ++steps) {
            if (i == above) return true;
            i = document_[i].head;
        }
        return i == above;
    }

    int64_t words_before(size_t token) const {
        int64_t count = 0;
        for (size_t i = begin_; i < token; ++i) count += has_letter_or_digit(document_[i].text) ? 1 : 0;
        return count;
    }

    int64_t depth(size_t i) const {
        int64_t steps = 0;
        for (; document_[i].head != i && steps < 200; ++steps) i = document_[i].head;
        return steps;
    }

    static constexpr size_t kParted = 4;
    const EnglishDocument& document_;
    size_t begin_, end_;
    std::optional<size_t> root_;
    StructureFigures figures_;
};

}  // namespace

// Each clause, apposition and interruption is one more thing to hold in mind; a passive and a long way to the subject are
// less; length counts after 15 words.
double StructureFigures::hardness() const {
    return 1.0 * static_cast<double>(clauses) + 1.0 * static_cast<double>(interrupted) +
           0.5 * static_cast<double>(appositions) + 0.5 * static_cast<double>(passives) + (opening >= 6 ? 0.5 : 0) +
           std::max(0.0, static_cast<double>(words - 15) / 10) + std::max(0.0, static_cast<double>(depth - 6) * 0.2);
}

double MeasuredSentence::hardness() const {
    double most = 0;
    for (const StructureFigures& one : sentences) most = std::max(most, one.hardness());
    return most;
}

int64_t MeasuredSentence::longest() const {
    int64_t most = 0;
    for (const StructureFigures& one : sentences) most = std::max(most, one.words);
    return most;
}

MeasuredSentence measure_sentence(const std::string& text, const EnglishDocument& document,
                                  const std::function<double(std::string_view)>& difficulty, double hard_from) {
    MeasuredSentence measured;
    const WordMeasure words(document, difficulty, hard_from);
    size_t from = 0, token = 0;
    for (const std::string& word : whitespace_words(text)) {
        const size_t ends = text.find(word, from) + word.size();
        const size_t begin = token;
        while (token < document.size() && document[token].byte < ends) ++token;
        measured.words.push_back(words.word(begin, token));
        from = ends;
    }
    for (size_t begin = 0; begin < document.size();) {
        size_t end = begin + 1;
        while (end < document.size() && !document[end].sentence_start) ++end;
        const StructureFigures figures = StructureMeasure(document, begin, end).figures(measured.shape);
        if (figures.words > 0) measured.sentences.push_back(figures);
        begin = end;
    }
    return measured;
}

}  // namespace craft

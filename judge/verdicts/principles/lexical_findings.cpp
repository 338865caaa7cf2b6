#include "judge/verdicts/principles/lexical_findings.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

namespace craft {

namespace {

struct LinkedWord {
    size_t place = 0;
    double similarity = 1;  // 1 where the aligner does not say
};

// Words of either side and where they are met on the other one.
class WordComparison {
public:
    WordComparison(const MeasuredSentence& source, const MeasuredSentence& candidate, const WordAlignment& alignment,
                   const LexicalLimits& limits)
        : source_(source.words),
          candidate_(candidate.words),
          limits_(limits),
          of_source_(source_.size()),
          of_candidate_(candidate_.size()) {
        if (alignment.source.size() != source_.size() || alignment.candidate.size() != candidate_.size())
            throw std::invalid_argument("lexical_findings: an alignment of other words");
        for (size_t i = 0; i < alignment.links.size(); ++i) {
            const auto& [from, to] = alignment.links[i];
            const double similarity = i < alignment.similarity.size() ? alignment.similarity[i] : 1;
            of_source_.at(from).push_back({to, similarity});
            of_candidate_.at(to).push_back({from, similarity});
        }
        // Words in one place that are as alike as linked ones have to be: aligners leave out some of those that a few words
        // stand for ("confiscated", "taken away").
        for (const auto& [from, to, similarity] : alignment.unlinked)
            if (similarity >= limits.min_similarity && has_kin(source_.at(from)) && has_kin(candidate_.at(to))) {
                of_source_.at(from).push_back({to, similarity});
                of_candidate_.at(to).push_back({from, similarity});
            }
        for (const JudgedWord& word : source_) ++source_lemmas_[word.lemma];
        for (const JudgedWord& word : candidate_) {
            ++candidate_lemmas_[word.lemma];
            candidate_texts_.insert(word.text);
        }
    }

    PrincipleFindings findings() {
        for (size_t i = 0; i < source_.size(); ++i) look_at_source(i);
        for (size_t i = 0; i < candidate_.size(); ++i) look_at_added(i);
        look_at_negations();
        return std::move(findings_);
    }

private:
    void found(Principle principle, const std::string& from, const std::string& to) {
        findings_.push_back({principle, from, to});
    }

    // Names and numbers have no words that say nearly the same.
    static bool has_kin(const JudgedWord& word) { return word.is_content && !word.is_name && !word.is_number; }

    static bool has_digit(const std::string& text) {
        return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    }

    // "12" and "twelve" may be one number, "12" and "15" are two.
    void look_at_number(size_t i) {
        const std::string& text = source_[i].text;
        if (candidate_texts_.contains(text)) return;
        if (of_source_[i].empty()) return found(Principle::important_deleted, text, "");
        for (const LinkedWord& link : of_source_[i])
            if (const JudgedWord& other = candidate_[link.place]; !has_digit(text) || !has_digit(other.text)) return;
        found(Principle::meaning_changed, text, candidate_[of_source_[i].front().place].text);
    }

    void look_at_source(size_t i) {
        const JudgedWord& word = source_[i];
        if (word.is_name) {
            if (!candidate_texts_.contains(word.text) && !has_possessive(word.text))
                found(Principle::name_lost, word.text, "");
            return;
        }
        if (word.is_number) return look_at_number(i);
        if (!word.is_content) return;
        if (candidate_lemmas_.contains(word.lemma)) {
            if (word.is_hard) found(Principle::hard_kept, word.text, "");
            return;
        }
        const std::vector<LinkedWord> others = content_links(of_source_[i]);
        others.empty() ? look_at_deleted(word) : look_at_replaced(word, others);
    }

    // The words with a meaning of their own that stand in its place; a word that the source has too is not its replacement.
    std::vector<LinkedWord> content_links(const std::vector<LinkedWord>& links) const {
        std::vector<LinkedWord> kept;
        for (const LinkedWord& link : links)
            if (const JudgedWord& other = candidate_[link.place]; other.is_content && !source_lemmas_.contains(other.lemma))
                kept.push_back(link);
        return kept;
    }

    void look_at_replaced(const JudgedWord& word, const std::vector<LinkedWord>& others) {
        std::string words;
        double hardest = 0, likest = -1;
        bool is_name = false;
        for (const LinkedWord& link : others) {
            const JudgedWord& other = candidate_[link.place];
            words += (words.empty() ? "" : " ") + other.text;
            hardest = std::max(hardest, other.difficulty);
            likest = std::max(likest, link.similarity);
            is_name = is_name || other.is_name;
        }
        if (likest < limits_.min_similarity || is_name)
            found(Principle::meaning_changed, word.text, words);
        else if (hardest + limits_.margin <= word.difficulty)
            found(word.is_hard ? Principle::easier_for_hard : Principle::easier_for_easy, word.text, words);
        else if (hardest >= word.difficulty + limits_.margin)
            found(Principle::harder_word, word.text, words);
        else if (word.is_hard)
            found(Principle::hard_kept, word.text, words);
    }

    void look_at_deleted(const JudgedWord& word) {
        if (word.is_important)
            found(Principle::important_deleted, word.text, "");
        else
            found(word.is_hard ? Principle::hard_deleted : Principle::easy_deleted, word.text, "");
    }

    void look_at_added(size_t i) {
        const JudgedWord& word = candidate_[i];
        if (!word.is_content || source_lemmas_.contains(word.lemma)) return;
        if (word.is_name) {
            // Written in capitals at the beginning of a sentence a word may be taken for a name.
            if (!source_has_text(word.text) && of_candidate_[i].empty()) found(Principle::meaning_changed, "", word.text);
            return;
        }
        if (word.is_hard && content_sources(of_candidate_[i]).empty()) found(Principle::hard_added, "", word.text);
    }

    std::vector<size_t> content_sources(const std::vector<LinkedWord>& links) const {
        std::vector<size_t> kept;
        for (const LinkedWord& link : links)
            if (source_[link.place].is_content && !candidate_lemmas_.contains(source_[link.place].lemma))
                kept.push_back(link.place);
        return kept;
    }

    // A sentence that denies what its source says, or no longer denies it, says something else, unless the other words
    // make up for it ("was not able to" and "failed to", "not lawful" and "unlawful").
    void look_at_negations() {
        const auto denies = [](const std::vector<JudgedWord>& words) {
            return std::any_of(words.begin(), words.end(), [](const JudgedWord& word) { return word.is_negation; });
        };
        const bool source = denies(source_), candidate = denies(candidate_);
        if (source == candidate) return;
        if (!makes_up(source ? candidate_ : source_, source ? source_lemmas_ : candidate_lemmas_))
            found(Principle::meaning_changed, source ? "not" : "", source ? "" : "not");
    }

    static bool makes_up(const std::vector<JudgedWord>& words, const std::map<std::string, int>& lemmas_of_other_side) {
        static const std::set<std::string> denials = {"no",      "never",  "none",   "without", "nobody",  "nothing",
                                                      "neither", "nor",    "fail",   "lack",    "refuse",  "unable",
                                                      "few",     "little", "hardly", "rarely",  "avoid",   "reject",
                                                      "deny",    "stop",   "forbid", "ban",     "prevent", "cannot"};
        return std::any_of(words.begin(), words.end(), [&](const JudgedWord& word) {
            if (lemmas_of_other_side.contains(word.lemma)) return false;
            for (const char* prefix : {"un", "in", "im", "dis", "non", "ir", "il"})
                if (word.is_content && word.lemma.starts_with(prefix) && word.lemma.size() > 5) return true;
            return denials.contains(word.lemma);
        });
    }

    bool has_possessive(const std::string& name) const {
        const std::string stem = name.ends_with("'s") ? name.substr(0, name.size() - 2)
                                                      : (name.ends_with("s") ? name.substr(0, name.size() - 1) : name);
        return std::any_of(candidate_texts_.begin(), candidate_texts_.end(), [&](const std::string& text) {
            return text == stem || text == stem + "'s" || text == stem + "\u2019s" || text == stem + "s";
        });
    }

    bool source_has_text(const std::string& text) const {
        return std::any_of(source_.begin(), source_.end(), [&](const JudgedWord& word) { return word.text == text; });
    }

    const std::vector<JudgedWord>& source_;
    const std::vector<JudgedWord>& candidate_;
    const LexicalLimits& limits_;
    std::vector<std::vector<LinkedWord>> of_source_, of_candidate_;
    std::map<std::string, int> source_lemmas_, candidate_lemmas_;
    std::set<std::string> candidate_texts_;
    PrincipleFindings findings_;
};

}  // namespace

PrincipleFindings lexical_findings(const MeasuredSentence& source, const MeasuredSentence& candidate,
                                   const WordAlignment& alignment, const LexicalLimits& limits) {
    return WordComparison(source, candidate, alignment, limits).findings();
}

double difficulty_drop(const MeasuredSentence& source, const MeasuredSentence& candidate) {
    const auto mean = [](const MeasuredSentence& sentence) {
        double sum = 0;
        int64_t count = 0;
        for (const JudgedWord& word : sentence.words)
            if (word.is_content && !word.is_name && !word.is_number) {
                sum += word.difficulty;
                ++count;
            }
        return count > 0 ? sum / static_cast<double>(count) : 0;
    };
    return mean(source) - mean(candidate);
}

}  // namespace craft

#include "rollout/rules/goals.h"

#include <algorithm>
#include <cmath>

#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

int64_t occurrences(const std::string& text, const std::string& keyword) {
    int64_t count = 0;
    if (keyword.empty()) return 0;
    for (size_t at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at + keyword.size())) ++count;
    return count;
}

int64_t miss(int64_t value, int64_t n, Relation relation) {
    if (relation == Relation::less_than) return std::max<int64_t>(0, value - n + 1);
    if (relation == Relation::more_than) return std::max<int64_t>(0, n + 1 - value);
    return std::abs(value - n);
}

}  // namespace

Goals::Goals(const std::vector<ToolCall>& calls, const std::string& original, SentenceRule rule)
    : originals_(split_sentences(original, rule)) {
    const auto add = [&](Goal goal) {
        needs_words_ |= goal.kind == Goal::Kind::words;
        needs_lower_ |= goal.kind == Goal::Kind::keyword;
        goals_.push_back(std::move(goal));
    };
    for (const auto& call : calls) {
        if (const auto* words = std::get_if<WordCountCheck>(&call))
            add({Goal::Kind::words, words->relation, words->count, "", 0, 1, 1, ""});
        if (const auto* count = std::get_if<SentenceCountCheck>(&call))
            add({Goal::Kind::sentences, count->relation, count->count, "", 0, 1, 1, ""});
        if (const auto* length = std::get_if<SentenceLengthCheck>(&call))
            add({Goal::Kind::length, length->relation, length->length, "", 0, 1, 1, ""});
        if (const auto* keyword = std::get_if<KeywordKeepRemovalCheck>(&call)) {
            const std::string lower = lowercase(keyword->keyword);
            const int64_t n = keyword->keep ? occurrences(lowercase(original), lower) : 0;
            add({Goal::Kind::keyword, Relation::equal, n, lower, 0, 1, 1, keyword->keyword});
        }
        if (const auto* keyword = std::get_if<KeywordFrequencyCheck>(&call))
            add({Goal::Kind::keyword, keyword->relation, keyword->frequency, lowercase(keyword->keyword), 0, 1, 1,
                 keyword->keyword});
        if (const auto* check = std::get_if<SentenceModificationCheck>(&call))
            for (const int64_t id : check->sentence_ids)
                if (id >= 1 && id <= static_cast<int64_t>(originals_.size()))
                    add({check->change ? Goal::Kind::change : Goal::Kind::keep, Relation::equal, 0,
                         bare_sentence(originals_[static_cast<size_t>(id - 1)]), id, 1, 1, ""});
    }
}

Counts Goals::measure(const std::string& sentence) const {
    Counts counts(goals_.size() + 2, 0);
    counts[0] = 1;
    if (needs_words_) counts[1] = static_cast<int32_t>(count_treebank_tokens(sentence));
    const std::string lower = needs_lower_ ? lowercase(sentence) : "";
    int64_t length = -1;
    for (size_t i = 0; i < goals_.size(); ++i) {
        const Goal& goal = goals_[i];
        int64_t value = 0;
        if (goal.kind == Goal::Kind::length) {
            if (length < 0) length = count_whitespace_words(bare_sentence(sentence));
            value = miss(length, goal.n, goal.relation);
        } else if (goal.kind == Goal::Kind::keyword) {
            value = occurrences(lower, goal.text);
        } else if (goal.kind == Goal::Kind::keep || goal.kind == Goal::Kind::change) {
            value = sentence.find(goal.text) != std::string::npos ? 1 : 0;
        }
        counts[i + 2] = static_cast<int32_t>(value);
    }
    return counts;
}

int64_t Goals::distance(size_t i, const Counts& totals) const {
    const Goal& goal = goals_[i];
    const int64_t value = totals[i + 2];
    switch (goal.kind) {
        case Goal::Kind::words:
            return miss(totals[1], goal.n, goal.relation);
        case Goal::Kind::sentences:
            return miss(totals[0], goal.n, goal.relation);
        case Goal::Kind::length:
            return value;
        case Goal::Kind::keyword:
            return miss(value, goal.n, goal.relation);
        case Goal::Kind::keep:
            return value > 0 ? 0 : 1;
        case Goal::Kind::change:
            return value;
    }
    return 0;
}

void Goals::set_scales(const Counts& totals) {
    for (size_t i = 0; i < goals_.size(); ++i) {
        double least = 1;
        if (goals_[i].kind == Goal::Kind::words) least = std::max(5.0, 0.05 * totals[1]);
        if (goals_[i].kind == Goal::Kind::length) least = 8;
        if (goals_[i].kind == Goal::Kind::sentences) least = 2;
        goals_[i].scale = std::max(least, static_cast<double>(distance(i, totals)));
    }
}

double Goals::violation(const Counts& totals) const {
    double sum = 0;
    for (size_t i = 0; i < goals_.size(); ++i)
        if (const int64_t d = distance(i, totals); d > 0)
            sum += goals_[i].weight * (0.5 + static_cast<double>(d) / goals_[i].scale);
    return sum;
}

int64_t Goals::unmet(const Counts& totals) const {
    int64_t n = 0;
    for (size_t i = 0; i < goals_.size(); ++i) n += distance(i, totals) > 0 ? 1 : 0;
    return n;
}

void Goals::raise_unmet(const Counts& totals, double factor) {
    for (size_t i = 0; i < goals_.size(); ++i)
        if (distance(i, totals) > 0) goals_[i].weight *= factor;
}

void Goals::reset_weights() {
    for (auto& goal : goals_) goal.weight = 1;
}

}  // namespace craft

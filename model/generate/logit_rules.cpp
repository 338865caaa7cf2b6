#include "model/generate/logit_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "core/error.h"
#include "core/json.h"

namespace craft {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

void check_tokens(const char* name, const std::vector<int64_t>& tokens, int64_t vocabulary) {
    for (const int64_t token : tokens)
        if (token < 0 || token >= vocabulary)
            throw Error(name, "token ids below the vocabulary's " + std::to_string(vocabulary), std::to_string(token));
}

void check_sequence(const char* name, const std::vector<int64_t>& tokens, int64_t vocabulary) {
    if (tokens.empty()) throw Error(name, "at least one token in each sequence", "none");
    check_tokens(name, tokens, vocabulary);
}

void check_count(const char* name, int64_t count) {
    if (count < 0) throw Error(name, "0 or more", std::to_string(count));
}

// One entry for the same tokens: the last one's, at the place of the first.
std::vector<SequenceBias> without_repeats(const std::vector<SequenceBias>& given) {
    std::vector<SequenceBias> entries;
    std::map<std::vector<int64_t>, size_t> places;
    for (const SequenceBias& entry : given) {
        const auto [place, is_new] = places.emplace(entry.tokens, entries.size());
        if (is_new)
            entries.push_back(entry);
        else
            entries[place->second] = entry;
    }
    return entries;
}

// A row of logits under change.
struct Row {
    std::span<float> logits;
    const SequenceSoFar& so_far;

    void forbid(std::span<const int64_t> tokens) const {
        for (const int64_t token : tokens)
            if (token >= 0 && token < static_cast<int64_t>(logits.size())) logits[static_cast<size_t>(token)] = kNever;
    }
    void force(std::span<const int64_t> tokens) const {
        std::fill(logits.begin(), logits.end(), kNever);
        for (const int64_t token : tokens) logits[static_cast<size_t>(token)] = 0;
    }
    // The last token's logit, if the others are the last tokens so far; else null.
    float* completed_by(const std::vector<int64_t>& sequence) const {
        const auto others = static_cast<int64_t>(sequence.size()) - 1;
        if (others > so_far.size()) return nullptr;
        for (int64_t i = 0; i < others; ++i)
            if (so_far[so_far.size() - others + i] != sequence[static_cast<size_t>(i)]) return nullptr;
        return &logits[static_cast<size_t>(sequence.back())];
    }
    void penalise_repetition(float penalty, std::vector<uint8_t>& is_seen) const {
        is_seen.assign(logits.size(), 0);
        for (int64_t i = 0; i < so_far.size(); ++i) {
            const auto token = static_cast<size_t>(so_far[i]);
            if (token >= logits.size() || is_seen[token] != 0) continue;
            is_seen[token] = 1;
            logits[token] = logits[token] < 0 ? logits[token] * penalty : logits[token] / penalty;
        }
    }
    // Each earlier place of the last size - 1 tokens forbids what followed it.
    void forbid_repeated_ngrams(int64_t size) const {
        const int64_t length = so_far.size(), others = size - 1;
        for (int64_t begin = 0; begin + others < length; ++begin) {
            int64_t same = 0;
            while (same < others && so_far[begin + same] == so_far[length - others + same]) ++same;
            if (same < others) continue;
            const int64_t next = so_far[begin + others];
            forbid({&next, 1});
        }
    }
};

}  // namespace

void check_logit_rules(const LogitRules& rules, int64_t vocabulary) {
    const auto penalty = static_cast<float>(rules.repetition_penalty);
    if (!(penalty > 0 && std::isfinite(penalty) && std::isfinite(1 / penalty)))
        throw Error("--repetition-penalty", "a number above 0 that logits can be divided by",
                    dump_line(rules.repetition_penalty));
    check_count("no_repeat_ngram_size", rules.no_repeat_ngram_size);
    check_count("min_length", rules.min_length);
    check_count("min_new_tokens", rules.min_new_tokens.value_or(0));
    for (const SequenceBias& entry : rules.sequence_bias) {
        check_sequence("sequence_bias", entry.tokens, vocabulary);
        if (!std::isfinite(static_cast<float>(entry.bias)))
            throw Error("sequence_bias", "finite numbers", dump_line(entry.bias));
    }
    for (const std::vector<int64_t>& word : rules.bad_words_ids) check_sequence("bad_words_ids", word, vocabulary);
    if (rules.forced_bos_token_id) check_tokens("forced_bos_token_id", {*rules.forced_bos_token_id}, vocabulary);
    check_tokens("forced_eos_token_id", rules.forced_eos_token_id, vocabulary);
}

LogitProcessor::LogitProcessor(LogitRules rules, std::vector<int64_t> stop_tokens)
    : rules_(std::move(rules)), stop_tokens_(std::move(stop_tokens)) {
    rules_.sequence_bias = without_repeats(rules_.sequence_bias);
    std::erase_if(rules_.bad_words_ids, [&](const std::vector<int64_t>& word) {
        return word.size() == 1 && std::find(stop_tokens_.begin(), stop_tokens_.end(), word[0]) != stop_tokens_.end();
    });
    any_ = !rules_.sequence_bias.empty() || rules_.repetition_penalty != 1 || rules_.no_repeat_ngram_size > 0 ||
           !rules_.bad_words_ids.empty() || rules_.min_new_tokens.value_or(rules_.min_length) > 0 ||
           rules_.forced_bos_token_id || !rules_.forced_eos_token_id.empty() || !rules_.suppress_tokens.empty() ||
           !rules_.begin_suppress_tokens.empty();
}

const float* LogitProcessor::apply(const float* logits, int64_t vocabulary, const SequenceSoFar& so_far,
                                   Scratch& scratch) const {
    if (!any_) return logits;
    scratch.logits.assign(logits, logits + vocabulary);
    const Row row{scratch.logits, so_far};
    const auto prompt = static_cast<int64_t>(so_far.prompt.size()), size = so_far.size();
    for (const SequenceBias& entry : rules_.sequence_bias)
        if (float* const logit = row.completed_by(entry.tokens)) *logit += static_cast<float>(entry.bias);
    if (rules_.repetition_penalty != 1)
        row.penalise_repetition(static_cast<float>(rules_.repetition_penalty), scratch.is_seen);
    if (rules_.no_repeat_ngram_size > 0) row.forbid_repeated_ngrams(rules_.no_repeat_ngram_size);
    for (const std::vector<int64_t>& word : rules_.bad_words_ids)
        if (float* const logit = row.completed_by(word)) *logit = kNever;
    if (rules_.min_new_tokens ? size - prompt < *rules_.min_new_tokens : size < rules_.min_length) {
        row.forbid(stop_tokens_);
        row.forbid(so_far.stop_tokens);
    }
    if (rules_.forced_bos_token_id && size == 1) row.force({&*rules_.forced_bos_token_id, 1});
    if (!rules_.forced_eos_token_id.empty() && size == prompt + so_far.limit - 1) row.force(rules_.forced_eos_token_id);
    row.forbid(rules_.suppress_tokens);
    const bool is_first_forced = prompt == 1 && rules_.forced_bos_token_id.has_value();
    if (size == prompt + (is_first_forced ? 1 : 0)) row.forbid(rules_.begin_suppress_tokens);
    if (std::all_of(scratch.logits.begin(), scratch.logits.end(), [](float logit) { return logit == kNever; }))
        throw Error("generation", "a token that may come next", "none: the rules for logits leave no token",
                    "see suppress_tokens, bad_words_ids and their like in generation_config.json");
    return scratch.logits.data();
}

}  // namespace craft

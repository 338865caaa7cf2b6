// A text with what tools ask of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/sentences.h"

namespace craft {

// Sentences and counts of a text, computed once and used by many checks. Not to be shared between threads: even the const
// functions fill it in.
class MeasuredText {
public:
    explicit MeasuredText(std::string text, SentenceRule rule = SentenceRule::paper);
    const std::string& text() const { return text_; }
    const std::string& lower() const;  // lower-cased text, for keyword counts; lazily computed
    const std::vector<std::string>& sentences() const { return sentences_; }
    int64_t word_count() const;                            // Treebank tokens, summed over the sentences; lazily computed
    const std::vector<int64_t>& sentence_lengths() const;  // white-space words of each bare sentence; lazily computed

private:
    std::string text_;
    std::vector<std::string> sentences_;
    mutable std::optional<std::string> lower_;
    mutable std::optional<int64_t> word_count_;
    mutable std::optional<std::vector<int64_t>> lengths_;
};

}  // namespace craft

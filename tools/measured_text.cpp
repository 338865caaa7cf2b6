#include "tools/measured_text.h"

#include "text/utf8.h"
#include "text/words.h"

namespace craft {

MeasuredText::MeasuredText(std::string text, SentenceRule rule)
    : text_(std::move(text)), sentences_(split_sentences(text_, rule)) {}

const std::string& MeasuredText::lower() const {
    if (!lower_) lower_ = lowercase(text_);
    return *lower_;
}

int64_t MeasuredText::word_count() const {
    if (!word_count_) {
        int64_t words = 0;
        for (const auto& sentence : sentences_) words += count_treebank_tokens(sentence);
        word_count_ = words;
    }
    return *word_count_;
}

const std::vector<int64_t>& MeasuredText::sentence_lengths() const {
    if (!lengths_) {
        std::vector<int64_t> lengths;
        for (const auto& sentence : sentences_) lengths.push_back(count_whitespace_words(bare_sentence(sentence)));
        lengths_ = std::move(lengths);
    }
    return *lengths_;
}

}  // namespace craft

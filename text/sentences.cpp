#include "text/sentences.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <memory>

#include "core/error.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool ends_sentence(char c) {
    return c == '.' || c == '!' || c == '?';
}

void add_stripped(std::vector<std::string_view>& sentences, std::string_view piece) {
    piece = trim_view(piece);
    if (!piece.empty()) sentences.push_back(piece);
}

std::vector<std::string_view> paper_sentences(std::string_view text) {
    std::vector<std::string_view> sentences;
    size_t begin = 0;
    for (size_t i = 0; i + 1 < text.size(); ++i) {
        if (!ends_sentence(text[i]) || text[i + 1] != ' ') continue;
        add_stripped(sentences, text.substr(begin, i + 1 - begin));
        begin = i + 1;
    }
    add_stripped(sentences, text.substr(begin));
    return sentences;
}

// Making a break iterator costs far more than a sentence does, so each thread keeps one.
icu::BreakIterator& sentence_iterator() {
    thread_local std::unique_ptr<icu::BreakIterator> iterator = [] {
        UErrorCode status = U_ZERO_ERROR;
        std::unique_ptr<icu::BreakIterator> made(
            icu::BreakIterator::createSentenceInstance(icu::Locale::getEnglish(), status));
        if (U_FAILURE(status)) throw Error("sentences", "ICU's sentence rules for English", u_errorName(status));
        return made;
    }();
    return *iterator;  // NOLINT(clang-analyzer-cplusplus.NewDelete): the analyzer takes the moved-from pointer for the owner
}

std::vector<std::string_view> icu_sentences(std::string_view text) {
    if (const size_t bad = invalid_utf8_at(text); bad != std::string_view::npos) {
        throw Error("sentences", "UTF-8 text", "an invalid byte at offset " + std::to_string(bad));
    }
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UText, decltype(&utext_close)> opened(
        utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status), &utext_close);
    icu::BreakIterator& iterator = sentence_iterator();
    iterator.setText(opened.get(), status);
    if (U_FAILURE(status)) throw Error("sentences", "a text that ICU can break", u_errorName(status));
    std::vector<std::string_view> sentences;
    int32_t begin = iterator.first();
    for (int32_t end = iterator.next(); end != icu::BreakIterator::DONE; begin = end, end = iterator.next()) {
        add_stripped(sentences, text.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
    }
    return sentences;
}

}  // namespace

std::vector<std::string_view> sentence_views(std::string_view text, SentenceRule rule) {
    return rule == SentenceRule::paper ? paper_sentences(text) : icu_sentences(text);
}

std::vector<std::string> split_sentences(std::string_view text, SentenceRule rule) {
    const auto views = sentence_views(text, rule);
    return {views.begin(), views.end()};
}

std::string bare_sentence(std::string_view sentence) {
    sentence = trim_view(sentence);
    if (!sentence.empty() && ends_sentence(sentence.back())) sentence.remove_suffix(1);
    return std::string(sentence);
}

std::string sentence_rule_name(SentenceRule rule) {
    return rule == SentenceRule::paper ? "paper" : "icu";
}

}  // namespace craft

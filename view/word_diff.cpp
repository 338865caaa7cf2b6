#include "view/word_diff.h"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/error.h"
#include "metrics/sequence_matcher.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr int64_t kMaxDiffSteps = int64_t{1} << 26;  // below a second

struct Word {
    std::string_view word, blanks;  // with what is between it and the next one
};

std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> words;
    size_t end = 0;
    for (const std::string& word : whitespace_words(text)) {
        const size_t begin = text.find(word, end);
        if (!words.empty()) words.back().blanks = text.substr(end, begin - end);
        end = begin + word.size();
        words.push_back({text.substr(begin, word.size()), {}});
    }
    return words;
}

class WordNumbers {
public:
    std::u32string of(const std::vector<Word>& words) {
        std::u32string all;
        for (const Word& one : words)
            all.push_back(numbers_.try_emplace(one.word, static_cast<char32_t>(numbers_.size())).first->second);
        return all;
    }

private:
    std::unordered_map<std::string_view, char32_t> numbers_;
};

void append(StyledText& text, std::string_view part, Tone tone) {
    if (part.empty()) return;
    if (!text.empty() && text.back().tone == tone)
        text.back().text += part;
    else
        text.push_back({std::string(part), tone});
}

// A word as it stands before another one, whatever the other text had behind it.
void append_words(StyledText& text, const std::vector<Word>& words, size_t from, size_t to, Tone tone) {
    for (size_t i = from; i < to; ++i) {
        append(text, words[i].word, tone);
        append(text, words[i].blanks.empty() ? " " : words[i].blanks, tone);
    }
}

}  // namespace

StyledText word_diff(const std::string& before, const std::string& after) {
    const std::vector<Word> a = words_of(before), b = words_of(after);
    std::vector<TextChange> changes;
    bool is_compared = a.size() <= kMaxDiffWords && b.size() <= kMaxDiffWords;
    if (is_compared) {
        WordNumbers numbers;
        const std::u32string left = numbers.of(a), right = numbers.of(b);
        try {
            changes = text_changes(left, right, kMaxDiffSteps);
        } catch (const Error&) {
            is_compared = false;
        }
    }
    if (!is_compared) changes = {{0, a.size(), 0, b.size()}};
    StyledText text;
    size_t next = 0;
    for (const TextChange& change : changes) {
        append_words(text, b, next, change.b_from, Tone::plain);
        append_words(text, a, change.a_from, change.a_to, Tone::removed);
        append_words(text, b, change.b_from, change.b_to, Tone::added);
        next = change.b_to;
    }
    append_words(text, b, next, b.size(), Tone::plain);
    if (!text.empty())
        while (text.back().text.ends_with(' ')) text.back().text.pop_back();
    return text;
}

}  // namespace craft

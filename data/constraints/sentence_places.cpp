#include "data/constraints/sentence_places.h"

#include <algorithm>
#include <optional>

#include "data/constraints/keywords.h"
#include "text/lists.h"
#include "text/sentences.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr size_t kMaxQuoted = 4;     // words that are quoted of a sentence to tell it from others
constexpr int64_t kLeastLonger = 2;  // words: nobody sees a smaller difference

using Sentences = std::vector<std::string>;

// Longer than every other sentence by `sign` 1, shorter by -1.
bool stands_out(size_t i, const Sentences& sentences, int sign) {
    for (size_t k = 0; k < sentences.size(); ++k) {
        if (k == i) continue;
        const int64_t words = count_whitespace_words(sentences[i]) - count_whitespace_words(sentences[k]);
        const auto characters = static_cast<int64_t>(sentences[i].size()) - static_cast<int64_t>(sentences[k].size());
        if (sign * words < kLeastLonger || sign * characters <= 0) return false;
    }
    return true;
}

// The fewest words, two to four, that stand at this end of sentence i and of no other.
std::optional<std::string> telling_end(size_t i, const Sentences& sentences, bool at_start) {
    const auto quote = [&](const std::string& sentence, size_t count) {
        const auto words = whitespace_words(bare_sentence(sentence));
        const size_t used = std::min(count, words.size()), from = at_start ? 0 : words.size() - used;
        std::vector<std::string> part(words.begin() + static_cast<std::ptrdiff_t>(from),
                                      words.begin() + static_cast<std::ptrdiff_t>(from + used));
        if (!part.empty() && std::string(",;:").find(part.back().back()) != std::string::npos) part.back().pop_back();
        return join(part, " ");
    };
    for (size_t count = 2; count <= kMaxQuoted; ++count) {
        const std::string words = quote(sentences[i], count);
        // Of a short sentence that would be all, and quotes inside quotes are hard to read.
        if (words.size() + 2 > sentences[i].size() || words.find_first_of("\"\n") != std::string::npos) return std::nullopt;
        size_t same = 0;
        for (const std::string& sentence : sentences) same += lowercase(quote(sentence, count)) == lowercase(words) ? 1 : 0;
        if (same == 1) return words;
    }
    return std::nullopt;
}

// The longest plain word that only sentence i has.
std::optional<std::string> telling_word(size_t i, const Sentences& sentences) {
    std::string best;
    for (const std::string& word : plain_words(sentences[i])) {
        const auto has = [&](const std::string& sentence) { return count_keyword(sentence, word) > 0; };
        if (word.size() >= 5 && word.size() > best.size() && std::count_if(sentences.begin(), sentences.end(), has) == 1)
            best = word;
    }
    return best.empty() ? std::nullopt : std::optional(best);
}

bool asks(const std::string& sentence) {
    return sentence.ends_with("?");
}

}  // namespace

std::vector<SentenceName> names_of(int64_t id, const Sentences& sentences) {
    const auto count = static_cast<int64_t>(sentences.size());
    std::vector<SentenceName> names;
    if (id < 1 || id > count || count < 3) return names;  // of two sentences each is many things
    const auto i = static_cast<size_t>(id - 1);
    const auto add = [&](bool holds, Place place, std::string quote = "", int64_t number = 0) {
        if (holds) names.push_back({place, std::move(quote), number});
    };
    add(id == 1, Place::first);
    add(id == count, Place::last);
    add(id == count - 1, Place::next_to_last);
    add(2 * id == count + 1, Place::middle);
    add(stands_out(i, sentences, 1), Place::longest);
    add(stands_out(i, sentences, -1), Place::shortest);
    if (const auto words = telling_end(i, sentences, true)) add(true, Place::begins, *words);
    if (const auto words = telling_end(i, sentences, false)) add(true, Place::ends, *words);
    if (const auto word = telling_word(i, sentences)) add(true, Place::says, *word);
    add(asks(sentences[i]) && std::count_if(sentences.begin(), sentences.end(), asks) == 1, Place::question);
    add(id > 1, Place::after, "", id - 1);
    add(id < count, Place::before, "", id + 1);
    return names;
}

std::vector<SentenceName> names_of(const std::vector<int64_t>& ids, const Sentences& sentences) {
    const auto count = static_cast<int64_t>(sentences.size()), few = static_cast<int64_t>(ids.size());
    std::vector<SentenceName> names;
    if (few < 2 || few >= count || ids.back() - ids.front() != few - 1) return names;
    if (ids.front() == 1) names.push_back({Place::first_few, "", few});
    if (ids.back() == count) names.push_back({Place::last_few, "", few});
    return names;
}

}  // namespace craft

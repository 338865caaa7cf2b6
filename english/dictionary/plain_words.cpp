#include "english/dictionary/plain_words.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "english/listed_words.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr const char* kForm = "'HARD KIND: PLAIN', KIND one of n, v, a, r, p";

std::optional<WordKind> kind_of_letter(char letter) {
    switch (letter) {
        case 'n':
            return WordKind::noun;
        case 'v':
            return WordKind::verb;
        case 'a':
            return WordKind::adjective;
        case 'r':
            return WordKind::adverb;
        default:
            return std::nullopt;
    }
}

}  // namespace

void PlainWords::add(std::string_view line, const std::string& where) {
    const size_t colon = line.find(": ");
    const std::string got = "'" + std::string(line) + "'";
    if (colon == std::string_view::npos || colon < 3 || line[colon - 2] != ' ') throw Error(where, kForm, got);
    const char letter = line[colon - 1];
    const std::string hard(trim_view(line.substr(0, colon - 2))), plain(trim_view(line.substr(colon + 2)));
    const std::optional<WordKind> kind = kind_of_letter(letter);
    if (hard.empty() || plain.empty() || (!kind && letter != 'p')) throw Error(where, kForm, got);
    if (hard == plain) throw Error(where, "a plain word for '" + hard + "'", "the same one");
    const bool is_new = kind ? words_.emplace(std::pair(hard, *kind), plain).second : phrases_.emplace(hard, plain).second;
    if (!is_new) throw Error(where, "each word once", "'" + hard + "' again");
    if (!kind) longest_phrase_ = std::max(longest_phrase_, whitespace_words(hard).size());
}

PlainWords PlainWords::parse(std::string_view text, const std::string& where) {
    PlainWords list;
    for_each_list_line(text, where, [&](std::string_view line, const std::string& place) { list.add(line, place); });
    return list;
}

PlainWords PlainWords::load(const std::filesystem::path& file) {
    return parse(read_file(file), file.string());
}

PlainWords PlainWords::shipped() {
    return load(share_folder() / "english" / "plain_words.txt");
}

std::optional<std::string> PlainWords::of_word(std::string_view lemma, WordKind kind) const {
    const auto found = words_.find(std::pair(std::string(lemma), kind));
    return found == words_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<PlainWords::Phrase> PlainWords::of_phrase(const std::vector<std::string>& words) const {
    std::optional<Phrase> longest;
    std::string phrase;
    for (size_t count = 1; count <= std::min(words.size(), longest_phrase_); ++count) {
        phrase += (count > 1 ? " " : "") + words[count - 1];
        if (const auto found = phrases_.find(phrase); found != phrases_.end()) longest = Phrase{found->second, count};
    }
    return longest;
}

}  // namespace craft

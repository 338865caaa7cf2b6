#include "judge/fidelity/capital_names.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "text/code_points.h"
#include "text/sentences.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongest = 200;  // bytes; a longer run is no name

struct NameWord {
    std::string_view bare;                        // without punctuation and 's
    bool begins_clean = true, ends_clean = true;  // no punctuation before, after it
};

// Cuts punctuation off both ends, and a possessive.
NameWord bare_word(std::string_view word) {
    NameWord found{word};
    const auto belongs = [](char32_t c) { return is_word_character(c) || is_letter(c); };
    while (!found.bare.empty() && !belongs(code_point_at(found.bare, 0).value)) {
        found.bare.remove_prefix(code_point_at(found.bare, 0).bytes);
        found.begins_clean = false;
    }
    while (!found.bare.empty()) {
        const CodePoint last = code_point_before(found.bare, found.bare.size());
        if (belongs(last.value)) break;
        found.bare.remove_suffix(last.bytes);
        found.ends_clean = false;
    }
    for (const std::string_view possessive : {"'s", "’s"})
        if (found.bare.ends_with(possessive)) {
            found.bare.remove_suffix(possessive.size());
            found.ends_clean = false;
        }
    return found;
}

bool has_capital(std::string_view word) {
    if (word.empty() || word == "I" || word.starts_with("I'") || word.starts_with("I’")) return false;
    const std::string first(word.substr(0, code_point_at(word, 0).bytes));
    return is_letter(code_point_at(word, 0).value) && lowercase(first) != first;
}

bool bridges(const NameWord& word) {
    static constexpr std::array<std::string_view, 8> kBridges = {"of", "the", "de", "la", "van", "von", "der", "del"};
    return word.begins_clean && word.ends_clean && std::find(kBridges.begin(), kBridges.end(), word.bare) != kBridges.end();
}

std::vector<NameWord> words_of(std::string_view sentence) {
    std::vector<NameWord> words;
    size_t begin = 0;
    bool inside = false;
    for (size_t at = 0; at <= sentence.size();) {
        const bool end = at == sentence.size() || is_space(code_point_at(sentence, at).value);
        if (end && inside) words.push_back(bare_word(sentence.substr(begin, at - begin)));
        if (!end && !inside) begin = at;
        inside = !end;
        at += at == sentence.size() ? 1 : code_point_at(sentence, at).bytes;
    }
    return words;
}

struct Run {
    std::string_view text;
    bool is_first_word = false;  // one word, at the start of a sentence
};

std::vector<Run> runs_of(std::string_view sentence) {
    const std::vector<NameWord> words = words_of(sentence);
    std::vector<Run> runs;
    for (size_t first = 0; first < words.size();) {
        if (!has_capital(words[first].bare)) {
            ++first;
            continue;
        }
        size_t last = first;
        while (words[last].ends_clean) {
            size_t next = last + 1;
            while (next < words.size() && next <= last + 2 && bridges(words[next])) ++next;
            if (next >= words.size() || !words[next].begins_clean || !has_capital(words[next].bare)) break;
            last = next;
        }
        const char* begin = words[first].bare.data();
        const char* end = words[last].bare.data() + words[last].bare.size();
        const std::string_view text(begin, static_cast<size_t>(end - begin));
        if (text.size() <= kLongest) runs.push_back({text, first == 0 && last == 0});
        first = last + 1;
    }
    return runs;
}

}  // namespace

std::vector<std::string> capital_names(const std::string& text) {
    std::vector<Run> runs;
    for (const std::string_view sentence : sentence_views(text))
        for (size_t begin = 0; begin < sentence.size();) {
            const size_t end = std::min(sentence.find('\n', begin), sentence.size());
            for (const Run& run : runs_of(sentence.substr(begin, end - begin))) runs.push_back(run);
            begin = end + 1;
        }
    std::set<std::string_view> within;
    for (const Run& run : runs)
        if (!run.is_first_word) within.insert(run.text);
    std::vector<std::string> names;
    std::set<std::string_view> seen;
    for (const Run& run : runs)
        if (within.contains(run.text) && seen.insert(run.text).second) names.emplace_back(run.text);
    return names;
}

}  // namespace craft

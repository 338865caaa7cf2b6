#include "english/dictionary/table_difficulty.h"

#include <algorithm>

#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::string_view kCurlyApostrophe = "\xE2\x80\x99";

std::string small_letters(std::string_view word) {
    std::string small = lowercase(trim_view(word));
    for (size_t at = 0; (at = small.find(kCurlyApostrophe, at)) != std::string::npos; ++at)
        small.replace(at, kCurlyApostrophe.size(), "'");
    return small;
}

}  // namespace

double WordDifficulty::of_form(std::string_view form, std::string_view lemma) const {
    const double own = of(form);
    return own < 1 ? own : of(lemma);
}

double TableDifficulty::of_small(std::string_view word) const {
    if (const auto value = table_.find(word)) return difficulty_(*value);
    for (const std::string_view ending : {"'s", "'"})
        if (word.size() > ending.size() && word.ends_with(ending))
            return of_small(word.substr(0, word.size() - ending.size()));
    return 1;
}

double TableDifficulty::of(std::string_view word) const {
    const std::string small = small_letters(word);
    if (const auto value = table_.find(small)) return difficulty_(*value);
    double hardest = 0;
    bool any = false;
    for (size_t at = 0; at <= small.size();) {
        const size_t end = std::min(small.find_first_of(" -_", at), small.size());
        if (end > at) {
            hardest = std::max(hardest, of_small(std::string_view(small).substr(at, end - at)));
            any = true;
        }
        at = end + 1;
    }
    return any ? hardest : 1;
}

}  // namespace craft

#include "english/indefinite_article.h"

#include <algorithm>

#include "text/utf8.h"

namespace craft {

bool begins_with_vowel(std::string_view word) {
    const std::string lower = lowercase(word);
    const auto begins = [&](std::initializer_list<std::string_view> with) {
        return std::any_of(with.begin(), with.end(), [&](std::string_view one) { return lower.starts_with(one); });
    };
    if (begins({"hour", "honest", "honour", "honor", "heir"})) return true;
    if (begins({"unim", "unin", "unid"})) return true;  // "unimportant" has no "uni-" of "union"
    if (begins({"uni", "use", "usu", "usa", "eu", "one", "once", "ubiq", "uti", "ura", "ewe"})) return false;
    return !lower.empty() && std::string_view("aeiou").find(lower[0]) != std::string_view::npos;
}

std::string article_before(const std::string& word, std::string_view next) {
    const std::string lower = lowercase(word);
    if (lower != "a" && lower != "an") return word;
    const std::string right = begins_with_vowel(next) ? "an" : "a";
    return word[0] == 'A' ? uppercase_first(right) : right;
}

}  // namespace craft

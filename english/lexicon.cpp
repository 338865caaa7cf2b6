#include "english/lexicon.h"

#include <unicode/uchar.h>

#include "core/error.h"
#include "english/string_ids.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

// Norms that spaCy has for all languages and that its packages do not hold: a norm, and the signs that have it.
struct SignNorm {
    const char* norm;
    const char* signs;  // between blanks
};
constexpr SignNorm kSignNorms[] = {{"'s", "'s 'S ’s ’S"},
                                   {"'", "’ ‘ ´ `"},
                                   {"\"", "” “ '' `` ´´ „ » « ‘‘ ’’"},
                                   {"?", "？"},
                                   {"!", "！"},
                                   {",", "，"},
                                   {";", "；"},
                                   {":", "："},
                                   {".", "。 ।"},
                                   {"...", "…"},
                                   {"-", "— – -- --- ——"},
                                   {"$", "€ £ ¥ ฿ US$ C$ A$ ₺ ₹ ৳ ₩ Mex$ ₣ E£"}};

char32_t shape_of(char32_t character) {
    const auto c = static_cast<UChar32>(character);
    if ((U_GET_GC_MASK(c) & U_GC_L_MASK) != 0) return u_hasBinaryProperty(c, UCHAR_UPPERCASE) != 0 ? 'X' : 'x';
    // str.isdigit(): superscripts and the like are digits too.
    const int32_t numeric = u_getIntPropertyValue(c, UCHAR_NUMERIC_TYPE);
    return numeric == U_NT_DECIMAL || numeric == U_NT_DIGIT ? 'd' : character;
}

}  // namespace

std::string word_shape(std::string_view text) {
    constexpr size_t kLong = 100;
    constexpr int kMaxInARow = 4;
    std::string shape;
    char32_t last = 0;
    int repeated = 0;
    size_t characters = 0;
    for (size_t at = 0; at < text.size(); ++characters) {
        if (characters + 1 == kLong) return "LONG";
        const CodePoint next = code_point_at(text, at);
        const char32_t kind = shape_of(next.value);
        repeated = at > 0 && kind == last ? repeated + 1 : 0;
        last = kind;
        if (repeated < kMaxInARow) append_utf8(shape, kind);
        at += next.bytes;
    }
    return shape;
}

Lexicon::Lexicon(const MsgpackValue& lookups, const std::string& where) {
    for (const SignNorm& entry : kSignNorms) {
        const std::string_view signs = entry.signs;
        for (size_t at = 0; at < signs.size();) {
            const size_t end = std::min(signs.find(' ', at), signs.size());
            norms_[string_id(signs.substr(at, end - at))] = entry.norm;
            at = end + 1;
        }
    }
    const MsgpackValue* table = lookups.find("lexeme_norm");
    if (table == nullptr || !table->is_map()) throw Error(where, "a table 'lexeme_norm'", "none");
    for (size_t i = 0; i + 1 < table->items.size(); i += 2) {
        const MsgpackValue& key = table->items[i];
        const MsgpackValue& norm = table->items[i + 1];
        if (!key.is_natural() || !norm.is_text())
            throw Error(where + ": lexeme_norm", "texts by numbers of words", "another kind of value");
        norms_[key.integer] = norm.text;
    }
}

Lexeme Lexicon::lexeme(std::string_view text, std::string_view norm) const {
    Lexeme lexeme;
    lexeme.lower = lowercase(text);
    if (!norm.empty()) {
        lexeme.norm = norm;
    } else {
        const auto found = norms_.find(string_id(text));
        lexeme.norm = found == norms_.end() ? lexeme.lower : found->second;
    }
    size_t suffix = text.size();
    for (int i = 0; i < 3 && suffix > 0; ++i) suffix -= code_point_before(text, suffix).bytes;
    lexeme.is_space = true;
    for (size_t at = 0; at < text.size() && lexeme.is_space; at += code_point_at(text, at).bytes)
        lexeme.is_space = is_space(code_point_at(text, at).value);
    lexeme.norm_id = string_id(lexeme.norm);
    lexeme.prefix_id = string_id(text.substr(0, code_point_at(text, 0).bytes));
    lexeme.suffix_id = string_id(text.substr(suffix));
    lexeme.shape_id = string_id(word_shape(text));
    return lexeme;
}

}  // namespace craft

#include "english/first_sound.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "core/ascii.h"
#include "english/parsed_sentence.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr auto kConsonant = FirstSound::consonant, kVowel = FirstSound::vowel;
constexpr auto kRatherConsonant = FirstSound::rather_consonant, kRatherVowel = FirstSound::rather_vowel;

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_vowel(char c) {
    return std::string_view("aeiou").find(c) != std::string_view::npos;
}

// Beginnings of words in lower case; with a blank at the end: whole words.
struct Exceptions {
    FirstSound sound;
    std::initializer_list<std::string_view> beginnings;
};

// Words that by_rule() has wrong.
const Exceptions kWords[] = {
    // a silent h, and one that not all readers say
    {kVowel, {"hour", "honest", "honor", "honour", "heir", "hors "}},
    {kRatherConsonant, {"herb", "homage", "hombre", "historic", "historian", "habitual", "hereditar", "heroic", "hysteri"}},
    {kConsonant, {"herbert"}},
    // "w"
    {kConsonant, {"one ", "ones ", "oneself", "oneness", "onesie", "onetime", "once", "oui ", "ouija", "ouaga"}},
    {kRatherConsonant, {"oaxaca", "uighur"}},
    // "un" before i, and the same letters in words of "uni", one
    {kVowel, {"unid", "unill", "unim", "unin", "unirr", "uniss"}},
    {kConsonant, {"unidir", "unidim", "unimod", "unanim", "unary", "unabom", "unesco", "unep "}},
    // no "yoo"
    {kVowel, {"ew ", "ewok", "euler", "ubuntu", "uday", "udi", "udo", "umam", "umar", "uber", "xer ", "xers "}},
    {kRatherVowel, {"uma ", "upanishad", "xmas"}},
    {kConsonant, {"xhosa"}},
    // initials that are written in lower case, too
    {kConsonant, {"usb", "url", "usd", "utc ", "udp ", "uhf ", "uv ", "ux "}},
    {kRatherVowel, {"sql "}},
    // names and abbreviations whose letters look like initials
    {kConsonant,
     {"nguy", "hmong", "mc",   "mr ", "mrs ", "ms ",  "mt ", "mme ", "mlle ", "msgr ", "st ", "sts ", "sr ", "sgt ", "sh ",
      "shh ", "hm ",   "hmm ", "hz ", "mhz ", "mwh ", "lb ", "lbs ", "lt ",   "ft ",   "fr ", "rd ",  "mm ", "mg ",  "ml "}},
};

// What of_capitals() has wrong: short words among capitals, initials that could be words, and what is read in both ways.
const Exceptions kCapitals[] = {
    {kConsonant,
     {"ram ", "rom ", "sim ", "lan ", "mac ", "nic ", "sam ", "hud ", "new ", "ucla ", "usda ", "usta ", "uscis "}},
    {kVowel,
     {"hiv ", "suv ", "led ", "sos ", "sec ", "raf ", "nih ", "faa ", "roi ", "mou ", "lax ", "nyse ", "mep ", "mit ",
      "mot ", "rac "}},
    {kRatherVowel, {"nicu ", "rotc ", "sql "}},
    {kRatherConsonant, {"scsi ", "simd ", "saml ", "no ", "so ", "he ", "me ", "my ", "hi ", "up "}},
};

// Of the longest beginning that is the word's.
std::optional<FirstSound> exception_of(const std::string& word, std::span<const Exceptions> exceptions) {
    const std::string whole = word + " ";
    std::optional<FirstSound> sound;
    size_t longest = 0;
    for (const Exceptions& one : exceptions)
        for (const std::string_view beginning : one.beginnings)
            if (beginning.size() > longest && whole.starts_with(beginning)) {
                longest = beginning.size();
                sound = one.sound;
            }
    return sound;
}

FirstSound of_letter(char lower) {
    return std::string_view("aefhilmnorsx").find(lower) != std::string_view::npos ? kVowel : kConsonant;
}

// Whether an English word begins like this, of those letters whose names begin with the sound of a vowel: "nbc" and "mri" do
// not.
bool has_word_beginning(std::string_view word) {
    const size_t vowel = word.find_first_of("aeiouy");
    if (vowel == std::string_view::npos) return false;
    const std::string_view before = word.substr(0, vowel);
    return before.size() < 2 || std::string_view("fhlmnrs").find(word[0]) == std::string_view::npos ||
           is_one_of(before, {"fl",  "fr",  "fj",  "ll", "lh", "mn",   "rh",   "rw",   "sc",   "sch", "scr", "sh",
                              "shr", "sk",  "skl", "sl", "sm", "sn",   "sp",   "sph",  "spl",  "spr", "sq",  "sr",
                              "st",  "str", "sv",  "sw", "sz", "schl", "schm", "schn", "schr", "schw"});
}

// The same of its end: "naacp" and "lapd" do not end as words do.
bool has_word_end(std::string_view word) {
    const size_t vowel = word.find_last_of("aeiouy");
    if (vowel == std::string_view::npos) return false;
    const std::string_view after = word.substr(vowel + 1);
    if (after.size() < 2) return true;
    return is_one_of(
        after.substr(after.size() - 2),
        {"bs", "ch", "ck", "ct", "ds", "ff", "ft", "gh", "gs", "hs", "ht", "ks", "ld", "lf", "lk", "ll", "lm", "lp", "ls",
         "lt", "mp", "ms", "nd", "ng", "nk", "nn", "ns", "nt", "pt", "ps", "rb", "rc", "rd", "rf", "rg", "rk", "rl", "rm",
         "rn", "rp", "rr", "rs", "rt", "sc", "sh", "sk", "sp", "ss", "st", "th", "ts", "tt", "ws", "xt", "zz"});
}

// "u" that is said "yoo": before one consonant and a vowel ("use", "unit"), unless "un" or "up" is a syllable ("uneven",
// "upon").
bool is_yoo(std::string_view word) {
    if (word.size() < 2 || word.starts_with("uk") || word.starts_with("uni") || is_vowel(word[1])) return true;
    if (word[1] == 'n' || word[1] == 'p' || word[1] == 'z') return false;
    return word.size() > 2 && (is_vowel(word[2]) || word[2] == 'y');
}

FirstSound by_rule(std::string_view word) {
    const char first = word[0], second = word.size() > 1 ? word[1] : ' ';
    const bool before_vowel = is_vowel(second) || second == 'y';
    switch (first) {
        case 'u':
            return is_yoo(word) ? kConsonant : kVowel;
        case 'e':
            return second == 'u' || second == 'w' ? kConsonant : kVowel;
        case 'y':  // "yttrium"
            return word.size() > 1 && !before_vowel ? kVowel : kConsonant;
        case 'x':  // "xbox", "xylophone"
            return before_vowel ? kConsonant : kVowel;
        default:
            return is_vowel(first) ? kVowel : kConsonant;
    }
}

// `word`: ASCII letters in lower case, at least one.
FirstSound of_word(const std::string& word) {
    if (word.size() == 1) return of_letter(word[0]);
    if (const auto exception = exception_of(word, kWords)) return *exception;
    const bool has_vowel = word.find_first_of("aeiouy") != std::string::npos;
    if (!has_vowel && word[0] != 'y') return of_letter(word[0]);  // "html"
    // "fbi" in lower case, "Mbeki"
    if (!has_word_beginning(word)) return word.size() <= 4 ? kRatherVowel : kRatherConsonant;
    return by_rule(word);
}

// Of several letters, all of which are capitals: initials ("FBI") or a word ("NATO", "HUGE").
FirstSound of_capitals(const std::string& lower) {
    if (const auto exception = exception_of(lower, kCapitals)) return *exception;
    const FirstSound name = of_letter(lower[0]);
    const size_t max_initials = lower[0] == 'u' ? 3 : 2;  // "US", "UFO"
    if (lower.size() <= max_initials || lower[0] == 'y' || !has_word_beginning(lower) || !has_word_end(lower)) return name;
    const FirstSound word = of_word(lower);
    const bool is_either = lower.size() == 3 && word != name && !exception_of(lower, kWords);
    return is_either ? kRatherVowel : word;
}

// Eight, eleven and eighteen, with what comes after them.
FirstSound of_number(std::string_view text) {
    std::string digits;
    size_t at = 0;
    bool grouped = false;
    for (; at < text.size(); ++at) {
        const bool is_group = text[at] == ',' && at + 3 < text.size() && is_digit(text[at + 1]) && is_digit(text[at + 2]) &&
                              is_digit(text[at + 3]);
        if (is_digit(text[at]))
            digits += text[at];
        else if (!is_group)
            break;
        grouped = grouped || is_group;
    }
    if (digits[0] == '8') return kVowel;
    if (digits[0] == '0') return kRatherConsonant;  // "zero", or "oh"
    if (!digits.starts_with("11") && !digits.starts_with("18")) return kConsonant;
    if (digits.size() % 3 == 2) return kVowel;
    if (digits.size() != 4 || grouped) return kConsonant;
    return at < text.size() && text[at] == 's' ? kVowel
                                               : kRatherVowel;  // the 1830s; the year 1812, or one thousand and so many
}

// The letters at the start of a text in their case, "a" or "z" for those that are not ASCII; after an apostrophe, too,
// where a letter stands by itself before it ("L'Oréal"). Empty where they are of a script whose sounds are not known.
std::string letters_of(std::string_view text) {
    static const std::u32string kVowels = U"àáâãäåæèéêëìíîïòóôõöøùúûüāăąēęěīıōőœūůűαεηιουω";
    std::string letters;
    bool is_joined = false;
    for (size_t at = 0; at < text.size();) {
        const CodePoint point = code_point_at(text, at);
        const bool joins = letters.size() == 1 && (point.value == '\'' || point.value == U'’') &&
                           at + point.bytes + 1 < text.size() &&
                           std::isalpha(static_cast<unsigned char>(text[at + point.bytes])) &&
                           std::isalpha(static_cast<unsigned char>(text[at + point.bytes + 1]));
        is_joined = is_joined || joins;
        if (!joins) {
            if (!is_letter(point.value) || point.value >= 0x400) break;
            if (point.value < 0x80) {
                letters += is_joined ? ascii_lower(text[at]) : text[at];
            } else {
                const std::u32string lower = decode_utf8(lowercase(text.substr(at, point.bytes)));
                letters += !lower.empty() && kVowels.find(lower[0]) != std::u32string::npos ? 'a' : 'z';
            }
        }
        at += point.bytes;
    }
    return letters;
}

FirstSound of_letters(std::string letters) {
    const size_t size = letters.size();
    if (size > 2 && letters.back() == 's' && is_upper(letters[1]) && is_upper(letters[size - 2]))
        letters.pop_back();  // "URLs"
    const auto capitals = static_cast<size_t>(std::count_if(letters.begin(), letters.end(), is_upper));
    const size_t leading = static_cast<size_t>(
        std::find_if(letters.begin(), letters.end(), [](char c) { return !is_upper(c); }) - letters.begin());
    const std::string lower = lowercase(letters);
    if (letters.size() == 1) return of_letter(lower[0]);
    const bool is_initials = capitals == letters.size() || (letters.size() == 3 && leading == 1 && is_upper(letters[2]));
    if (is_initials) return of_capitals(lower);                            // "FBI", "MoU"
    if (leading == 0 && is_upper(letters[1])) return of_letter(lower[0]);  // "mRNA"
    if (leading < 2 || exception_of(lower, kWords)) return of_word(lower);
    const std::string head = lower.substr(0, leading - 1);  // "HTMLParser", "MSc"
    return head.size() == 1 ? of_letter(head[0]) : of_capitals(head);
}

// Quotes, brackets, signs of emphasis and of currency, which are not read or read later.
std::string_view without_marks(std::string_view text) {
    constexpr std::u32string_view kMarks = U"\"'`([{<*_$£€¥“‘„‚«‹»";
    while (!text.empty()) {
        const CodePoint point = code_point_at(text, 0);
        if (kMarks.find(point.value) == std::u32string_view::npos && !is_space(point.value)) break;
        text.remove_prefix(point.bytes);
    }
    return text;
}

}  // namespace

FirstSound first_sound(std::string_view text) {
    const std::string_view begun = without_marks(text);
    if (begun.empty()) return kRatherConsonant;
    if (is_digit(begun[0])) return of_number(begun);
    const std::string letters = letters_of(begun);
    return letters.empty() ? kRatherConsonant : of_letters(letters);
}

}  // namespace craft

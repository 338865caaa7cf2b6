#include "english/string_ids.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <unordered_map>

namespace craft {

namespace {

// spaCy's symbols in the order of their numbers. "A..B" stands for a name with all numbers from A's to B's.
constexpr std::string_view kSymbols =
    "IS_ALPHA IS_ASCII IS_DIGIT IS_LOWER IS_PUNCT IS_SPACE IS_TITLE IS_UPPER LIKE_URL LIKE_NUM LIKE_EMAIL IS_STOP "
    "IS_OOV_DEPRECATED IS_BRACKET IS_QUOTE IS_LEFT_PUNCT IS_RIGHT_PUNCT IS_CURRENCY FLAG19..63 ID ORTH LOWER NORM "
    "SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE HEAD SENT_START SPACY PROB LANG ADJ ADP "
    "ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X EOL SPACE DEPRECATED001..276 PERSON "
    "NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME PERCENT MONEY QUANTITY ORDINAL "
    "CARDINAL acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop csubj csubjpass dep det "
    "dobj expl hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num number oprd obj obl "
    "parataxis partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl rcmod root xcomp acl "
    "ENT_KB_ID MORPH ENT_ID IDX _";

std::unordered_map<std::string, uint64_t> number_symbols() {
    std::unordered_map<std::string, uint64_t> numbers;
    uint64_t next = 1;
    for (size_t at = 0; at < kSymbols.size();) {
        const size_t end = std::min(kSymbols.find(' ', at), kSymbols.size());
        const std::string symbol(kSymbols.substr(at, end - at));
        at = end + 1;
        const size_t dots = symbol.find("..");
        if (dots == std::string::npos) {
            numbers.emplace(symbol, next++);
            continue;
        }
        const size_t digits = symbol.size() - dots - 2;  // both numbers have as many
        const std::string name = symbol.substr(0, dots - digits);
        const int last = std::stoi(symbol.substr(dots + 2));
        for (int i = std::stoi(symbol.substr(dots - digits, digits)); i <= last; ++i) {
            const std::string number = std::to_string(i);
            numbers.emplace(name + std::string(digits - number.size(), '0') + number, next++);
        }
    }
    return numbers;
}

uint64_t murmur64a(std::string_view text, uint64_t seed) {
    constexpr uint64_t kFactor = 0xC6A4A7935BD1E995;
    constexpr int kShift = 47;
    uint64_t hash = seed ^ text.size() * kFactor;
    while (text.size() >= 8) {
        uint64_t block = 0;
        std::memcpy(&block, text.data(), 8);
        block *= kFactor;
        block ^= block >> kShift;
        hash = (hash ^ block * kFactor) * kFactor;
        text.remove_prefix(8);
    }
    if (!text.empty()) {
        uint64_t rest = 0;
        for (size_t i = 0; i < text.size(); ++i) rest |= uint64_t{static_cast<unsigned char>(text[i])} << 8 * i;
        hash = (hash ^ rest) * kFactor;
    }
    hash = (hash ^ hash >> kShift) * kFactor;
    return hash ^ hash >> kShift;
}

uint64_t mix(uint64_t hash) {
    hash = (hash ^ hash >> 33) * 0xFF51AFD7ED558CCD;
    hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53;
    return hash ^ hash >> 33;
}

}  // namespace

static_assert(std::endian::native == std::endian::little, "hashes read blocks of bytes as little-endian numbers");

uint64_t string_id(std::string_view text) {
    static const std::unordered_map<std::string, uint64_t> symbols = number_symbols();
    constexpr size_t kLongestSymbol = 17;  // IS_OOV_DEPRECATED
    if (text.empty()) return 0;
    if (text.size() <= kLongestSymbol)
        if (const auto found = symbols.find(std::string(text)); found != symbols.end()) return found->second;
    return murmur64a(text, 1);
}

// Eight bytes are all tail: they touch the first of the two states.
std::array<uint32_t, 4> row_hashes(uint64_t id, uint32_t seed) {
    constexpr uint64_t kBytes = 8;
    uint64_t first = seed ^ kBytes ^ std::rotl(id * 0x87C37B91114253D5, 31) * 0x4CF5AD432745937F;
    uint64_t second = seed ^ kBytes;
    first += second;
    second += first;
    first = mix(first);
    second = mix(second);
    first += second;
    second += first;
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(first >> 32), static_cast<uint32_t>(second),
            static_cast<uint32_t>(second >> 32)};
}

}  // namespace craft

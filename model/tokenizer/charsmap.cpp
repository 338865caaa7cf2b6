// The normalizer Precompiled: sentencepiece's table of replacements, a double array of prefixes and the texts that it points
// to. As in the `tokenizers` library: a short grapheme is replaced as a whole by what its first prefix gives.
#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <cstring>

#include "core/error.h"
#include "core/utf8.h"
#include "model/tokenizer/normalizers.h"
#include "text/code_points.h"

namespace craft {

namespace {

constexpr size_t kShortGrapheme = 6;  // bytes; shorter ones are looked up whole

int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

std::string from_base64(const std::string& text, const Component& component) {
    std::string bytes;
    uint32_t buffer = 0;
    int bits = 0;
    const size_t end = text.find_last_not_of('=') + 1;
    for (size_t i = 0; i < end; ++i) {
        const int value = base64_value(text[i]);
        if (value < 0) component.fail("precompiled_charsmap", "base64", "a character that is none");
        buffer = (buffer << 6 | static_cast<uint32_t>(value)) & 0xFFFFFF;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<char>(buffer >> bits & 0xFF));
    }
    return bytes;
}

// Darts' double array.
class Prefixes {
public:
    explicit Prefixes(std::vector<uint32_t> units) : units_(std::move(units)) {}

    // The value of the shortest entry that is a prefix of `text`; -1 if there is none.
    int64_t first(std::string_view text) const {
        if (units_.empty()) return -1;
        size_t at = offset(units_[0]);
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if (byte == 0) return -1;
            at ^= byte;
            if (at >= units_.size()) return -1;
            const uint32_t unit = units_[at];
            if ((unit & (uint32_t{1} << 31 | 0xFF)) != byte) return -1;
            at ^= offset(unit);
            if ((unit >> 8 & 1) == 0) continue;
            if (at >= units_.size()) return -1;
            return units_[at] & ~(uint32_t{1} << 31);
        }
        return -1;
    }

private:
    static size_t offset(uint32_t unit) { return static_cast<size_t>(unit >> 10) << ((unit & (uint32_t{1} << 9)) >> 6); }
    std::vector<uint32_t> units_;
};

class CharsmapNormalizer final : public Normalizer {
public:
    explicit CharsmapNormalizer(const Component& component) : prefixes_({}) {
        const std::string map = from_base64(component.text("precompiled_charsmap"), component);
        uint32_t size = 0;
        if (map.size() < sizeof size)
            component.fail("precompiled_charsmap", "a table", std::to_string(map.size()) + " bytes");
        std::memcpy(&size, map.data(), sizeof size);
        if (size % sizeof(uint32_t) != 0 || size > map.size() - sizeof size)
            component.fail("precompiled_charsmap", "an array within the table", std::to_string(size) + " bytes");
        std::vector<uint32_t> units(size / sizeof(uint32_t));
        std::memcpy(units.data(), map.data() + sizeof size, size);
        prefixes_ = Prefixes(std::move(units));
        texts_ = map.substr(sizeof size + size);
        if (invalid_utf8_at(texts_) != std::string::npos) component.fail("precompiled_charsmap", "UTF-8", "other bytes");
        UErrorCode status = U_ZERO_ERROR;
        graphemes_.reset(icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
        if (U_FAILURE(status)) throw Error(component.where(), "ICU's graphemes", u_errorName(status));
    }

    void apply(NormalizedText& text) const override {
        std::string out;
        out.reserve(text.text.size());
        const std::string_view all = text.text;
        UErrorCode status = U_ZERO_ERROR;
        const std::unique_ptr<icu::BreakIterator> breaks(graphemes_->clone());
        UText* view = utext_openUTF8(nullptr, all.data(), static_cast<int64_t>(all.size()), &status);
        breaks->setText(view, status);
        for (int32_t begin = breaks->first(), end = breaks->next(); end != icu::BreakIterator::DONE && U_SUCCESS(status);
             begin = end, end = breaks->next())
            replace_grapheme(all.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)), out);
        utext_close(view);
        if (U_FAILURE(status)) throw Error("tokenizer", "ICU's graphemes", u_errorName(status));
        text.text = std::move(out);
    }

private:
    bool replacement(std::string_view part, std::string_view& found) const {
        const int64_t index = prefixes_.first(part);
        if (index < 0 || static_cast<size_t>(index) >= texts_.size()) return false;
        found = std::string_view(texts_).substr(static_cast<size_t>(index));
        found = found.substr(0, found.find('\0'));
        return true;
    }

    void replace_grapheme(std::string_view grapheme, std::string& out) const {
        std::string_view found;
        if (grapheme.size() < kShortGrapheme && replacement(grapheme, found)) {
            out += found;
            return;
        }
        for (size_t at = 0; at < grapheme.size();) {
            const std::string_view part = grapheme.substr(at, code_point_at(grapheme, at).bytes);
            out += replacement(part, found) ? found : part;
            at += part.size();
        }
    }

    Prefixes prefixes_;
    std::string texts_;  // replacements, each ended by a zero byte
    std::unique_ptr<icu::BreakIterator> graphemes_;
};

}  // namespace

std::unique_ptr<Normalizer> make_charsmap_normalizer(const Component& component) {
    return std::make_unique<CharsmapNormalizer>(component);
}

}  // namespace craft

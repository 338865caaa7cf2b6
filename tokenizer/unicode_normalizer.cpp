// NFC, NFD, NFKC and NFKD with the tables of Unicode 9, as the `tokenizers` library has them: characters that came later are
// left as they are.
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uniset.h>

#include <algorithm>

#include "core/error.h"
#include "tokenizer/normalizers.h"

namespace craft {

namespace {

constexpr size_t kMostBytes = size_t{1} << 30;  // ICU counts in int32_t

const icu::UnicodeSet& characters_of_unicode_9() {
    static const icu::UnicodeSet set = [] {
        UErrorCode status = U_ZERO_ERROR;
        icu::UnicodeSet known(icu::UnicodeString("[:age=9.0:]"), status);
        if (U_FAILURE(status)) throw Error("ICU's character sets", "[:age=9.0:]", u_errorName(status));
        known.freeze();
        return known;
    }();
    return set;
}

bool is_ascii(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

class UnicodeNormalizer final : public Normalizer {
public:
    explicit UnicodeNormalizer(const icu::Normalizer2& form) : form_(form, characters_of_unicode_9()) {}

    void apply(NormalizedText& text) const override {
        if (is_ascii(text.text)) return;  // it is in every form
        if (text.text.size() > kMostBytes)
            throw Error("tokenizer", "texts of at most " + std::to_string(kMostBytes) + " bytes",
                        std::to_string(text.text.size()));
        UErrorCode status = U_ZERO_ERROR;
        const icu::StringPiece piece(text.text.data(), static_cast<int32_t>(text.text.size()));
        // Filtered forms have no fast path for UTF-8.
        const icu::UnicodeString changed =
            static_cast<const icu::Normalizer2&>(form_).normalize(icu::UnicodeString::fromUTF8(piece), status);
        if (U_FAILURE(status)) throw Error("tokenizer", "ICU's normalization", u_errorName(status));
        std::string out;
        changed.toUTF8String(out);
        text.text = std::move(out);
    }

private:
    icu::FilteredNormalizer2 form_;
};

const icu::Normalizer2& form_of(const std::string& name) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* form = name == "NFC"    ? icu::Normalizer2::getNFCInstance(status)
                                   : name == "NFD"  ? icu::Normalizer2::getNFDInstance(status)
                                   : name == "NFKC" ? icu::Normalizer2::getNFKCInstance(status)
                                                    : icu::Normalizer2::getNFKDInstance(status);
    if (U_FAILURE(status)) throw Error("ICU's normal form " + name, "its data", u_errorName(status));
    return *form;
}

}  // namespace

void decompose(NormalizedText& text) {
    static const UnicodeNormalizer nfd(form_of("NFD"));
    nfd.apply(text);
}

std::unique_ptr<Normalizer> make_unicode_normalizer(const Component& component) {
    return std::make_unique<UnicodeNormalizer>(form_of(component.type()));
}

}  // namespace craft

// NFC, NFD, NFKC and NFKD with the tables of Unicode 9, as the `tokenizers` library has them: characters that came later are
// left as they are.
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uniset.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "model/tokenizer/normalizers.h"

namespace craft {

namespace {

constexpr size_t kMaxBytes = size_t{1} << 30;  // ICU counts in int32_t

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

// ICU sorts a mark into those before it one by one: runs longer than this are sorted before it sees them.
constexpr int kLongRun = 30;

bool has_long_run(const icu::Normalizer2& form, const icu::UnicodeString& text) {
    int run = 0;
    for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
        run = form.hasBoundaryBefore(text.char32At(at)) ? 0 : run + 1;
        if (run > kLongRun) return true;
    }
    return false;
}

// Characters decomposed as `form` does, marks in their canonical order: in the same form as `text`, for ICU to continue
// with.
icu::UnicodeString decomposed_in_order(const icu::Normalizer2& form, const icu::UnicodeString& text) {
    struct Mark {
        UChar32 character;
        uint8_t order;
    };
    icu::UnicodeString out, parts;
    std::vector<Mark> marks;
    const auto flush = [&] {
        std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.order < b.order; });
        for (const Mark& mark : marks) out.append(mark.character);
        marks.clear();
    };
    for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
        const UChar32 whole = text.char32At(at);
        if (!form.getDecomposition(whole, parts)) parts = icu::UnicodeString(whole);
        for (int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) {
            const UChar32 c = parts.char32At(i);
            const uint8_t order = form.getCombiningClass(c);
            if (order == 0) flush();
            if (order == 0)
                out.append(c);
            else
                marks.push_back({c, order});
        }
    }
    flush();
    return out;
}

class UnicodeNormalizer final : public Normalizer {
public:
    explicit UnicodeNormalizer(const icu::Normalizer2& form) : form_(form, characters_of_unicode_9()) {}

    void apply(NormalizedText& text) const override {
        if (is_ascii(text.text)) return;  // it is in every form
        if (text.text.size() > kMaxBytes)
            throw Error("tokenizer", "texts of at most " + std::to_string(kMaxBytes) + " bytes",
                        std::to_string(text.text.size()));
        UErrorCode status = U_ZERO_ERROR;
        const icu::StringPiece piece(text.text.data(), static_cast<int32_t>(text.text.size()));
        // Filtered forms have no fast path for UTF-8.
        const icu::Normalizer2& form = form_;
        icu::UnicodeString before = icu::UnicodeString::fromUTF8(piece);
        if (has_long_run(form, before)) before = decomposed_in_order(form, before);
        const icu::UnicodeString changed = form.normalize(before, status);
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

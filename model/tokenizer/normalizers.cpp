#include "model/tokenizer/normalizers.h"

#include <vector>

#include "core/error.h"
#include "model/tokenizer/byte_alphabet.h"
#include "model/tokenizer/component_table.h"
#include "model/tokenizer/pre_tokenizers.h"
#include "model/tokenizer/unicode_classes.h"
#include "text/code_points.h"

namespace craft {

namespace {

class SequenceNormalizer final : public Normalizer {
public:
    explicit SequenceNormalizer(const Component& component) {
        for (const Component& part : component.components("normalizers")) parts_.push_back(make_normalizer(part));
    }
    void apply(NormalizedText& text) const override {
        for (const auto& part : parts_) part->apply(text);
    }

private:
    std::vector<std::unique_ptr<Normalizer>> parts_;
};

class LowercaseNormalizer final : public Normalizer {
public:
    void apply(NormalizedText& text) const override {
        std::string lower;
        lower.reserve(text.text.size());
        for (size_t at = 0; at < text.text.size();) {
            const CodePoint c = code_point_at(text.text, at);
            append_lower_case(lower, c.value);
            at += c.bytes;
        }
        text.text = std::move(lower);
    }
};

class StripAccentsNormalizer final : public Normalizer {
public:
    void apply(NormalizedText& text) const override {
        filter_characters(text, [](char32_t c) { return !is_combining_mark(c); });
    }
};

class ByteLevelNormalizer final : public Normalizer {
public:
    void apply(NormalizedText& text) const override { text.text = to_byte_alphabet(text.text); }
};

// sentencepiece's nmt rules: some control characters go, others and odd blanks become blanks.
class NmtNormalizer final : public Normalizer {
public:
    void apply(NormalizedText& text) const override {
        filter_characters(text, [](char32_t c) {
            return !((c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F ||
                     c == 0x9F);
        });
        std::string out;
        for (size_t at = 0; at < text.text.size();) {
            const CodePoint c = code_point_at(text.text, at);
            if (is_blank(c.value))
                out += ' ';
            else
                out.append(text.text, at, c.bytes);
            at += c.bytes;
        }
        text.text = std::move(out);
    }

private:
    static bool is_blank(char32_t c) {
        return c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
               c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
    }
};

class PrependNormalizer final : public Normalizer {
public:
    explicit PrependNormalizer(const Component& component) : prepend_(component.text("prepend")) {}
    void apply(NormalizedText& text) const override {
        if (!text.text.empty()) text.text.insert(0, prepend_);
    }

private:
    std::string prepend_;
};

class StripNormalizer final : public Normalizer {
public:
    explicit StripNormalizer(const Component& component)
        : left_(component.flag("strip_left")), right_(component.flag("strip_right")) {}
    void apply(NormalizedText& text) const override {
        size_t begin = 0, end = text.text.size();
        while (left_ && begin < end) {
            const CodePoint c = code_point_at(text.text, begin);
            if (!is_white_space(c.value)) break;
            begin += c.bytes;
        }
        while (right_ && end > begin) {
            const CodePoint c = code_point_before(text.text, end);
            if (!is_white_space(c.value)) break;
            end -= c.bytes;
        }
        if (begin > 0) text.at_start = false;
        text.text = text.text.substr(begin, end - begin);
    }

private:
    bool left_, right_;
};

class ReplaceNormalizer final : public Normalizer {
public:
    explicit ReplaceNormalizer(const Component& component)
        : pattern_(pattern_of(component)), content_(component.text("content")) {}
    void apply(NormalizedText& text) const override {
        std::vector<PatternSpan> spans;
        pattern_.spans(text.text, spans);
        std::string out;
        out.reserve(text.text.size());
        for (const PatternSpan& span : spans) {
            if (!span.match) {
                out.append(text.text, span.begin, span.end - span.begin);
                continue;
            }
            // What replaces several characters counts as coming from the last of them.
            const bool one_character =
                span.end == span.begin || code_point_at(text.text, span.begin).bytes == span.end - span.begin;
            if (span.begin == 0 && span.end > 0 && (content_.empty() || !one_character)) text.at_start = false;
            out += content_;
        }
        text.text = std::move(out);
    }

private:
    Pattern pattern_;
    std::string content_;
};

template <class Kind>
constexpr auto plain_normalizer = make_part<Normalizer, Kind>;

const ComponentTable<Normalizer>& normalizer_makers() {
    static const ComponentTable<Normalizer> known = {
        {"BertNormalizer", make_bert_normalizer},
        {"ByteLevel", plain_normalizer<ByteLevelNormalizer>},
        {"Lowercase", plain_normalizer<LowercaseNormalizer>},
        {"NFC", make_unicode_normalizer},
        {"NFD", make_unicode_normalizer},
        {"NFKC", make_unicode_normalizer},
        {"NFKD", make_unicode_normalizer},
        {"Nmt", plain_normalizer<NmtNormalizer>},
        {"Precompiled", make_charsmap_normalizer},
        {"Prepend", plain_normalizer<PrependNormalizer>},
        {"Replace", plain_normalizer<ReplaceNormalizer>},
        {"Sequence", plain_normalizer<SequenceNormalizer>},
        {"Strip", plain_normalizer<StripNormalizer>},
        {"StripAccents", plain_normalizer<StripAccentsNormalizer>},
    };
    return known;
}

}  // namespace

void filter_characters(NormalizedText& text, bool (*keep)(char32_t)) {
    std::string out;
    out.reserve(text.text.size());
    for (size_t at = 0; at < text.text.size();) {
        const CodePoint c = code_point_at(text.text, at);
        if (keep(c.value))
            out.append(text.text, at, c.bytes);
        else if (out.empty())
            text.at_start = false;
        at += c.bytes;
    }
    text.text = std::move(out);
}

std::unique_ptr<Normalizer> make_normalizer(const Component& component) {
    return make_from(normalizer_makers(), component, "normalizer");
}

}  // namespace craft

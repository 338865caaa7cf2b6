// BERT's cleaning of texts.
#include "model/tokenizer/normalizers.h"
#include "model/tokenizer/unicode_classes.h"
#include "text/code_points.h"

namespace craft {

namespace {

bool is_kept(char32_t c) {
    if (c == '\t' || c == '\n' || c == '\r') return true;
    return c != 0 && c != 0xFFFD && !is_control_or_format(c);
}

class BertNormalizer final : public Normalizer {
public:
    explicit BertNormalizer(const Component& component)
        : clean_(component.flag("clean_text")),
          isolate_ideographs_(component.flag("handle_chinese_chars")),
          lowercase_(component.flag("lowercase")),
          strip_accents_(component.flag("strip_accents", lowercase_)) {}

    void apply(NormalizedText& text) const override {
        if (clean_) filter_characters(text, is_kept);
        if (clean_)
            rewrite(text, [](std::string& out, std::string_view bytes, char32_t c) {
                if (is_white_space(c))
                    out += ' ';
                else
                    out += bytes;
            });
        if (isolate_ideographs_)
            rewrite(text, [](std::string& out, std::string_view bytes, char32_t c) {
                if (is_cjk_ideograph(c))
                    out.append(" ").append(bytes).append(" ");
                else
                    out += bytes;
            });
        if (strip_accents_) {
            decompose(text);
            filter_characters(text, [](char32_t c) { return !is_nonspacing_mark(c); });
        }
        if (lowercase_) rewrite(text, [](std::string& out, std::string_view, char32_t c) { append_lower_case(out, c); });
    }

private:
    template <class Change>
    static void rewrite(NormalizedText& text, Change change) {
        std::string out;
        out.reserve(text.text.size() + 16);
        for (size_t at = 0; at < text.text.size();) {
            const CodePoint c = code_point_at(text.text, at);
            change(out, std::string_view(text.text).substr(at, c.bytes), c.value);
            at += c.bytes;
        }
        text.text = std::move(out);
    }

    bool clean_, isolate_ideographs_, lowercase_, strip_accents_;
};

}  // namespace

std::unique_ptr<Normalizer> make_bert_normalizer(const Component& component) {
    return std::make_unique<BertNormalizer>(component);
}

}  // namespace craft

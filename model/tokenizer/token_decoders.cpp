#include "model/tokenizer/token_decoders.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"
#include "model/tokenizer/component_table.h"
#include "model/tokenizer/metaspace.h"
#include "model/tokenizer/pre_tokenizers.h"
#include "text/code_points.h"

namespace craft {

namespace {

// English punctuation without the blank before it, as BERT's tokenizers of old cleaned up.
std::string cleaned_up(std::string text) {
    static const std::vector<std::pair<std::string, std::string>> changes = {
        {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
        {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [from, to] : changes) text = replaced(text, from, to);
    return text;
}

// Of decoders that look at each token by itself.
bool spell_as_any(const TokenDecoder& decoder, std::string& token) {
    std::vector<std::string> alone = {token};
    decoder.decode(alone);
    token = std::move(alone[0]);
    return true;
}

class SequenceDecoder final : public TokenDecoder {
public:
    explicit SequenceDecoder(const Component& component) {
        for (const Component& part : component.components("decoders")) parts_.push_back(make_token_decoder(part));
    }
    void decode(std::vector<std::string>& tokens) const override {
        for (const auto& part : parts_) part->decode(tokens);
    }
    // What comes after a part that makes one text of all tokens does not see them any more.
    bool spell_inside(std::string& token) const override {
        bool is_one_text = false;
        for (const auto& part : parts_) {
            if (is_one_text && !part->changes_ends_alone() && !part->makes_one_text()) return false;
            if (is_one_text) continue;
            if (!part->spell_inside(token)) return false;
            // Bytes that are no character are nothing that another part looks for.
            if (invalid_utf8_at(token) != std::string::npos) return true;
            is_one_text = part->makes_one_text();
        }
        return true;
    }
    size_t unsettled(const std::vector<std::string>& tokens) const override {
        size_t most = 0;
        for (const auto& part : parts_) most = std::max(most, part->unsettled(tokens));
        return most;
    }

private:
    std::vector<std::unique_ptr<TokenDecoder>> parts_;
};

class BytePairDecoder final : public TokenDecoder {
public:
    explicit BytePairDecoder(const Component& component) : suffix_(component.text("suffix")) {}
    void decode(std::vector<std::string>& tokens) const override {
        for (size_t i = 0; i < tokens.size(); ++i)
            tokens[i] = replaced(tokens[i], suffix_, i + 1 < tokens.size() ? " " : "");
    }
    // The last token has no blank after it.
    size_t unsettled(const std::vector<std::string>& tokens) const override { return tokens.empty() ? 0 : 1; }

private:
    std::string suffix_;
};

class CtcDecoder final : public TokenDecoder {
public:
    explicit CtcDecoder(const Component& component)
        : pad_(component.text("pad_token")),
          blank_(component.text("word_delimiter_token")),
          clean_(component.flag("cleanup")) {}
    void decode(std::vector<std::string>& tokens) const override {
        tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
        std::vector<std::string> texts;
        for (const std::string& token : tokens) {
            std::string text = replaced(token, pad_, "");
            if (clean_) text = replaced(cleaned_up(text), blank_, " ");
            if (!text.empty()) texts.push_back(std::move(text));
        }
        tokens.swap(texts);
    }

private:
    std::string pad_, blank_;
    bool clean_;
};

class FuseDecoder final : public TokenDecoder {
public:
    void decode(std::vector<std::string>& tokens) const override {
        std::string all;
        for (const std::string& token : tokens) all += token;
        tokens = {std::move(all)};
    }
    bool spell_inside(std::string&) const override { return true; }
    bool makes_one_text() const override { return true; }
};

class MetaspaceDecoder final : public TokenDecoder {
public:
    explicit MetaspaceDecoder(const Component& component) : options_(read_metaspace(component)) {}
    void decode(std::vector<std::string>& tokens) const override {
        for (size_t i = 0; i < tokens.size(); ++i)
            tokens[i] =
                replaced(tokens[i], options_.mark, i == 0 && options_.prepend != Metaspace::Prepend::never ? "" : " ");
    }
    bool spell_inside(std::string& token) const override {
        token = replaced(token, options_.mark, " ");
        return true;
    }

private:
    Metaspace options_;
};

class ReplaceDecoder final : public TokenDecoder {
public:
    explicit ReplaceDecoder(const Component& component)
        : pattern_(pattern_of(component)), content_(component.text("content")) {}
    void decode(std::vector<std::string>& tokens) const override {
        std::vector<PatternSpan> spans;
        for (std::string& token : tokens) {
            spans.clear();
            pattern_.spans(token, spans);
            std::string out;
            for (const PatternSpan& span : spans)
                out += span.match ? content_ : token.substr(span.begin, span.end - span.begin);
            token = std::move(out);
        }
    }
    bool spell_inside(std::string& token) const override { return spell_as_any(*this, token); }

private:
    Pattern pattern_;
    std::string content_;
};

class StripDecoder final : public TokenDecoder {
public:
    explicit StripDecoder(const Component& component)
        : content_(component.character("content")), start_(component.number("start")), stop_(component.number("stop")) {}
    void decode(std::vector<std::string>& tokens) const override {
        for (std::string& token : tokens) {
            size_t begin = 0, end = token.size();
            for (int64_t i = 0; i < start_ && token.compare(begin, content_.size(), content_) == 0; ++i)
                begin += content_.size();
            for (int64_t i = 0;
                 i < stop_ && end >= begin + content_.size() && std::string_view(token).substr(0, end).ends_with(content_);
                 ++i)
                end -= content_.size();
            token = token.substr(begin, end - begin);
        }
    }
    bool spell_inside(std::string& token) const override { return spell_as_any(*this, token); }
    bool changes_ends_alone() const override { return true; }
    // What is stripped at the end of a text stands inside it once more follows.
    size_t unsettled(const std::vector<std::string>& tokens) const override {
        return stop_ == 0 ? 0 : std::min(tokens.size(), static_cast<size_t>(stop_));
    }

private:
    std::string content_;
    int64_t start_, stop_;
};

class WordPieceDecoder final : public TokenDecoder {
public:
    explicit WordPieceDecoder(const Component& component)
        : prefix_(component.text("prefix")), clean_(component.flag("cleanup")) {}
    void decode(std::vector<std::string>& tokens) const override {
        for (size_t i = 0; i < tokens.size(); ++i) {
            if (i > 0) tokens[i] = tokens[i].starts_with(prefix_) ? tokens[i].substr(prefix_.size()) : " " + tokens[i];
            if (clean_) tokens[i] = cleaned_up(std::move(tokens[i]));
        }
    }

private:
    std::string prefix_;
    bool clean_;
};

template <class Kind>
constexpr auto plain_token_decoder = make_part<TokenDecoder, Kind>;

const ComponentTable<TokenDecoder>& token_decoder_makers() {
    static const ComponentTable<TokenDecoder> known = {
        {"BPEDecoder", plain_token_decoder<BytePairDecoder>},
        {"ByteFallback", make_byte_fallback_decoder},
        {"ByteLevel", make_byte_level_decoder},
        {"CTC", plain_token_decoder<CtcDecoder>},
        {"Fuse", plain_token_decoder<FuseDecoder>},
        {"Metaspace", plain_token_decoder<MetaspaceDecoder>},
        {"Replace", plain_token_decoder<ReplaceDecoder>},
        {"Sequence", plain_token_decoder<SequenceDecoder>},
        {"Strip", plain_token_decoder<StripDecoder>},
        {"WordPiece", plain_token_decoder<WordPieceDecoder>},
    };
    return known;
}

}  // namespace

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
    std::string out;
    if (from.empty()) {
        for (size_t at = 0; at < text.size();) {
            const size_t bytes = code_point_at(text, at).bytes;
            out.append(to).append(text, at, bytes);
            at += bytes;
        }
        return out + to;
    }
    size_t done = 0;
    for (size_t at = text.find(from); at != text.npos; at = text.find(from, done)) {
        out.append(text, done, at - done).append(to);
        done = at + from.size();
    }
    return out.append(text, done);
}

std::unique_ptr<TokenDecoder> make_token_decoder(const Component& component) {
    return make_from(token_decoder_makers(), component, "decoder");
}

}  // namespace craft

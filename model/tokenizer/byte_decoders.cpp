// Decoders of tokens that are bytes: GPT-2's alphabet and sentencepiece's <0x0A>.
#include "core/utf8.h"
#include "model/tokenizer/byte_alphabet.h"
#include "model/tokenizer/token_decoders.h"
#include "model/tokenizer/unicode_classes.h"

namespace craft {

namespace {

// Bytes at the end that begin a character and do not finish it.
size_t open_character(const std::string& bytes) {
    for (size_t length = 1; length <= 3 && length <= bytes.size(); ++length) {
        const auto lead = static_cast<unsigned char>(bytes[bytes.size() - length]);
        if ((lead & 0xC0) == 0x80) continue;
        const size_t whole = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
        return length < whole ? length : 0;
    }
    return 0;
}

class ByteLevelDecoder final : public TokenDecoder {
public:
    void decode(std::vector<std::string>& tokens) const override {
        std::string bytes;
        for (const std::string& token : tokens)
            if (!append_from_byte_alphabet(bytes, token)) bytes += token;
        tokens = {invalid_utf8_at(bytes) == std::string::npos ? std::move(bytes) : replace_invalid_utf8(bytes)};
    }
    bool spell_inside(std::string& token) const override {
        std::string bytes;
        if (append_from_byte_alphabet(bytes, token)) token = std::move(bytes);
        return true;
    }
    bool makes_one_text() const override { return true; }
    // The last tokens back to one that ends with a whole character.
    size_t unsettled(const std::vector<std::string>& tokens) const override {
        std::string bytes;  // of all tokens that can take part: an open character has three bytes at most
        std::vector<size_t> sizes;
        for (auto token = tokens.rbegin(); token != tokens.rend() && sizes.size() < 8; ++token) {
            std::string part;
            if (!append_from_byte_alphabet(part, *token)) part = *token;
            bytes.insert(0, part);
            sizes.push_back(part.size());
        }
        size_t count = 0;
        while (count < sizes.size() && open_character(bytes) > 0) bytes.resize(bytes.size() - sizes[count++]);
        return count;
    }
};

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The byte of "<0x0A>"; -1 for other tokens. Rust reads a sign before one digit too.
int byte_of(const std::string& token) {
    if (token.size() != 6 || token.compare(0, 3, "<0x") != 0 || token[5] != '>') return -1;
    const int high = token[3] == '+' ? 0 : hex_value(token[3]), low = hex_value(token[4]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

class ByteFallbackDecoder final : public TokenDecoder {
public:
    void decode(std::vector<std::string>& tokens) const override {
        std::vector<std::string> texts;
        std::string run;
        const auto close = [&] {
            if (run.empty()) return;
            if (invalid_utf8_at(run) == std::string::npos)
                texts.push_back(run);
            else
                texts.insert(texts.end(), run.size(), "\xef\xbf\xbd");
            run.clear();
        };
        for (std::string& token : tokens) {
            if (const int byte = byte_of(token); byte >= 0) {
                run.push_back(static_cast<char>(byte));
                continue;
            }
            close();
            texts.push_back(std::move(token));
        }
        close();
        tokens.swap(texts);
    }
    bool spell_inside(std::string& token) const override {
        if (const int byte = byte_of(token); byte >= 0) token = std::string(1, static_cast<char>(byte));
        return true;
    }
    // A run of bytes is one text or none, so that its last byte decides.
    size_t unsettled(const std::vector<std::string>& tokens) const override {
        size_t count = 0;
        for (auto token = tokens.rbegin(); token != tokens.rend() && byte_of(*token) >= 0; ++token) ++count;
        return count;
    }
};

}  // namespace

std::unique_ptr<TokenDecoder> make_byte_level_decoder(const Component&) {
    return std::make_unique<ByteLevelDecoder>();
}

std::unique_ptr<TokenDecoder> make_byte_fallback_decoder(const Component&) {
    return std::make_unique<ByteFallbackDecoder>();
}

}  // namespace craft

#include "tokenizer/plain_text.h"

#include <algorithm>

namespace craft {

std::vector<int64_t> encode_plain(const Tokenizer& tokenizer, const std::string& text) {
    std::vector<int64_t> tokens = tokenizer.leading_tokens();
    const auto body = tokenizer.encode(text, /*allow_special=*/true);
    tokens.insert(tokens.end(), body.begin(), body.end());
    return tokens;
}

std::vector<int64_t> encode_whole(const Tokenizer& tokenizer, const std::string& text) {
    std::vector<int64_t> tokens = encode_plain(tokenizer, text);
    const std::vector<int64_t> trailing = tokenizer.trailing_tokens();
    tokens.insert(tokens.end(), trailing.begin(), trailing.end());
    return tokens;
}

PlainTokens encode_plain(const Tokenizer& tokenizer, const std::string& prompt, const std::string& completion) {
    const std::vector<int64_t> alone = encode_plain(tokenizer, prompt);
    PlainTokens out{encode_plain(tokenizer, prompt + completion), 0};
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(alone.size(), out.tokens.size()));
    out.prompt =
        static_cast<size_t>(std::mismatch(alone.begin(), alone.begin() + shorter, out.tokens.begin()).first - alone.begin());
    return out;
}

}  // namespace craft

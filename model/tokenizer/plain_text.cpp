#include "model/tokenizer/plain_text.h"

#include <algorithm>

#include "core/log.h"

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

namespace {

std::string spelling_of_leading_tokens(const Tokenizer& tokenizer) {
    const std::vector<int64_t> leading = tokenizer.leading_tokens();
    return leading.empty() ? "" : tokenizer.decode(leading, /*keep_special=*/true);
}

}  // namespace

bool spells_leading_tokens(const Tokenizer& tokenizer, const std::string& text) {
    const std::string spelling = spelling_of_leading_tokens(tokenizer);
    return !spelling.empty() && text.starts_with(spelling);
}

void warn_of_doubled_starts(const Tokenizer& tokenizer, const std::string& file, int64_t count) {
    if (count == 0) return;
    log_warning((file == "-" ? "stdin" : file) + ": prompts begin with " + spelling_of_leading_tokens(tokenizer) +
                    ", which the tokenizer itself puts in front of plain strings: it occurs twice",
                {{"prompts", count}});
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

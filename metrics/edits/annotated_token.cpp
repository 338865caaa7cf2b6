#include "metrics/edits/annotated_token.h"

#include "text/utf8.h"

namespace craft {

AnnotatedTokens plain_tokens(const std::vector<std::string>& texts) {
    AnnotatedTokens tokens;
    tokens.reserve(texts.size());
    for (const std::string& text : texts) {
        AnnotatedToken token;
        token.text = text;
        token.lower = lowercase(text);
        token.lemma = token.lower;
        tokens.push_back(std::move(token));
    }
    return tokens;
}

}  // namespace craft

// A tokenizer for small models of 40 tokens: a letter is 6 + its place in the alphabet, anything else 5; texts stand between
// 0 and 2, as BART's do.
#pragma once

#include <string>
#include <vector>

#include "model/tokenizer/tokenizer.h"

namespace craft::test {

struct LetterTokenizer : Tokenizer {
    std::vector<int64_t> around = {0, 2};  // before and after a text; empty: nothing
    int64_t size = 40;
    std::vector<int64_t> encode_around(std::string_view text, const std::vector<ByteRange>&) const override {
        std::vector<int64_t> ids;
        for (const char c : text) ids.push_back(c >= 'a' && c <= 'z' ? 6 + c - 'a' : 5);
        return ids;
    }
    std::string decode(const std::vector<int64_t>&, bool) const override { return ""; }
    int64_t vocabulary_size() const override { return size; }
    int64_t id_of(std::string_view) const override { return -1; }
    std::vector<int64_t> leading_tokens() const override {
        return around.empty() ? std::vector<int64_t>{} : std::vector<int64_t>{around[0]};
    }
    std::vector<int64_t> trailing_tokens() const override {
        return around.empty() ? std::vector<int64_t>{} : std::vector<int64_t>{around[1]};
    }
    int64_t end_token() const override { return 2; }
};

}  // namespace craft::test

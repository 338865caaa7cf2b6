// Text of tokens as they come, one by one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/tokenizer/tokenizer.h"

namespace craft {

// What push() and finish() return is, put together, what the tokenizer decodes from all tokens; a character is never cut.
class StreamDecoder {
public:
    // The tokenizer must outlive the decoder.
    StreamDecoder(const Tokenizer& tokenizer, bool keep_special) : tokenizer_(tokenizer), keep_special_(keep_special) {}
    // The text that is final with this token, often "" while a character is not whole. Throws as Tokenizer::decode does.
    std::string push(int64_t token);
    // The rest.
    std::string finish();

private:
    std::string emit(size_t settled);
    void forget();
    const Tokenizer& tokenizer_;
    bool keep_special_;
    std::vector<int64_t> window_;  // the last tokens: enough to read the next ones in their surroundings
    std::string text_;             // of the window's settled tokens, given out already
};

}  // namespace craft

// llama.cpp's names for how texts are cut into words before byte pairs merge. Inside model/files only.
#pragma once

#include <string>
#include <vector>

#include "model/files/gguf.h"

namespace craft {

struct GgufPreTokenizer {
    std::vector<std::string> expressions;  // one after another; what is between matches is a word too
    bool takes_whole_words = false;        // a word of the vocabulary is taken as it is, without merges
    bool normalises = false;               // to NFC, first
    bool adds_bos = false;                 // where add_bos_token does not say it
};

// Throws Error naming tokenizer.ggml.pre and listing the known ones.
GgufPreTokenizer gguf_pre_tokenizer(const GgufFile& file);

}  // namespace craft

// What a figure says of the model that it was computed with.
#pragma once

#include <string>

namespace craft {

struct ModelSignature {
    std::string hash;   // of the model's files, tokenizer and all (core/files.h)
    std::string dtype;  // that it computes in: "float32", "bfloat16"
};

}  // namespace craft

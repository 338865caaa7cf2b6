// The fields of Metaspace, a pre-tokenizer and a decoder: sentencepiece's mark for blanks. Inside model/tokenizer/ only.
#pragma once

#include <string>

#include "model/tokenizer/component.h"

namespace craft {

struct Metaspace {
    enum class Prepend { first, never, always };
    std::string mark;  // one character
    Prepend prepend = Prepend::always;
    bool split = true;
};

// Throws Error naming the component.
Metaspace read_metaspace(const Component& component);

}  // namespace craft

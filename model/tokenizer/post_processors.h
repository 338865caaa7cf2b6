// Post-processors of tokenizer.json: the tokens that a tokenizer adds around a text. Inside model/tokenizer/ only.
#pragma once

#include <cstdint>
#include <vector>

#include "model/tokenizer/component.h"

namespace craft {

struct TokensAround {
    std::vector<int64_t> leading, trailing;
};

// BertProcessing, ByteLevel, RobertaProcessing, Sequence, TemplateProcessing (of one text; that of pairs is not looked at).
// Throws Error naming the component: another type, a field that is absent or of the wrong type, a template without the text
// or with the text twice.
TokensAround read_post_processor(const Component& component);

}  // namespace craft

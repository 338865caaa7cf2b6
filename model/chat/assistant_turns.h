// Where in a rendered conversation the assistant speaks. Inside model/chat/ only.
#pragma once

#include <string>
#include <vector>

#include "model/tokenizer/tokenizer.h"
#include "text/jinja/template.h"

namespace craft {

// What a template writes around what the assistant says.
struct TurnFrame {
    std::string opening;  // the generation prompt, e.g. "<|im_start|>assistant\n"; may be empty
    std::string closing;  // the end-of-turn token, e.g. "<|im_end|>"; may be empty
};

enum class TurnKind {
    other,     // not the assistant's
    counted,   // the assistant's
    left_out,  // the assistant's, but left out of the loss
};

// The bytes that the model would have written, ascending and apart, of the counted turns.
//
// RenderOptions a prefix of the messages does not find them: templates change earlier turns when later ones come (Qwen3
// leaves out the thinking of all turns but the last). So it goes by what was printed: a turn is what the loop over the
// messages printed for that message; it begins after what it shares with the generation prompt (at most up to the first
// byte of the message itself), and ends with the first end-of-turn token after the message's last byte. If the template has
// {% generation %} blocks, they say it instead.
std::vector<ByteRange> assistant_ranges(const jinja::Rendered& rendered, const std::vector<TurnKind>& kinds,
                                        const TurnFrame& frame);

// The frame, from what a template printed for a user's turn with the generation prompt (two renderings: with and without
// it) and for a user's and an assistant's turn. `spellings` are special tokens.
std::string opening_of(const jinja::Rendered& with_prompt, const jinja::Rendered& without);
std::string closing_of(const jinja::Rendered& answered, int assistant, const std::vector<std::string>& spellings);

}  // namespace craft

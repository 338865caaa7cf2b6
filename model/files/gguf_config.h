// What the metadata of a GGUF file says of a model, in the words of a Hugging Face folder.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "model/files/gguf.h"

namespace craft {

// config.json. Throws Error naming file and key: an architecture that is not known (the known ones are listed), missing or
// inconsistent sizes, and any key of the architecture that is not known, since what it asks for might show in long texts
// only.
Json gguf_config(const GgufFile& file);
// generation_config.json: the tokens around a text, all that end one, and how the maker samples.
Json gguf_generation_config(const GgufFile& file);

// How a tensor lies in the file, beside how transformers has it.
enum class GgufLayout {
    same,
    interleaved,  // rows of queries or keys, head by head: those of a rotary pair one after the other
    transposed,
    plus_one,  // norms that multiply by 1 + weight: the file holds the sum
};

// A tensor under transformers' name.
struct GgufWeight {
    std::string name;    // "model.layers.0.self_attn.q_proj.weight"
    std::string stored;  // "blk.0.attn_q.weight"
    GgufLayout layout = GgufLayout::same;
    int64_t heads = 0;           // of interleaved rows
    std::vector<int64_t> shape;  // as transformers has it
};
// All tensors but those that the config is made of (rope_freqs.weight ...). Throws Error naming file and tensor if one is
// not the architecture's.
std::vector<GgufWeight> gguf_weights(const GgufFile& file);

}  // namespace craft

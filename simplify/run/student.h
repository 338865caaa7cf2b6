// The model that is taught to simplify: its base, and what a training makes of it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "model/chat/chat_template.h"
#include "model/decoder/decoder.h"
#include "model/tokenizer/tokenizer.h"
#include "systems/system.h"

namespace craft {

// A model opened once. `decoder` carries the adapter of the training at hand and shares the base's weights.
struct Student {
    Decoder base, decoder;
    std::shared_ptr<const Tokenizer> tokenizer;
    std::shared_ptr<const ChatTemplate> chat;

    // `chat_template`: a file or the name of one that ships; empty: the model's own. Throws Error as Decoder::load,
    // open_tokenizer and open_chat_template do.
    static Student open(const std::filesystem::path& model, const std::string& chat_template, at::ScalarType dtype,
                        const at::Device& device);
    void forget_adapter() { decoder = base; }
    // In place of the present one. Throws Error as Decoder::load_adapter does.
    void load_adapter(const std::filesystem::path& folder);
    // A system that answers with the present decoder. It must be destroyed before the decoder is trained further.
    std::shared_ptr<System> system(uint64_t seed) const;
};

}  // namespace craft

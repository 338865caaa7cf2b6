// Chat templates: messages to the text that a model was trained on, and which of its tokens are the assistant's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/message.h"
#include "tokenizer/tokenizer.h"

namespace craft {

// Tokens of a conversation. `assistant` marks the content of every assistant turn through its end-of-turn token; what the
// template writes after it (ChatML's newline) is not marked.
struct EncodedChat {
    std::vector<int64_t> tokens;
    std::vector<uint8_t> assistant;
};

class ChatTemplate {
public:
    virtual ~ChatTemplate() = default;
    virtual std::string name() const = 0;
    virtual std::string render(const std::vector<Message>& messages, bool generation_prompt) const = 0;
    // Contents are encoded as text unless allow_special; the template's own tokens are always special. Rendering a prefix of
    // the messages gives a prefix of the tokens.
    virtual EncodedChat encode(const Tokenizer& tokenizer, const std::vector<Message>& messages, bool generation_prompt,
                               bool allow_special) const = 0;
    virtual std::string end_of_turn() const = 0;  // the token that ends an assistant's turn
};

// The template of a model folder (chat_template.jinja or tokenizer_config.json). Throws Error that lists the known ones if
// it is not recognised.
std::shared_ptr<ChatTemplate> open_chat_template(const std::filesystem::path& folder);

}  // namespace craft

// Chat templates: messages to the text that a model was trained on, and which of its tokens are the assistant's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/conversation.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {

// How a conversation is rendered.
struct RenderOptions {
    bool generation_prompt = false;  // the opening of an assistant's turn at the end
    bool continue_final = false;     // the last message stays open: nothing follows its content
    bool allow_special = false;      // special tokens spelled in messages, tools and variables become tokens (encode only)
};

// Tokens of a conversation. `assistant` marks the content of every assistant turn that counts in a loss (counts_in_loss)
// through its end-of-turn token; what the template writes after it (ChatML's newline) is not marked.
struct EncodedChat {
    std::vector<int64_t> tokens;
    std::vector<uint8_t> assistant;
    // The conversation ends with an assistant's turn that counts, and the template writes no end token after it (the last
    // turn of Qwen1.5, every turn of SOLAR): all that is written after it is marked, and a training appends the end token.
    bool is_unended = false;
};

// What a conversation has and makes no difference to what a template prints.
struct IgnoredFields {
    std::vector<size_t> calls;  // messages, by number, with their tool_calls
    bool tools = false;
};

class ChatTemplate {
public:
    virtual ~ChatTemplate() = default;
    virtual std::string name() const = 0;
    // Throws Error with the template's file and line where the template refuses the conversation or cannot be carried out.
    // Content that is a list of text parts goes to a template that does not take lists as their texts, joined.
    virtual std::string render(const Conversation& conversation, const RenderOptions& how = {}) const = 0;
    // The tokens of render(), none added at either end. Whatever comes from messages, tools, documents and variables is
    // encoded as text unless how.allow_special; the template's own tokens are always special.
    virtual EncodedChat encode(const Tokenizer& tokenizer, const Conversation& conversation,
                               const RenderOptions& how = {}) const = 0;
    // One more rendering where there are calls or tools, up to three where they are left out. Throws as render().
    virtual IgnoredFields left_out(const Conversation& conversation, const RenderOptions& how = {}) const = 0;
    virtual std::string end_of_turn() const = 0;  // the token that ends an assistant's turn; empty if there is none
};

// Counts what the template leaves out of a conversation as keys that nobody reads: one for each message from number `first`
// on whose calls it does not print, and, with `first` 0, one for the tools.
void count_left_out(const ChatTemplate& chat, const Conversation& conversation, const RenderOptions& how,
                    UnknownKeys& unknown, size_t first = 0);
void count_left_out(const IgnoredFields& left, UnknownKeys& unknown, size_t first = 0);

// How a command takes a folder's chat template.
struct ChatOptions {
    std::string chat_template;   // a file, or the name of one that ships, in place of the folder's; empty: the folder's
    bool allow_special = false;  // special tokens spelled in messages, tools and variables count as such
};

// The template of a model folder: chat_template.jinja, else "chat_template" of tokenizer_config.json or chat_template.json
// (a text, or a list of named ones: "default", and "tool_use" where there are tools). `choice`, if not empty, is used
// instead: a file, or the name of one that ships (share/chat_templates). An encoder-decoder without one has that called t5,
// by which messages are texts that follow one another. Throws Error if there is none, which lists those,
// and if it cannot be read; UsageError for an unknown name.
std::shared_ptr<ChatTemplate> open_chat_template(const std::filesystem::path& folder, const std::string& choice = "");
// The same; with allow_special its encode() needs not be told so again.
std::shared_ptr<ChatTemplate> open_chat_template(const std::filesystem::path& folder, const ChatOptions& options);
// One that is opened, and missed (SetupError), by the first conversation: plain strings need none. Throws UsageError for an
// unknown name at once.
std::shared_ptr<ChatTemplate> chat_template_on_demand(const std::filesystem::path& folder, const ChatOptions& options);

// Puts the template that `choice` names into a model folder in place of its own; nothing for an empty choice. Throws
// UsageError for an unknown name.
void put_chat_template(const std::filesystem::path& folder, const std::string& choice);

// The names of the templates that ship.
std::vector<std::string> known_chat_templates();

}  // namespace craft

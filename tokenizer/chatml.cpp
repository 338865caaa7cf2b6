#include "tokenizer/chatml.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"

namespace craft {

namespace {

const std::string kStart = "<|im_start|>", kEnd = "<|im_end|>";

class ChatMl : public ChatTemplate {
public:
    std::string name() const override { return "chatml"; }
    std::string end_of_turn() const override { return kEnd; }

    std::string render(const std::vector<Message>& messages, bool generation_prompt) const override {
        std::string text;
        for (const Message& message : messages)
            text += kStart + role_name(message.role) + "\n" + message.content + kEnd + "\n";
        if (generation_prompt) text += kStart + role_name(Role::assistant) + "\n";
        return text;
    }

    EncodedChat encode(const Tokenizer& tokenizer, const std::vector<Message>& messages, bool generation_prompt,
                       bool allow_special) const override {
        const int64_t start = token(tokenizer, kStart), end = token(tokenizer, kEnd);
        const std::vector<int64_t> newline = tokenizer.encode("\n", false);
        EncodedChat chat;
        const auto append = [&](const auto& tokens, bool assistant) {
            chat.tokens.insert(chat.tokens.end(), tokens.begin(), tokens.end());
            chat.assistant.resize(chat.tokens.size(), assistant ? 1 : 0);
        };
        for (const Message& message : messages) {
            const bool assistant = message.role == Role::assistant;
            const std::string header = role_name(message.role) + "\n";
            const std::vector<int64_t> opening = tokenizer.encode(header, false);
            append(std::vector<int64_t>{start}, false);
            append(opening, false);
            append(content_tokens(tokenizer, header, opening, message.content, allow_special), assistant);
            append(std::vector<int64_t>{end}, assistant);
            append(newline, false);
        }
        if (generation_prompt) {
            append(std::vector<int64_t>{start}, false);
            append(tokenizer.encode(role_name(Role::assistant) + "\n", false), false);
        }
        return chat;
    }

private:
    static int64_t token(const Tokenizer& tokenizer, const std::string& spelling) {
        const int64_t id = tokenizer.id_of(spelling);
        if (id < 0) throw Error("chat template chatml", "a token '" + spelling + "' in the tokenizer", "none");
        return id;
    }

    // Header and content are one text between two special tokens, and encoded as one where the header's tokens stand at its
    // front; else apart, so that a prompt's tokens are always a prefix of the whole conversation's.
    static std::vector<int64_t> content_tokens(const Tokenizer& tokenizer, const std::string& header,
                                               const std::vector<int64_t>& opening, const std::string& content,
                                               bool allow_special) {
        const std::vector<int64_t> joined = tokenizer.encode(header + content, allow_special);
        if (joined.size() >= opening.size() && std::equal(opening.begin(), opening.end(), joined.begin()))
            return {joined.begin() + static_cast<std::ptrdiff_t>(opening.size()), joined.end()};
        return tokenizer.encode(content, allow_special);
    }
};

}  // namespace

std::vector<std::string> chatml_sources() {
    return {
        read_file(share_folder() / "chat_templates" / "chatml.jinja"),
        "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + "
        "'\\n' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
        "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
        "{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}"
        "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + "
        "'\\n' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"};
}

std::shared_ptr<ChatTemplate> make_chatml() {
    return std::make_shared<ChatMl>();
}

}  // namespace craft

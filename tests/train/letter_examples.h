// Examples from text, with a tokenizer whose every rule can be followed by eye: one token a letter, except that it merges
// "ab" and reads "<e>" as the end token.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "train/examples.h"

namespace craft::test {

inline constexpr int64_t kBos = 1, kEnd = 2, kMerged = 3, kUser = 4, kAssistant = 5, kTurnEnd = 6, kNewline = 7;

inline int64_t letter(char c) {
    return 100 + c;
}

class Letters : public Tokenizer {
public:
    explicit Letters(bool bos) : bos_(bos) {}
    std::vector<int64_t> encode_around(std::string_view text, const std::vector<ByteRange>& literal) const override {
        std::vector<int64_t> ids;
        const bool allow_special = literal.empty();
        for (size_t i = 0; i < text.size(); ++i) {
            if (allow_special && text.substr(i, 3) == "<e>") {
                ids.push_back(kEnd);
                i += 2;
            } else if (text.substr(i, 2) == "ab") {
                ids.push_back(kMerged);
                ++i;
            } else {
                ids.push_back(letter(text[i]));
            }
        }
        return ids;
    }
    std::string decode(const std::vector<int64_t>& ids, bool) const override {
        return ids == std::vector{kBos} ? "<b>" : "";
    }
    int64_t vocabulary_size() const override { return 400; }
    int64_t id_of(std::string_view) const override { return -1; }
    std::vector<int64_t> leading_tokens() const override {
        return bos_ ? std::vector<int64_t>{kBos} : std::vector<int64_t>{};
    }
    int64_t end_token() const override { return kEnd; }

private:
    bool bos_;
};

// USER or ASSISTANT, the content, TURN_END, NEWLINE; where it is open nothing after the last content.
class Turns : public ChatTemplate {
public:
    static inline bool is_open = false;
    std::string name() const override { return "turns"; }
    std::string render(const Conversation&, const RenderOptions&) const override { return ""; }
    EncodedChat encode(const Tokenizer& tokenizer, const Conversation& conversation,
                       const RenderOptions& how) const override {
        EncodedChat chat;
        const auto add = [&](int64_t id, bool counted) {
            chat.tokens.push_back(id);
            chat.assistant.push_back(counted ? 1 : 0);
        };
        const std::vector<Message> messages = messages_from_json(conversation.messages, "messages");
        for (size_t i = 0; i < messages.size(); ++i) {
            const Message& message = messages[i];
            const bool assistant = message.role == Role::assistant && counts_in_loss(conversation.messages[i]);
            add(message.role == Role::assistant ? kAssistant : kUser, false);
            for (const int64_t id : tokenizer.encode(message.content, how.allow_special)) add(id, assistant);
            add(kTurnEnd, assistant);
            add(kNewline, false);
        }
        if (is_open && !how.generation_prompt) {
            chat.tokens.resize(chat.tokens.size() - 2);
            chat.assistant.resize(chat.tokens.size());
            chat.is_unended = true;
        }
        if (how.generation_prompt) add(kAssistant, false);
        return chat;
    }
    // Leaves out calls and tools, all of them.
    IgnoredFields left_out(const Conversation& conversation, const RenderOptions&) const override {
        IgnoredFields left{{}, !conversation.tools.is_null()};
        for (size_t i = 0; i < conversation.messages.size(); ++i)
            if (conversation.messages[i].contains("tool_calls")) left.calls.push_back(i);
        return left;
    }
    std::string end_of_turn() const override { return ""; }
};

inline ExampleBuilder builder_of(const ExampleOptions& options = {}, bool bos = true) {
    return {std::make_shared<Letters>(bos), std::make_shared<Turns>(), options};
}

}  // namespace craft::test

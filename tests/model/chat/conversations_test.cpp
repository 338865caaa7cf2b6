// Rows of conversations rendered and encoded, compared with apply_chat_template (tests/parity/make_conversations.py).
#include "data/conversation.h"
#include "tests/model/chat/conversation_cases.h"

namespace craft {
namespace {

using test::ConversationCase;

Conversation read(const ConversationCase& asked) {
    return conversation_from_row(asked.row, "messages", "row", nullptr);
}

TEST(Conversations, AreRenderedAsByTransformers) {
    const auto counts = test::expect_conversations_as_referenced({"chat"}, [](const ConversationCase& asked) {
        return Json{{"text", asked.chat->render(read(asked))}};
    });
    EXPECT_EQ(counts.equal, 58);
    EXPECT_EQ(counts.refused, 8);
}

TEST(Conversations, ArePromptsAsOfTransformers) {
    const auto counts = test::expect_conversations_as_referenced({"prompt"}, [](const ConversationCase& asked) {
        return Json{{"ids", asked.chat->encode(*asked.tokenizer, read(asked), {.generation_prompt = true}).tokens}};
    });
    EXPECT_EQ(counts.equal, 124);
    EXPECT_EQ(counts.refused, 5);
}

}  // namespace
}  // namespace craft

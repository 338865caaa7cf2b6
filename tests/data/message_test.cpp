#include "data/message.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {

TEST(Message, RoundTrip) {
    const std::vector<Message> messages = {
        {Role::system, ""}, {Role::user, "a\n\"b\""}, {Role::assistant, "ü"}, {Role::tool, "x"}};
    const Json json = to_json(messages);
    EXPECT_EQ(json.dump(),
              R"([{"role":"system","content":""},{"role":"user","content":"a\n\"b\""},{"role":"assistant","content":"ü"},)"
              R"({"role":"tool","content":"x"}])");
    EXPECT_EQ(messages_from_json(json, "here"), messages);
}

TEST(Message, BadOnesAreNamed) {
    const auto read = [](const char* text) {
        return message_of([&] { messages_from_json(parse_json(text, "test"), "f:3: field 'messages'"); });
    };
    EXPECT_EQ(read("{}"), "f:3: field 'messages': expected a list of messages, got object");
    EXPECT_EQ(read("[3]"), "f:3: field 'messages'[0]: expected a message {\"role\", \"content\"}, got number");
    EXPECT_EQ(read(R"([{"role":"user","content":"x"},{"role":"human","content":"x"}])"),
              "f:3: field 'messages'[1]: field 'role': expected a role (system, user, assistant or tool), got 'human'");
    EXPECT_EQ(read(R"([{"role":"user"}])"), "f:3: field 'messages'[0]: field 'content': expected a string, got none");
    EXPECT_EQ(read(R"([{"role":"user","content":["x"]}])"),
              "f:3: field 'messages'[0]: field 'content': expected a string, got array");
}

}  // namespace craft

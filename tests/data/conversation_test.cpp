#include "data/conversation.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using Counts = std::map<std::string, int64_t>;

Conversation read(const std::string& row, UnknownKeys* unknown = nullptr) {
    return conversation_from_row(parse_json(row, "test"), "messages", "c.jsonl:4", unknown);
}

std::string refused_row(const std::string& row) {
    return message_of([&] { read(row); });
}

std::string refused_message(const std::string& message) {
    return refused_row(R"({"messages":[{"role":"user","content":"x"},)" + message + "]}");
}

TEST(Conversation, EveryKeyOfAMessageIsKeptAndNullIsAbsent) {
    const Conversation read_one = read(R"({"messages":[
        {"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"name":null},
        {"role":"assistant","content":null,"reasoning_content":"r","weight":0,
         "tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":{"x":null}}}]},
        {"role":"tool","tool_call_id":"1","name":"f","content":{"any":["thing",3]}}],"tools":null,"documents":null,
        "chat_template_kwargs":null})");
    EXPECT_EQ(read_one.messages[0],
              (Json{{"role", "user"}, {"content", {{{"type", "text"}, {"text", "a"}}, {{"type", "text"}, {"text", "b"}}}}}));
    EXPECT_FALSE(read_one.messages[1].contains("content"));
    EXPECT_EQ(read_one.messages[1]["tool_calls"][0]["function"]["arguments"].dump(), R"({"x":null})")
        << "a call's arguments are the call's own";
    EXPECT_FALSE(counts_in_loss(read_one.messages[1]));
    EXPECT_EQ(read_one.messages[2]["content"]["any"][1], 3);
    EXPECT_TRUE(read_one.tools.is_null() && read_one.documents.is_null() && read_one.variables.empty());
}

TEST(Conversation, WhatStandsBesideTheMessages) {
    const std::string said = R"("messages":[{"role":"user","content":"x"}])";
    const Conversation listed = read("{" + said + R"(,"tools":[{"name":"f","default":null}],"documents":[{"title":"t"}],
        "chat_template_kwargs":{"enable_thinking":false},"variables":{"date":"today"}})");
    EXPECT_EQ(listed.tools.dump(), R"([{"name":"f","default":null}])");
    EXPECT_EQ(listed.documents.dump(), R"([{"title":"t"}])");
    EXPECT_EQ(listed.variables.dump(), R"({"enable_thinking":false,"date":"today"})");
    const Conversation text = read("{" + said + R"(,"tools":"[{\"name\":\"f\",\"default\":null}]"})");
    EXPECT_EQ(text.tools, listed.tools);
    Json row = Json::object();
    add_surroundings(row, listed);
    row["messages"] = listed.messages;
    EXPECT_EQ(conversation_from_row(row, "messages", "again", nullptr), listed);
}

TEST(Conversation, BadOnesAreNamed) {
    EXPECT_EQ(refused_row("{}"), "c.jsonl:4: field 'messages': expected a list of messages, got none");
    EXPECT_EQ(refused_row(R"({"messages":null})"), "c.jsonl:4: field 'messages': expected a list of messages, got none");
    EXPECT_EQ(refused_row(R"({"messages":[]})"),
              "c.jsonl:4: field 'messages': expected a list of messages, got an empty one");
    EXPECT_EQ(refused_message("3"),
              "c.jsonl:4: field 'messages'[1]: expected a message {\"role\", \"content\"}, got number");
    EXPECT_EQ(refused_message(R"({"content":"x"})"),
              "c.jsonl:4: field 'messages'[1]: field 'role': expected a string, got none");
    EXPECT_EQ(refused_message(R"({"role":"user","content":7})"),
              "c.jsonl:4: field 'messages'[1]: field 'content': expected a string or a list of text parts, got number");
    EXPECT_EQ(
        refused_message(R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{}}]})"),
        "c.jsonl:4: field 'messages'[1]: field 'content'[1]: expected a text part, got one of type 'image_url' (models of "
        "text alone are supported)");
    EXPECT_EQ(refused_message(R"({"role":"user","content":["x"]})"),
              "c.jsonl:4: field 'messages'[1]: field 'content'[0]: expected a text part {\"type\": \"text\", \"text\"}, got "
              "\"x\"");
    EXPECT_EQ(refused_message(R"({"role":"assistant","tool_calls":"f"})"),
              "c.jsonl:4: field 'messages'[1]: field 'tool_calls': expected a list of objects, got \"f\"");
    for (const std::string weight : {"0.5", "2", "-1", "true", "\"0\""})
        EXPECT_EQ(
            refused_message(R"({"role":"assistant","content":"x","weight":)" + weight + "}"),
            "c.jsonl:4: field 'messages'[1]: field 'weight': expected 0 (the turn is excluded from the loss) or 1, got " +
                weight);
    const std::string said = R"({"messages":[{"role":"user","content":"x"}],)";
    EXPECT_EQ(refused_row(said + R"("tools":{"name":"f"}})"),
              "c.jsonl:4: field 'tools': expected a list of objects, or a JSON text of one, got object");
    EXPECT_EQ(refused_row(said + R"("tools":["f"]})"),
              "c.jsonl:4: field 'tools': expected a list of objects, got one of string");
    EXPECT_EQ(refused_row(said + R"("tools":"[{"})").substr(0, 40), "c.jsonl:4: field 'tools': not JSON: colu");
    EXPECT_EQ(refused_row(said + R"("chat_template_kwargs":{"messages":[]}})"),
              "c.jsonl:4: field 'chat_template_kwargs': expected the template's own switches, got 'messages'");
    EXPECT_EQ(refused_row(said + R"("chat_template_kwargs":{"a":1},"variables":{"a":1}})"),
              "c.jsonl:4: field 'variables': expected names that 'chat_template_kwargs' does not have, got 'a'");
}

TEST(Conversation, KeysThatNobodyReadsAreCounted) {
    UnknownKeys unknown;
    read(R"({"id":"a","messages":[{"role":"user","content":"x","wieght":0}],"source":"s","label":null})", &unknown);
    read(R"({"id":"b","messages":[{"role":"user","content":"x","weight":1}],"source":"s"})", &unknown);
    EXPECT_EQ(unknown.counts(), (Counts{{"message: wieght", 1}, {"source", 2}}));
}

TEST(Conversation, KeysThatNobodyReadsAreCountedWithinPartsAndCalls) {
    UnknownKeys unknown;
    read(R"({"messages":[
        {"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"},"citations":null}]},
        {"role":"assistant","tool_calls":[
            {"id":"1","type":"function","index":0,"function":{"name":"f","arguments":{"any":1},"strict":true}},
            {"name":"g","arguments":"{}","signature":"s"}]},
        {"role":"tool","content":[{"type":"text","text":"b","cache_control":{}},{"any":"thing"}]}]})",
         &unknown);
    EXPECT_EQ(unknown.counts(), (Counts{{"content part: cache_control", 2},
                                        {"tool call, function: strict", 1},
                                        {"tool call: index", 1},
                                        {"tool call: signature", 1}}))
        << "arguments, and what a tool answers, are anything";
}

TEST(Conversation, AnAssistantMaySayMoreThanContent) {
    const auto says = [](const char* message) { return says_something(Json::array({parse_json(message, "test")})); };
    EXPECT_TRUE(says(R"({"role":"assistant","content":"x"})"));
    EXPECT_TRUE(says(R"({"role":"assistant","content":"","tool_calls":[{"function":{}}]})"));
    EXPECT_TRUE(says(R"({"role":"assistant","reasoning_content":"x"})"));
    EXPECT_TRUE(says(R"({"role":"model","content":[{"type":"text","text":"x"}]})"));
    EXPECT_FALSE(says(R"({"role":"assistant","content":"","tool_calls":[]})"));
    EXPECT_FALSE(says(R"({"role":"assistant","content":" \n"})"));
    EXPECT_FALSE(says(R"({"role":"user","content":"x"})"));
}

}  // namespace
}  // namespace craft

#include "data/pair.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {

namespace {

Json row_of(const std::string& text) {
    return parse_json(text, "test");
}

std::string refusal(const std::string& text) {
    return message_of([&] { pair_from_json(row_of(text), "p.jsonl:2"); });
}

}  // namespace

TEST(Pair, StringsRoundTrip) {
    const Json row = row_of(R"({"prompt":"p","chosen":"c","rejected":"r","provenance":{"gap":7.5}})");
    const Pair pair = pair_from_json(row, "here");
    EXPECT_EQ(std::get<std::string>(pair.chosen), "c");
    EXPECT_EQ(to_json(pair), row);
}

TEST(Pair, MessagesRoundTrip) {
    const Json row = row_of(R"({"prompt":[{"role":"user","content":"p"}],"chosen":[{"role":"assistant","content":"c"}],
                                "rejected":[{"role":"assistant","content":"r"}]})");
    const Pair pair = pair_from_json(row, "here");
    EXPECT_EQ(std::get<Conversation>(pair.rejected).messages.at(0).at("content"), "r");
    EXPECT_EQ(to_json(pair), row);  // no provenance, no key
}

TEST(Pair, OtherKeysOfTrlFilesAreIgnored) {
    const Pair pair = pair_from_json(row_of(R"({"prompt":"p","chosen":"c","rejected":"r","score_chosen":1.5})"), "here");
    EXPECT_EQ(to_json(pair), row_of(R"({"prompt":"p","chosen":"c","rejected":"r"})"));
}

TEST(Pair, KeysThatNobodyReadsAreCounted) {
    UnknownKeys unknown;
    pair_from_json(row_of(R"({"id":3,"prompt":"p","chosen":"c","rejected":"r","score_chosen":1.5,"tools":[]})"), "here",
                   &unknown);
    EXPECT_EQ(unknown.counts(), (std::map<std::string, int64_t>{{"score_chosen", 1}, {"tools", 1}}))
        << "plain strings have no tools";
}

// Without a prompt it is what the sides begin with: whole messages, or characters but for a blank in front of the
// difference.
TEST(Pair, ThePromptIsTheSidesCommonBeginning) {
    const auto taken = [](const std::string& text) { return to_json(pair_from_json(row_of(text), "here")).dump(); };
    EXPECT_EQ(taken(R"({"chosen":"The sky is blue.","rejected":"The sky is green."})"),
              R"({"prompt":"The sky is","chosen":" blue.","rejected":" green."})");
    EXPECT_EQ(taken(R"({"chosen":"weg à","rejected":"weg á"})"), R"({"prompt":"weg","chosen":" à","rejected":" á"})")
        << "half a character is none";
    EXPECT_EQ(taken(R"({"chosen":"abc","rejected":"abcd"})"), R"({"prompt":"ab","chosen":"c","rejected":"cd"})");
    const std::string user = R"({"role":"user","content":"q"})", yes = R"({"role":"assistant","content":"y"})",
                      no = R"({"role":"assistant","content":"n"})";
    const std::string made = "{\"prompt\":[" + user + "],\"chosen\":[" + yes + "],\"rejected\":[" + no + "]}";
    const std::string sides = "\"chosen\":[" + user + "," + yes + "],\"rejected\":[" + user + "," + no + "]}";
    EXPECT_EQ(taken("{" + sides), made);
    EXPECT_EQ(taken("{\"prompt\":null," + sides), made);
    EXPECT_EQ(taken("{\"prompt\":\"q\"," + sides), made) << "UltraFeedback's form";
    EXPECT_EQ(taken("{\"prompt\":[" + user + "]," + sides), made) << "the prompt once more in both sides";
    EXPECT_EQ(refusal("{\"chosen\":[" + yes + "],\"rejected\":[" + no + "]}"),
              "p.jsonl:2: expected a 'prompt', or sides with a common beginning, got neither");
    UnknownKeys unknown;
    pair_from_json(row_of("{\"prompt\":\"other\"," + sides), "here", &unknown);
    EXPECT_EQ(unknown.counts(), (std::map<std::string, int64_t>{{"prompt (not what both sides begin with)", 1}}));
}

TEST(Pair, ToolsAndTemplateVariablesBelongToThePrompt) {
    const Json row = row_of(R"({"prompt":[{"role":"user","content":"p"}],"chosen":[{"role":"assistant","content":"c"}],
        "rejected":[{"role":"assistant","content":"r"}],"tools":[{"name":"f"}],"chat_template_kwargs":{"a":1}})");
    const Pair pair = pair_from_json(row, "here");
    EXPECT_EQ(std::get<Conversation>(pair.prompt).tools, row["tools"]);
    EXPECT_EQ(to_json(pair), row);
}

// Training drops and counts them.
TEST(Pair, EmptyResponsesAreRead) {
    const Json strings = row_of(R"({"prompt":"p","chosen":"","rejected":"r"})"),
               lists = row_of(R"({"prompt":[],"chosen":[{"role":"assistant","content":""}],"rejected":[]})");
    EXPECT_EQ(to_json(pair_from_json(strings, "here")), strings);
    EXPECT_EQ(to_json(pair_from_json(lists, "here")), lists);
}

TEST(Pair, BadRowsAreNamed) {
    EXPECT_EQ(refusal(R"({"prompt":"p","chosen":"c"})"),
              "p.jsonl:2: field 'rejected': expected a string or a list of messages, got none");
    EXPECT_EQ(refusal(R"({"prompt":"p","chosen":"c","rejected":5})"),
              "p.jsonl:2: field 'rejected': expected a string or a list of messages, got number");
    EXPECT_EQ(refusal(R"({"prompt":"p","chosen":[{"role":"assistant","content":"c"}],"rejected":"r"})"),
              "p.jsonl:2: expected prompt, chosen and rejected all strings or all lists of messages, got both kinds");
    EXPECT_EQ(refusal(R"({"prompt":[],"chosen":[{"role":"user","content":"c"}],"rejected":[]})"),
              "p.jsonl:2: field 'chosen': expected messages that end with the assistant's, got one of the user");
    EXPECT_EQ(refusal(R"({"prompt":"p","chosen":"c","rejected":"r","provenance":3})"),
              "p.jsonl:2: field 'provenance': expected an object, got number");
}

TEST(Completion, IsOfStringsOrOfLists) {
    UnknownKeys unknown;
    const Completion strings =
        completion_from_json(row_of(R"({"id":1,"prompt":"p","completion":"c","tools":[],"note":1})"), "here", &unknown);
    EXPECT_EQ(std::get<std::string>(strings.prompt), "p");
    EXPECT_EQ(std::get<std::string>(strings.completion), "c");
    const Completion lists = completion_from_json(
        row_of(R"({"id":1,"prompt":[{"role":"user","content":"p"}],"completion":[{"role":"assistant","content":"c"}],
                   "tools":[{"name":"f"}],"note":1})"),
        "here", &unknown);
    EXPECT_EQ(std::get<Conversation>(lists.prompt).messages[0]["content"], "p");
    EXPECT_EQ(std::get<Conversation>(lists.prompt).tools[0]["name"], "f");
    EXPECT_EQ(std::get<Conversation>(lists.completion).messages[0]["content"], "c");
    EXPECT_EQ(unknown.counts(), (std::map<std::string, int64_t>{{"note", 2}, {"tools", 1}})) << "strings have no tools";
    const Completion empty = completion_from_json(row_of(R"({"prompt":[],"completion":[]})"), "here");
    EXPECT_TRUE(std::get<Conversation>(empty.completion).messages.empty());
}

TEST(Completion, BadRowsAreNamed) {
    const auto refused = [](const std::string& text) {
        return message_of([&] { completion_from_json(row_of(text), "c.jsonl:2"); });
    };
    const std::string kinds =
        "c.jsonl:2: expected prompt and completion both strings or both lists of messages, got both kinds";
    EXPECT_EQ(refused(R"({"prompt":[{"role":"user","content":"p"}],"completion":"c"})"), kinds);
    EXPECT_EQ(refused(R"({"prompt":"p","completion":[{"role":"assistant","content":"c"}]})"), kinds);
    EXPECT_EQ(refused(R"({"prompt":"p"})"),
              "c.jsonl:2: field 'completion': expected a string or a list of messages, got none");
    EXPECT_EQ(refused(R"({"prompt":5,"completion":"c"})"),
              "c.jsonl:2: field 'prompt': expected a string or a list of messages, got number");
}

}  // namespace craft

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
    EXPECT_EQ(std::get<std::vector<Message>>(pair.rejected).front().content, "r");
    EXPECT_EQ(to_json(pair), row);  // no provenance, no key
}

TEST(Pair, OtherKeysOfTrlFilesAreIgnored) {
    const Pair pair = pair_from_json(row_of(R"({"prompt":"p","chosen":"c","rejected":"r","score_chosen":1.5})"), "here");
    EXPECT_EQ(to_json(pair), row_of(R"({"prompt":"p","chosen":"c","rejected":"r"})"));
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

}  // namespace craft

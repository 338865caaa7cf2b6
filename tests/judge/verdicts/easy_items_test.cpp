#include "judge/verdicts/easy_items.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

std::string easy_problem(const std::string& row) {
    return message_of([&] { easy_item_from_json(Json::parse(row), "f:1"); });
}

TEST(EasyItems, AreReadInOrder) {
    const TemporaryFolder folder;
    const std::string file = folder.file(
        "easy.jsonl",
        "{\"id\":2,\"text\":\"\",\"constraints\":[{\"kind\":\"semantic\",\"text\":\"Says \\u00fc.\"}],\"more\":1}\r\n"
        "{\"id\":\"1\",\"text\":\"t\",\"constraints\":[{\"kind\":\"style\",\"text\":\"a\"},{\"kind\":\"semantic\",\"text\":"
        "\"b\"}]}");
    const auto items = read_easy_items(file);
    ASSERT_EQ(items.size(), 2u);
    EXPECT_EQ(items[0].id, "2");
    EXPECT_EQ(items[0].constraints[0].kind, EasyKind::semantic);
    EXPECT_EQ(items[1].constraints[0].kind, EasyKind::style);
    EXPECT_EQ(items[1].constraints[1].text, "b");
}

TEST(EasyItems, WhatIsWrongIsNamed) {
    const std::string begin = R"({"id":"1","text":"t","constraints":)";
    EXPECT_EQ(easy_problem(R"({"id":"1","text":"t"})"),
              "f:1: field 'constraints': expected a list of at least one constraint, got none");
    EXPECT_EQ(easy_problem(begin + "[]}"), "f:1: field 'constraints': expected a list of at least one constraint, got []");
    EXPECT_EQ(easy_problem(begin + "[3]}"), "f:1: field 'constraints'[0]: expected an object {\"kind\",\"text\"}, got 3");
    EXPECT_EQ(easy_problem(begin + R"([{"kind":"domain","text":"x"}]})"),
              "f:1: field 'constraints'[0]: field 'kind': expected style or semantic, got 'domain'");
    EXPECT_EQ(easy_problem(begin + R"([{"kind":"style","text":" \n"}]})"),
              "f:1: field 'constraints'[0]: field 'text': expected a constraint in words, got nothing");
    const TemporaryFolder folder;
    const std::string row = R"({"id":"1","text":"t","constraints":[{"kind":"style","text":"x"}]})";
    const std::string file = folder.file("easy.jsonl", row + "\n" + row + "\n");
    EXPECT_EQ(message_of([&] { read_easy_items(file); }), file + ":2: expected each id once, got '1' again");
    EXPECT_THROW(read_easy_items(folder.file("empty.jsonl", "")), std::exception);
}

}  // namespace
}  // namespace craft

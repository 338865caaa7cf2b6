// Each step of reading a reply: what it takes off, and what it leaves.
#include "data/reply_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace craft {
namespace {

struct Cut {
    std::string text, left;  // the same where nothing is taken off
    std::string source = {};
};

using ReplyStep = std::function<bool(std::string_view&, std::string_view)>;

void expect_cuts(const ReplyStep& step, const std::vector<Cut>& cuts) {
    for (const Cut& one : cuts) {
        std::string_view text = one.text;
        EXPECT_EQ(step(text, one.source), one.text != one.left) << one.text;
        EXPECT_EQ(text, one.left) << one.text;
    }
}

TEST(ReplySteps, Thinking) {
    expect_cuts([](std::string_view& text, std::string_view) { return cut_thinking(text); },
                {{"<think>\na </think>\n\nb", "b"},
                 {"only its end</think> b", "b"},
                 {"<think>no end", ""},
                 {"a <think>b</think> c", "c"},
                 {"<think>a</think>b</think>c", "b</think>c"},
                 {"a <think> b", "a <think> b"},
                 {"", ""}});
    const auto split = split_thinking(" <think> a b\n</think>\nc ");
    ASSERT_TRUE(split);
    EXPECT_EQ(split->thought, "a b");
    EXPECT_EQ(split->answer, "c");
    EXPECT_TRUE(split->is_at_head);
    EXPECT_TRUE(split_thinking("a</think>b")->is_at_head);
    EXPECT_FALSE(split_thinking("The tags <think> and </think> stand around it.")->is_at_head);
    EXPECT_FALSE(split_thinking("no tags"));
}

TEST(ReplySteps, Fences) {
    expect_cuts(cut_fence, {{"```\na\n```", "a"},
                            {"```json\n[1]```", "[1]"},
                            {"```text\na\n\nb\n```", "a\n\nb"},
                            {"```\n```", ""},
                            {"```\nsay ``` twice\n```", "say ``` twice"},
                            {"```\na\n```\nb\n```\nc\n```", "```\na\n```\nb\n```\nc\n```"},
                            {"```\na```\n```b\n```", "```\na```\n```b\n```"},
                            {"```a```", "```a```"},
                            {"``````", "``````"},
                            {"```\na", "```\na"},
                            {"```\na\n```", "```\na\n```", "```\nb\n```"}});
}

TEST(ReplySteps, BoldAndQuotes) {
    expect_cuts(cut_bold, {{"**a b**", "a b"},
                           {"** a **", "a"},
                           {"**a** b **c**", "**a** b **c**"},
                           {"**a", "**a"},
                           {"**a**", "**a**", "**b** c"}});
    expect_cuts(cut_quotes, {{"\"a b\"", "a b"},
                             {"“a b”", "a b"},
                             {"\"\"", ""},
                             {"\"", "\""},
                             {"\"a\" b \"c\"", "\"a\" b \"c\""},
                             {"“a” b”", "“a” b”"},
                             {"'a'", "'a'"},
                             {"\"a\"", "\"a\"", "\"b,\" c"}});
    std::string_view text = "(a (b))";
    EXPECT_TRUE(cut_around(text, "(", ")"));
    EXPECT_EQ(text, "a (b)") << "others within do no harm where a reader says so";
    EXPECT_FALSE(cut_around(text, "(", ")"));
}

TEST(ReplySteps, MarksAtTheEnds) {
    constexpr std::array<std::string_view, 3> kMarks = {"\"", "*", "”"};
    expect_cuts([&](std::string_view& text, std::string_view) { return cut_beginning(text, kMarks); },
                {{"* \"*a*", "a*"}, {"a", "a"}, {"**", ""}});
    expect_cuts([&](std::string_view& text, std::string_view) { return cut_ending(text, kMarks); },
                {{"*a ” *", "*a"}, {"a", "a"}, {"**", ""}});
}

TEST(ReplySteps, ListMarks) {
    const std::vector<std::pair<std::string, size_t>> lines = {{"- a", 1},  {"* a", 1},   {"+a", 1},      {"• a", 3},
                                                               {"1. a", 2}, {"12) a", 3}, {"1841. a", 0}, {"1 a", 0},
                                                               {"a", 0},    {"12", 0},    {"", 0}};
    for (const auto& [line, length] : lines) EXPECT_EQ(list_mark(line), length) << line;
}

TEST(ReplySteps, Beginnings) {
    const std::vector<std::string> known = {"sure", "here is", "note:"};
    EXPECT_EQ(plain_words(" **Here** is ###: "), "here is :");
    EXPECT_EQ(plain_words("### **A**", "*"), "### a");
    EXPECT_TRUE(begins_with_one_of("sure", known));
    EXPECT_TRUE(begins_with_one_of("here is:", known));
    EXPECT_TRUE(begins_with_one_of("note:it is", known)) << "what ends in a sign ends a word";
    EXPECT_FALSE(begins_with_one_of("surely", known));
    EXPECT_FALSE(begins_with_one_of("for sure", known));
}

TEST(ReplySteps, Labels) {
    struct Row {
        std::string text, label, rest;
        bool has_marks;
    };
    for (const Row& row : std::vector<Row>{{"Answer: B", "answer", " B", false},
                                           {"**Answer:** B", "answer", " B", true},
                                           {"**Answer**: B", "answer", " B", true},
                                           {"### *New Text*:\nB", "new text", "\nB", true},
                                           {"*Answer:* B", "answer", " B", true},
                                           {"Answer:** B", "answer", " B", true},
                                           {"Answer:* B", "answer", "* B", false},
                                           {"`action_input`: {}", "action_input", " {}", true}}) {
        const auto found = label_of(row.text, 40);
        ASSERT_TRUE(found) << row.text;
        EXPECT_EQ(found->label, row.label) << row.text;
        EXPECT_EQ(found->rest, row.rest) << row.text;
        EXPECT_EQ(found->has_marks, row.has_marks) << row.text;
    }
    EXPECT_FALSE(label_of("no colon", 40));
    EXPECT_FALSE(label_of(": nothing before it", 40));
    EXPECT_FALSE(label_of("one line\nanother: B", 40));
    EXPECT_TRUE(label_of("12345: B", 5));
    EXPECT_FALSE(label_of("123456: B", 5));
}

TEST(ReplySteps, WhatStandsAroundATextInAnyOrder) {
    const auto unwrapped = [](std::string_view text, Leniency& noted) {
        unwrap(
            text, "", [](std::string_view& rest) { return cut_beginning(rest, std::array<std::string_view, 1>{"Sure:"}); },
            noted);
        return std::string(text);
    };
    Leniency noted;
    EXPECT_EQ(unwrapped("```\nSure: **\"a\"**\n```", noted), "a");
    EXPECT_EQ(noted, (Leniency{{"bold", 1}, {"fenced", 1}, {"prefaced", 1}, {"quoted", 1}}));
    noted.clear();
    EXPECT_EQ(unwrapped("\"\"\"a\"\"\"", noted), "\"\"\"a\"\"\"");
    EXPECT_EQ(unwrapped("Sure: \"Sure: a\"", noted), "a");
    EXPECT_EQ(noted, (Leniency{{"prefaced", 1}, {"quoted", 1}})) << "once each";
}

TEST(LeniencyKinds, AreListedAsOftenAsTheyWereCounted) {
    Leniency counts = {{"b", 2}, {"a", 1}};
    EXPECT_THAT(leniency_kinds(counts), testing::ElementsAre("a", "b", "b"));
    EXPECT_EQ(leniency_of({"b", "a", "b"}), counts);
    EXPECT_FALSE(note_leniency(counts, "c", false));
    EXPECT_TRUE(note_leniency(counts, "b"));
    EXPECT_EQ(counts, (Leniency{{"a", 1}, {"b", 1}}));
}

}  // namespace
}  // namespace craft

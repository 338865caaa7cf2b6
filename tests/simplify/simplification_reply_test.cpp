#include "simplify/simplification_reply.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/source.h"

namespace craft {
namespace {

const WordingTable& wordings() {
    static const WordingTable table = WordingTable::load(test_source() + "/share/prompts/simplify_replies.json");
    return table;
}

using Kinds = std::vector<std::string>;
const std::string kSource = "The edifice was demolished.";

SimplificationReply read(const std::string& reply, const std::string& source = kSource,
                         SimplifiedForm form = SimplifiedForm::sentence) {
    return read_simplification(reply, source, wordings(), form);
}

struct ReadReply {
    std::string reply, text;
    Kinds noted;
};

TEST(SimplificationReply, TakesOffWhatStandsAround) {
    const std::vector<ReadReply> cases = {
        {"The building was torn down.", "The building was torn down.", {}},
        {"  The building was torn down.\n", "The building was torn down.", {}},
        {"Here is the simplified sentence: The building was torn down.", "The building was torn down.", {"prefaced"}},
        {"Sure! Here's a simpler version:\n\nThe building was torn down.", "The building was torn down.", {"prefaced"}},
        {"**Simplified sentence:** The building was torn down.", "The building was torn down.", {"prefaced"}},
        {"### Output:\nThe building was torn down.", "The building was torn down.", {"prefaced"}},
        {"SIMPLIFIED: \"The building was torn down.\"", "The building was torn down.", {"prefaced", "quoted"}},
        {"\"The building was torn down.\"", "The building was torn down.", {"quoted"}},
        {"“The building was torn down.”", "The building was torn down.", {"quoted"}},
        {"**The building was torn down.**", "The building was torn down.", {"bold"}},
        {"The sentence is long. Here's a revised version:\n\nThe building was torn down.\n\nI removed \"edifice\".",
         "The building was torn down.",
         {"prefaced", "remarked"}},
        {"```\nThe building was torn down.\n```", "The building was torn down.", {"fenced"}},
        {"```\nSimplified: The building was torn down.\n```", "The building was torn down.", {"fenced", "prefaced"}},
        {"<think>edifice: building</think>The building was torn down.", "The building was torn down.", {"thinking"}},
        {"The building was torn down.\n\nNote: I replaced \"edifice\".", "The building was torn down.", {"remarked"}},
        {"The building was torn down.\n(Note that it was old.)", "The building was torn down.", {"remarked"}},
        {"The house was old.\nIt was torn down.", "The house was old. It was torn down.", {"lines"}},
        {"- The house was old.\n- It was torn down.", "The house was old. It was torn down.", {"listed", "lines"}},
        {"1. The house was old.\n2. It was torn down.", "The house was old. It was torn down.", {"listed", "lines"}},
        {kSource, kSource, {"unchanged"}},
    };
    for (const ReadReply& one : cases) {
        const SimplificationReply made = read(one.reply);
        EXPECT_EQ(made.text, one.text) << one.reply;
        EXPECT_EQ(made.noted, leniency_of(one.noted)) << one.reply;
        EXPECT_EQ(made.unusable, "") << one.reply;
    }
}

TEST(SimplificationReply, LeavesWhatIsTheTexts) {
    for (const std::string text :
         {"Here is what they found: three bones and a cup.", "Surely: it was torn down.", "Changeable weather tore it down.",
          "1841 was the year. It was torn down.", "\"Stop,\" he said, \"now.\"", "It had two parts: a hall and a tower.",
          "1. The house was torn down."}) {
        const SimplificationReply made = read(text);
        EXPECT_EQ(made.text, text);
        EXPECT_TRUE(made.noted.empty()) << text;
    }
    // What the source begins with itself.
    EXPECT_EQ(read("Output: nine tons.", "Output: nine tonnes in all.").text, "Output: nine tons.");
    EXPECT_EQ(read("He left.\nI made tea.", "He departed and I made tea.").text, "He left. I made tea.");
    EXPECT_EQ(read("\"Go.\"", "\"Depart.\"").text, "\"Go.\"");
}

TEST(SimplificationReply, SaysWhyThereIsNone) {
    for (const std::string empty : {"", " \n", "<think>on and on", "Simplified sentence:", "\"\""})
        EXPECT_EQ(read(empty).unusable, "empty") << empty;
    EXPECT_EQ(read("a \xff b").unusable, "not_utf8");
    EXPECT_EQ(read("a \xff b").text, "");
}

TEST(SimplificationReply, ADocumentKeepsItsParagraphs) {
    const std::string source = "The edifice was demolished.\n\nNobody objected.";
    const std::vector<ReadReply> cases = {
        {"It was torn down.\n\nNo one minded.", "It was torn down.\n\nNo one minded.", {}},
        {" It was torn down. \r\n \n\n\t\nNo one minded.\n", "It was torn down.\n\nNo one minded.", {}},
        {"- It was torn down.\n- No one minded.", "- It was torn down.\n- No one minded.", {}},
        {"Here is the simplified text:\n\nIt was torn down.\nNo one minded.",
         "It was torn down.\nNo one minded.",
         {"prefaced"}},
        {"It was torn down.\n\nNo one minded.\n\nNote: I replaced \"edifice\".",
         "It was torn down.\n\nNo one minded.",
         {"remarked"}},
        // What would be a remark after a sentence is a paragraph here.
        {"It was torn down.\n\nChanges upset no one.", "It was torn down.\n\nChanges upset no one.", {}},
        {"It was torn down.\n\nNote that no one minded.", "It was torn down.\n\nNote that no one minded.", {}},
        {"<think>\n\n</think>\n\n" + source, source, {"thinking", "unchanged"}},
        {"The edifice was demolished.\n\n\n\nNobody objected.", source, {"unchanged"}},
    };
    for (const ReadReply& one : cases) {
        const SimplificationReply made = read(one.reply, source, SimplifiedForm::document);
        EXPECT_EQ(made.text, one.text) << one.reply;
        EXPECT_EQ(made.noted, leniency_of(one.noted)) << one.reply;
    }
    EXPECT_EQ(read("It fell.\nNote: ask first.", "It collapsed.\nNote: inquire first.", SimplifiedForm::document).text,
              "It fell.\nNote: ask first.")
        << "the source has such a line itself";
    EXPECT_EQ(read(" \n\n", source, SimplifiedForm::document).unusable, "empty");
}

// Of any bytes there is a text or a reason, never both; one of a sentence is one line.
TEST(SimplificationReply, AnyBytesAreATextOrAReason) {
    const std::vector<std::string> parts = {
        "Simplified",  ":",    "\n",  "**",      "\"", "```", "<think>", "</think>", " ", "The house fell.",
        "Note: x",     "- ",   "1. ", "Here is", "“",  "”",   "\xff",    "\xe2\x80", "#", "I removed",
        "a sentence:", "\r\n", "é"};
    Rng rng(1, "replies");
    for (int i = 0; i < 5000; ++i) {
        std::string reply;
        for (uint64_t n = rng.below(9); n > 0; --n) reply += rng.pick(parts);
        const SimplificationReply made = read(reply);
        EXPECT_NE(made.text.empty(), made.unusable.empty()) << reply;
        EXPECT_EQ(made.text.find('\n'), std::string::npos) << reply;
        const SimplificationReply document = read(reply, kSource, SimplifiedForm::document);
        EXPECT_NE(document.text.empty(), document.unusable.empty()) << reply;
        EXPECT_EQ(document.text.find("\n\n\n"), std::string::npos) << reply;
    }
}

}  // namespace
}  // namespace craft

// Files of texts, good and bad.
#include "data/constraints/source_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/core/temporary_folder.h"
#include "text/sentences.h"

namespace craft {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string row(const std::string& id, const std::string& text) {
    return Json({{"id", id}, {"text", text}}).dump() + "\n";
}

class SourceTexts : public testing::Test {
protected:
    std::vector<SourceText> read(const std::string& bytes, const JsonLinesOptions& options = {}) {
        return read_source_texts(folder_.file("texts.jsonl", bytes), "", options);
    }
    std::string problem(const std::string& bytes, const JsonLinesOptions& options = {}) {
        return message_of([&] { read(bytes, options); });
    }
    std::vector<SourceText> read_both(const std::string& texts, const std::string& revisions) {
        return read_source_texts(folder_.file("texts.jsonl", texts), folder_.file("revisions.jsonl", revisions), {});
    }
    TemporaryFolder folder_;
};

TEST_F(SourceTexts, ComeInTheirOrder) {
    const auto texts =
        read("{\"id\":\"b\",\"text\":\"One sentence.\",\"topic\":\"x\"}\n\n" + row("a", "caf\u00e9 ") + row("c", "no stop"));
    ASSERT_EQ(texts.size(), 3u);
    EXPECT_EQ(texts[0].id, "b");
    EXPECT_EQ(texts[0].text, "One sentence.");
    EXPECT_EQ(texts[1].text, "caf\u00e9 ");
    EXPECT_EQ(texts[2].text, "no stop");
    EXPECT_EQ(texts[2].revision, "");
}

TEST_F(SourceTexts, BadRowsAreNamedWithTheirLine) {
    const std::string good = row("a", "Fine.");
    EXPECT_THAT(problem(""), AllOf(HasSubstr("texts.jsonl"), HasSubstr("at least one text")));
    EXPECT_THAT(problem("\n \n"), HasSubstr("at least one text"));
    EXPECT_THAT(problem(good + row("a", "Again.")), AllOf(HasSubstr("texts.jsonl:2"), HasSubstr("'a'"), HasSubstr("twice")));
    EXPECT_THAT(problem(good + "{\"id\":\"b\",\"text\":\"caf\xe9\"}\n"), AllOf(HasSubstr(":2"), HasSubstr("UTF-8")));
    EXPECT_THAT(problem(good + "{\"id\":\"b\"}\n"), AllOf(HasSubstr(":2"), HasSubstr("field 'text'"), HasSubstr("none")));
    EXPECT_THAT(problem(good + "{\"id\":[],\"text\":\"Fine.\"}\n"), AllOf(HasSubstr(":2"), HasSubstr("field 'id'")));
    EXPECT_THAT(problem(good + "{\"id\":true,\"text\":\"Fine.\"}\n"),
                AllOf(HasSubstr(":2"), HasSubstr("field 'id'"), HasSubstr("boolean")));
    EXPECT_THAT(problem(good + "{\"id\":\"b\",\"text\":null}\n"), AllOf(HasSubstr(":2"), HasSubstr("field 'text'")));
    EXPECT_THAT(problem(good + row("b", " \u00a0\n")), AllOf(HasSubstr(":2"), HasSubstr("empty")));
    EXPECT_THAT(problem(good + "[\"b\"]\n"), HasSubstr(":2"));
    EXPECT_THAT(problem(good + "{\"id\":\"b\",\"te"), HasSubstr(":2"));
    EXPECT_THAT(message_of([&] { read_source_texts((folder_.path() / "absent.jsonl").string(), "", {}); }),
                HasSubstr("absent.jsonl"));
    // The place is said once.
    const std::string line = problem(good + "{\"id\":\"b\"}\n");
    EXPECT_EQ(line.find("texts.jsonl:2"), line.rfind("texts.jsonl:2")) << line;
}

TEST_F(SourceTexts, BadRowsAreLeftOutWhenAskedTo) {
    const JsonLinesOptions skip{.skip_bad = true};
    const auto texts = read(row("a", "Fine.") + row("a", "Again.") + row("b", "  ") +
                                "{\"id\":\"c\",\"text\":\"\xff\"}\n{\n{\"id\":\"d\"}\n" + row("e", "Last."),
                            skip);
    ASSERT_EQ(texts.size(), 2u);
    EXPECT_EQ(texts[0].text, "Fine.");
    EXPECT_EQ(texts[1].id, "e");
    EXPECT_THAT(problem(row("b", "  "), skip), HasSubstr("at least one text"));
}

TEST_F(SourceTexts, LinesHaveALimitOfEightMebibytes) {
    const std::string ten_megabytes(10'000'000, 'x');
    const std::string bytes = row("a", "Fine.") + row("long", ten_megabytes) + row("b", "Fine too.");
    EXPECT_THAT(problem(bytes), AllOf(HasSubstr("texts.jsonl:2"), HasSubstr("8388608")));
    EXPECT_LT(problem(bytes).size(), 400u);
    EXPECT_EQ(read(bytes, {.skip_bad = true}).size(), 2u);
    EXPECT_EQ(read(bytes, {.max_line_bytes = 11'000'000}).at(1).text, ten_megabytes);
    EXPECT_EQ(read(row("a", std::string(8'000'000, 'x'))).size(), 1u);
    EXPECT_THAT(problem("{\"id\":\"a\",\"text\":\"x\",\"deep\":" + std::string(200, '[') + std::string(200, ']') + "}\n"),
                HasSubstr("deep"));
}

TEST_F(SourceTexts, RevisionsAreMatchedById) {
    const auto texts = read_both(row("a", "One.") + row("b", "Two."), row("b", "Two, revised.") + row("a", "One, revised."));
    EXPECT_EQ(texts[0].revision, "One, revised.");
    EXPECT_EQ(texts[1].revision, "Two, revised.");
    const auto problem_of = [&](const std::string& revisions) {
        return message_of([&] { read_both(row("a", "One.") + row("b", "Two."), revisions); });
    };
    EXPECT_THAT(problem_of(row("a", "One!")), AllOf(HasSubstr("revisions.jsonl"), HasSubstr("'b'")));
    EXPECT_THAT(problem_of(row("a", "One!") + row("b", "Two!") + row("z", "?")),
                AllOf(HasSubstr("revisions.jsonl:3"), HasSubstr("'z'")));
    EXPECT_THAT(problem_of(row("a", "One!") + row("a", "One?")), AllOf(HasSubstr("revisions.jsonl:2"), HasSubstr("twice")));
    EXPECT_THAT(problem_of(""), Not(HasSubstr("nothing thrown")));
}

// A bad line takes its counterpart in the other file with it.
TEST_F(SourceTexts, BadRowsOfEitherFileAreLeftOutInBoth) {
    const std::string texts = row("a", "One.") + "{\"id\":\"b\",\"text\":5}\n" + row("c", "Three.") + row("d", "Four.");
    const std::string revisions = row("a", "One!") + row("b", "Two!") + row("c", " ") + row("d", "Four!");
    int64_t bad = 0;
    const auto read = read_source_texts(folder_.file("texts.jsonl", texts), folder_.file("revisions.jsonl", revisions),
                                        {.skip_bad = true, .bad_lines = &bad});
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].revision, "One!");
    EXPECT_EQ(read[1].id, "d");
    EXPECT_EQ(bad, 3) << "b's text and, as no text has its id, b's revision; c's revision";
}

TEST(Passages, AreMadeOfShortTextsUsedOnce) {
    std::vector<SourceText> texts;
    for (int i = 0; i < 100; ++i) texts.push_back({"t" + std::to_string(i), "Text" + std::to_string(i) + " ends.", ""});
    texts.push_back({"revised", "A text.", "Its revision."});
    std::string words;
    for (int i = 0; i < 40; ++i) words += "Words and words. ";
    texts.push_back({"long", words, ""});
    const auto made = with_passages(texts, 0.6, 3, 100);
    std::map<std::string, std::string> by_id;
    size_t alone = 0, passages = 0;
    std::multiset<std::string> seen;
    for (const SourceText& text : made) {
        by_id[text.id] = text.text;
        const bool passage = text.id.starts_with("passage-");
        if (text.id == "revised" || text.id == "long") continue;
        passages += passage ? 1 : 0;
        alone += passage ? 0 : 1;
        const auto sentences = split_sentences(text.text);
        EXPECT_TRUE(passage ? sentences.size() >= 2 && sentences.size() <= 8 : sentences.size() == 1) << text.text;
        seen.insert(sentences.begin(), sentences.end());
    }
    EXPECT_EQ(by_id.at("revised"), "A text.");
    EXPECT_EQ(by_id.at("long"), words);
    EXPECT_GE(alone, 40U);
    EXPECT_LE(alone, 41U);
    EXPECT_GE(passages, 7U);
    EXPECT_EQ(seen.size(), 100U);
    EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 100U);
    EXPECT_EQ(with_passages(texts, 0.6, 3, 100).front().id, made.front().id);
    EXPECT_EQ(with_passages(texts, 0, 3, 100).size(), texts.size());
}

}  // namespace
}  // namespace craft

// Reading exercises: the same every time, right, and without anything that fine-tuning is to teach.
#include "data/exercises.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "core/error.h"
#include "core/json.h"
#include "data/trajectory.h"
#include "tests/core/temporary_folder.h"
#include "text/numbers.h"
#include "text/sentences.h"
#include "text/words.h"
#include "tools/craft/craft_tools.h"

namespace craft {
namespace {

const std::vector<std::string>& shipped_texts() {
    static const auto texts = [] {
        std::vector<std::string> out;
        JsonLinesReader reader((std::filesystem::path(CRAFT_TEST_SOURCE) / "share" / "texts" / "train.jsonl").string());
        while (const auto row = reader.next()) out.push_back(string_field(*row, "text", reader.where()));
        return out;
    }();
    return texts;
}

std::vector<Exercise> exercises(int64_t count, uint64_t seed = 1, const std::vector<std::string>& texts = shipped_texts()) {
    std::vector<Exercise> made;
    make_exercises(texts, {}, count, seed, [&](Exercise&& exercise) { made.push_back(std::move(exercise)); });
    return made;
}

std::string written(const Exercise& exercise) {
    std::string out = exercise.text;
    for (const Message& message : exercise.messages) out += "\n" + role_name(message.role) + ": " + message.content;
    return out;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// ---- one check a kind of question; `text` is the conversation's text, or empty ----

using Checker = void (*)(const std::smatch& question, const std::string& answer, const std::string& text);

void check_copy(const std::smatch& question, const std::string& answer, const std::string&) {
    EXPECT_EQ(answer, question[1].str());
}

int64_t number_named(const std::string& words) {
    const auto count = parse_number(words);
    const auto number = count ? count : parse_ordinal(words);
    EXPECT_TRUE(number) << words;
    return number.value_or(0);
}

void check_quote(const std::smatch& question, const std::string& answer, const std::string& text) {
    const int64_t id = number_named(question[1].matched ? question[1].str() : question[2].str());
    EXPECT_EQ(answer, "\"" + split_sentences(text).at(static_cast<size_t>(id - 1)) + "\"");
}

void check_outline(const std::smatch& question, const std::string& answer, const std::string& text) {
    const auto sentences = split_sentences(text);
    const auto lines = lines_of(answer);
    const auto words = static_cast<size_t>(number_named(question[1].str()));
    ASSERT_EQ(lines.size(), sentences.size());
    for (size_t i = 0; i < lines.size(); ++i) {
        const bool cut = whitespace_words(sentences[i]).size() > words;
        const std::string shown = lines[i].substr(3, lines[i].size() - 4 - (cut ? 3 : 0));
        EXPECT_EQ(lines[i], "- \"" + shown + (cut ? "...\"" : "\""));
        EXPECT_EQ(sentences[i].rfind(shown, 0), 0u) << lines[i];
        EXPECT_EQ(whitespace_words(shown).size(), std::min(words, whitespace_words(sentences[i]).size()));
    }
}

void check_quoted_words(const std::smatch& question, const std::string& answer, const std::string&) {
    std::vector<std::string> quoted;
    static const std::regex quotes("(?:^|[ (])(['\"])([^'\"]*?)\\1(?=$|[ .,;:!?)])");
    const std::string rest = question[1].str();
    for (std::sregex_iterator found(rest.begin(), rest.end(), quotes), end; found != end; ++found)
        quoted.push_back("\"" + (*found)[2].str() + "\"");
    EXPECT_EQ(lines_of(answer), quoted) << rest;
}

void check_numbers(const std::smatch& question, const std::string& answer, const std::string&) {
    std::vector<std::string> numbers;
    auto words = whitespace_words(question[1].str());
    for (std::string& word : words)
        while (!word.empty() && std::ispunct(static_cast<unsigned char>(word.back())) != 0) word.pop_back();
    for (size_t i = 0; i < words.size();) {
        size_t used = 1;
        std::string phrase, longest;
        for (size_t n = 0; n < 6 && i + n < words.size(); ++n) {
            phrase += (n == 0 ? "" : " ") + words[i + n];
            const auto count = parse_number(phrase);
            const auto number = count ? count : parse_ordinal(phrase);
            if (!number) continue;
            longest = std::to_string(*number);
            used = n + 1;
        }
        if (!longest.empty()) numbers.push_back(longest);
        i += used;
    }
    std::string expected;
    for (const auto& number : numbers) expected += (expected.empty() ? "" : ", ") + number;
    EXPECT_EQ(answer, expected) << question[0].str();
}

void check_neighbours(const std::smatch& question, const std::string& answer, const std::string&) {
    const int64_t step = question[1].str() == "more" ? 1 : -1;
    std::string expected;
    static const std::regex comma(", ");
    const std::string list = question[2].str();
    const std::vector<std::string> parts(std::sregex_token_iterator(list.begin(), list.end(), comma, -1), {});
    std::vector<int64_t> values;
    for (const std::string& part : parts) {
        if (const auto whole = parse_number(part); whole && &part != &parts.back()) {
            values.push_back(*whole);
            continue;
        }
        // The last part is "X and Y"; an "and" may stand in a number too: "one hundred and five and six".
        bool split = false;
        for (size_t at = part.find(" and "); at != std::string::npos && !split; at = part.find(" and ", at + 1)) {
            const auto left = parse_number(part.substr(0, at)), right = parse_number(part.substr(at + 5));
            const std::string wanted =
                std::to_string(left.value_or(-9) + step) + ", " + std::to_string(right.value_or(-9) + step);
            if (!left || !right || !answer.ends_with(wanted)) continue;
            values.push_back(*left);
            values.push_back(*right);
            split = true;
        }
        if (!split) values.push_back(number_named(part));
    }
    for (const int64_t value : values) expected += (expected.empty() ? "" : ", ") + std::to_string(value + step);
    EXPECT_EQ(answer, expected) << question[0].str();
}

// "name with 'word' and 12", "name with the items 3 and fourth", "name with twelve".
void check_calls(const std::smatch& question, const std::string& answer, const std::string&) {
    static const std::regex call("(\\w+_\\w+)\\((.*)\\)"), separator("\\. (?=\\w+_\\w+ with )");
    const std::string list = question[1].str();
    const std::vector<std::string> asked(std::sregex_token_iterator(list.begin(), list.end(), separator, -1), {});
    const auto lines = lines_of(answer);
    ASSERT_EQ(lines.size(), asked.size() + 2) << answer;
    EXPECT_EQ(lines.front(), "```");
    EXPECT_EQ(lines.back(), "```");
    for (size_t i = 0; i < asked.size(); ++i) {
        std::smatch parts;
        ASSERT_TRUE(std::regex_match(lines[i + 1], parts, call)) << lines[i + 1];
        const std::string lead = parts[1].str() + " with ";
        ASSERT_EQ(asked[i].rfind(lead, 0), 0u) << asked[i];
        const std::string said = asked[i].substr(lead.size());
        const Json arguments = Json::parse("[" + parts[2].str() + "]");
        if (arguments[0].is_array()) {
            std::string items = std::regex_replace(said, std::regex("^the items "), "");
            EXPECT_NE(items, said);
            static const std::regex between(", | and ");
            std::vector<int64_t> ids;
            for (std::sregex_token_iterator item(items.begin(), items.end(), between, -1), end; item != end; ++item)
                ids.push_back(number_named(item->str()));
            EXPECT_EQ(arguments[0].get<std::vector<int64_t>>(), ids) << asked[i];
        } else if (arguments[0].is_string()) {
            const auto word = arguments[0].get<std::string>();
            EXPECT_EQ(said.substr(1, word.size()), word);
            EXPECT_EQ(number_named(said.substr(word.size() + 7)), arguments[1].get<int64_t>()) << asked[i];
        } else {
            EXPECT_EQ(number_named(said), arguments[0].get<int64_t>()) << asked[i];
        }
    }
}

// What notes and calls say, rule_notes_test.cpp checks.
void check_notes(const std::smatch&, const std::string& answer, const std::string&) {
    for (const std::string& line : lines_of(answer)) EXPECT_TRUE(std::regex_match(line, std::regex("- .+ -> .+"))) << answer;
}

void check_code(const std::smatch&, const std::string& answer, const std::string&) {
    static const std::regex form("([^`]+ -> [^`]+; )*[^`]+ -> [^`]+\\.\n```\n(\\w+\\(.+, \"\\w+\"\\)\n)+```");
    EXPECT_TRUE(std::regex_match(answer, form)) << answer;
}

struct Kind {
    const char* name;
    std::regex question;
    Checker check;
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
        {"copy", std::regex("(?:Copy these words|Repeat|Say it again|Copy the list): (.*)"), check_copy},
        {"quote", std::regex("Quote (?:sentence (\\d+)|the (.*) sentence)\\."), check_quote},
        {"outline", std::regex("Give the first (.*) words of each sentence\\."), check_outline},
        {"quoted words", std::regex("List what stands in quotes: (.*)"), check_quoted_words},
        {"numbers", std::regex("Write the numbers in digits: (.*)"), check_numbers},
        {"neighbours", std::regex("One (more|less) than (.*)\\?"), check_neighbours},
        {"calls", std::regex("Write as code: (.*)"), check_calls},
        {"notes", std::regex("Note the rules: (.*)"), check_notes},
        {"code", std::regex("Note the rules, then write them as code: (.*)"), check_code},
    };
    return all;
}

// The kind of a question, after its answer was checked.
std::string check_turn(const std::string& question, const std::string& answer, const std::string& text) {
    for (const Kind& kind : kinds()) {
        std::smatch found;
        if (!std::regex_match(question, found, kind.question)) continue;
        kind.check(found, answer, text);
        return kind.name;
    }
    ADD_FAILURE() << "a question that this test cannot check: " << question;
    return "";
}

TEST(Exercises, AnswersAreRight) {
    std::map<std::string, int> seen;
    int texts_before = 0, texts_behind = 0;
    for (const Exercise& exercise : exercises(3000)) {
        std::string text;
        for (size_t i = 0; i + 1 < exercise.messages.size(); i += 2) {
            std::string question = exercise.messages[i].content;
            const size_t blank = question.find("\n\n");
            if (blank != std::string::npos) {
                EXPECT_EQ(i, 0u) << "the text comes with the first question";
                text = question.substr(blank + 2);
                question.resize(blank);
                const bool before = std::ranges::any_of(kinds(), [&](const Kind& kind) {
                    return std::regex_match(text, kind.question);  // no text reads like a question
                });
                if (before) std::swap(text, question);
                ++(before ? texts_before : texts_behind);
            }
            ++seen[check_turn(question, exercise.messages[i + 1].content, text)];
        }
    }
    EXPECT_EQ(seen.size(), kinds().size());
    for (const auto& [kind, count] : seen) EXPECT_GE(count, 100) << kind;
    EXPECT_GE(texts_behind, 300);
    EXPECT_GE(texts_before, 700);
}

TEST(Exercises, OneInTwelveIsAPlainText) {
    const std::set<std::string> texts(shipped_texts().begin(), shipped_texts().end());
    const auto made = exercises(1200);
    ASSERT_EQ(made.size(), 1200u);
    std::set<std::string> plain;
    for (size_t i = 0; i < made.size(); ++i) {
        EXPECT_EQ(made[i].messages.empty(), i % 12 == 0) << i;
        EXPECT_EQ(made[i].text.empty(), i % 12 != 0) << i;
        if (made[i].messages.empty()) {
            EXPECT_TRUE(texts.contains(made[i].text));
            plain.insert(made[i].text);
        }
        EXPECT_LE(made[i].messages.size(), 8u);
        for (size_t k = 0; k < made[i].messages.size(); ++k) {
            EXPECT_EQ(made[i].messages[k].role, k % 2 == 0 ? Role::user : Role::assistant);
            EXPECT_FALSE(made[i].messages[k].content.empty());
        }
    }
    EXPECT_GE(plain.size(), 80u);  // 100 drawn from 480 texts
}

TEST(Exercises, DependOnTheSeedAlone) {
    const auto one = exercises(200), again = exercises(200), other = exercises(200, 2);
    size_t same = 0;
    for (size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(written(one[i]), written(again[i]));
        same += written(one[i]) == written(other[i]) ? 1 : 0;
    }
    EXPECT_LE(same, 4u);
}

TEST(Exercises, ShowNoToolNoHeadingAndNoRequestOfTheTask) {
    std::vector<std::string> taught = response_symbols();
    taught.insert(taught.end(), craft_tools().names().begin(), craft_tools().names().end());
    std::erase(taught, "```");  // code stands in fences
    for (const char* more : {"###", "Improvement Plan", "\"unchange\")", "\"less than\")", "\"more than\")", "\"equal\")",
                             "refine", "revise", "Revise"})
        taught.emplace_back(more);
    std::set<std::string> in_texts;  // a text may speak of revising something
    for (const std::string& word : taught)
        for (const std::string& text : shipped_texts())
            if (text.find(word) != std::string::npos) in_texts.insert(word);
    EXPECT_LE(in_texts.size(), 3u);
    for (const Exercise& exercise : exercises(4000, 3)) {
        const std::string all = written(exercise);
        for (const std::string& word : taught)
            EXPECT_TRUE(in_texts.contains(word) || all.find(word) == std::string::npos) << word << " in: " << all;
    }
}

TEST(Exercises, WorkOnAnyTextAndRefuseNone) {
    EXPECT_EQ(exercises(50, 1, {"One sentence only, with seven words."}).size(), 50u);
    EXPECT_EQ(exercises(50, 1, {"caf\u00e9 - \u201cnaive\u201d, isn't it? (Yes.) \u4e2d\u6587 text here."}).size(), 50u);
    EXPECT_THAT(message_of([] { exercises(1, 1, {}); }), testing::HasSubstr("at least one text"));
    EXPECT_THAT(message_of([] { exercises(1, 1, {" \n"}); }), testing::HasSubstr("a blank one"));
    EXPECT_THAT(message_of([] { exercises(1, 1, {"1 2 3."}); }), testing::HasSubstr("three letters"));
    EXPECT_TRUE(exercises(0).empty());
}

TEST(Exercises, SymbolsStandInWhatIsCopiedAlone) {
    int lists = 0;
    make_exercises(shipped_texts(), {"<<symbol>>"}, 2000, 1, [&](Exercise&& exercise) {
        for (size_t i = 0; i + 1 < exercise.messages.size(); i += 2) {
            const std::string &question = exercise.messages[i].content, &answer = exercise.messages[i + 1].content;
            if (question.find("<<symbol>>") == std::string::npos) continue;
            static const std::regex copy(
                "(?:[^]*\n\n)?(?:Copy the list|Copy these words|Repeat|Say it again): (.*)(?:\n\n[^]*)?");
            std::smatch parts;
            ASSERT_TRUE(std::regex_match(question, parts, copy)) << question;
            EXPECT_EQ(parts[1].str(), answer);
            ++lists;
        }
    });
    EXPECT_GE(lists, 120);
}

TEST(Exercises, TheFirstTwentiethOnlyCopies) {
    const auto made = exercises(4000);
    int copies = 0, others = 0;
    for (size_t i = 0; i < made.size(); ++i)
        for (size_t k = 0; k + 1 < made[i].messages.size(); k += 2) {
            const std::string &question = made[i].messages[k].content, &answer = made[i].messages[k + 1].content;
            const bool copy = question.ends_with(" " + answer);
            EXPECT_TRUE(copy || i >= 200) << question;
            ++(copy ? copies : others);
        }
    EXPECT_GE(copies, 500);
    EXPECT_GE(others, 1500);
}

}  // namespace
}  // namespace craft

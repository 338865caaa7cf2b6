// The notes say what the rules say: checked with a reading of the rules of our own, for many draws.
#include "data/rule_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "constraints/wordings.h"
#include "text/numbers.h"

namespace craft {
namespace {

using testing::ElementsAreArray;

const std::vector<std::string> kWords = {"lanterns", "Marek", "harbour", "pewter", "crayons", "Oslo", "wagon", "thistle"};

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string joined(const std::vector<std::string>& words, size_t from, size_t to) {
    std::string out;
    for (size_t i = from; i < to; ++i) out += (i == from ? "" : " ") + words[i];
    return out;
}

// The number that `words` begin with from word `at` on, as long as it goes, and how many words it takes.
std::optional<std::pair<int64_t, size_t>> number_at(const std::vector<std::string>& words, size_t at) {
    std::optional<std::pair<int64_t, size_t>> found;
    std::string run;
    for (size_t i = at; i < words.size() && i < at + 8; ++i) {
        run += (i == at ? "" : " ") + words[i];
        if (const auto number = parse_number(run)) found = std::pair(*number, i + 1 - at);
    }
    if (!found && words[at] == "once") found = std::pair(int64_t{1}, size_t{1});
    if (!found && words[at] == "twice") found = std::pair(int64_t{2}, size_t{1});
    return found;
}

bool follows(const std::vector<std::string>& words, size_t at, const std::string& phrase) {
    std::string run;
    for (size_t i = at; i < words.size() && run.size() < phrase.size(); ++i) run += (i == at ? "" : " ") + words[i];
    return run == phrase;
}

bool precedes(const std::vector<std::string>& words, size_t at, const std::string& phrase) {
    const auto count = static_cast<size_t>(std::count(phrase.begin(), phrase.end(), ' ')) + 1;
    return at >= count && follows(words, at - count, phrase);
}

// "more than 12", in the order of the text: every number that words of comparison stand beside.
std::vector<std::string> amounts_said(const std::string& rules) {
    struct Cue {
        const char* said;
        const char* noted;
        int64_t step;
    };
    static const std::vector<Cue> before = {{"not over", "less than", 1},
                                            {"no longer than", "less than", 1},
                                            {"no shorter than", "more than", -1},
                                            {"no less than", "more than", -1},
                                            {"above", "more than", 0},
                                            {"in excess of", "more than", 0},
                                            {"short of", "less than", 0},
                                            {"a total of", "exactly", 0},
                                            {"surpasses", "more than", 0},
                                            {"capped at", "less than", 1},
                                            {"keeps within", "less than", 1},
                                            {"no more than", "less than", 1},
                                            {"no fewer than", "more than", -1},
                                            {"not less than", "more than", -1},
                                            {"not exceed", "less than", 1},
                                            {"not reach", "less than", 0},
                                            {"more than", "more than", 0},
                                            {"over", "more than", 0},
                                            {"upwards of", "more than", 0},
                                            {"longer than", "more than", 0},
                                            {"goes past", "more than", 0},
                                            {"go beyond", "more than", 0},
                                            {"at least", "more than", -1},
                                            {"a minimum of", "more than", -1},
                                            {"fewer than", "less than", 0},
                                            {"less than", "less than", 0},
                                            {"under", "less than", 0},
                                            {"below", "less than", 0},
                                            {"shorter than", "less than", 0},
                                            {"at most", "less than", 1},
                                            {"up to", "less than", 1},
                                            {"a maximum of", "less than", 1},
                                            {"exactly", "exactly", 0},
                                            {"precisely", "exactly", 0},
                                            {"just", "exactly", 0},
                                            {"comes to", "exactly", 0},
                                            {"amounts to", "exactly", 0}};
    std::vector<std::string> words, found;
    std::istringstream in(lower(rules));
    for (std::string word; in >> word;) {
        while (word.back() == '.' || word.back() == ',') word.pop_back();
        words.push_back(word);
    }
    const auto note = [&](const std::string& how, int64_t value) { found.push_back(how + " " + std::to_string(value)); };
    for (size_t i = 0; i < words.size(); ++i) {
        const auto number = number_at(words, i);
        if (!number || follows(words, i - (i > 0 ? 1 : 0), "at once")) continue;
        if (precedes(words, i, "between")) {  // "between X and Y"; both may hold an "and"
            for (size_t cut = i + 1; cut + 1 < words.size(); ++cut) {
                const auto low = parse_number(joined(words, i, cut));
                const auto high = words[cut] == "and" ? number_at(words, cut + 1) : std::nullopt;
                if (!low || !high || high->first <= *low) continue;
                note("more than", *low);
                note("less than", high->first);
                i = cut + high->second;
                break;
            }
            continue;
        }
        size_t after = i + number->second;
        if (follows(words, after, "times")) ++after;
        const bool is_count = after != i + number->second || words[i] == "once" || words[i] == "twice";
        const auto cue =
            std::find_if(before.begin(), before.end(), [&](const Cue& c) { return precedes(words, i, c.said); });
        if (cue != before.end()) {
            const auto length = static_cast<size_t>(std::count(cue->said, cue->said + strlen(cue->said), ' ')) + 1;
            const bool forbidden =
                i >= length + 4 && words[i - length - 4] == "no" && precedes(words, i - length, "may have");
            if (!forbidden)
                note(cue->noted, number->first + cue->step);
            else if (std::string(cue->noted) == "less than")
                note("more than", number->first - 1);
            else
                note("less than", number->first + 1);
        } else if (follows(words, after, "or more") || follows(words, after, "at the very least")) {
            note("more than", number->first - 1);
        } else if (follows(words, after, "or fewer") || follows(words, after, "or less") ||
                   follows(words, after, "at the very most")) {
            note("less than", number->first + 1);
        } else if (is_count) {
            note("exactly", number->first);
        }
        i = after - 1;
    }
    return found;
}

std::vector<std::string> amounts_noted(const std::vector<std::string>& notes) {
    static const std::regex amount("(more than|less than|exactly) \\d+");
    std::vector<std::string> found;
    for (const std::string& note : notes)
        for (std::sregex_iterator it(note.begin(), note.end(), amount), end; it != end; ++it) found.push_back(it->str());
    return found;
}

TEST(RuleNotes, AmountsAreNotedAsTheyAreSaid) {
    int amounts = 0;
    for (uint64_t i = 0; i < 3000; ++i) {
        Rng rng(1, "rule notes", i);
        const RuleNotes made = make_rule_notes(kWords, rng);
        const auto noted = amounts_noted(made.notes);
        EXPECT_THAT(noted, ElementsAreArray(amounts_said(made.rules))) << made.rules;
        amounts += static_cast<int>(noted.size());
    }
    EXPECT_GE(amounts, 3000);
}

TEST(RuleNotes, NameWhatTheRulesAreAbout) {
    static const std::regex numbers("\\b[0-9]+\\b");
    std::set<std::string> verbs;
    for (uint64_t i = 0; i < 2000; ++i) {
        Rng rng(2, "rule notes", i);
        const RuleNotes made = make_rule_notes(kWords, rng);
        ASSERT_FALSE(made.notes.empty());
        EXPECT_LE(made.notes.size(), 4u);
        EXPECT_TRUE(made.rules.ends_with('.')) << made.rules;
        EXPECT_EQ(made.rules.find_first_of("#@%"), std::string::npos) << made.rules;
        ASSERT_EQ(made.said.size(), made.notes.size());
        size_t at = 0;  // in the rules' order
        for (size_t k = 0; k < made.notes.size(); ++k) {
            const std::string& note = made.notes[k];
            at = made.rules.find(made.said[k], at);
            ASSERT_NE(at, std::string::npos) << made.said[k] << " in " << made.rules;
            const std::string verb = note.substr(0, note.find(' '));
            if (verb == "keep" || verb == "change" || verb == "remove") verbs.insert(verb);
            const auto about = std::find_if(kWords.begin(), kWords.end(),
                                            [&](const std::string& word) { return note.find(word) != std::string::npos; });
            ASSERT_NE(about, kWords.end()) << note;
            EXPECT_NE(lower(made.said[k]).find(lower(*about)), std::string::npos) << made.said[k] << "\n" << note;
            at += made.said[k].size();
        }
    }
    EXPECT_EQ(verbs.size(), 3u);
}

// Each call repeats its note: the same subject, numbers and relation.
TEST(RuleNotes, CallsSayWhatTheNotesSay) {
    static const std::regex call("(\\w+)\\((.*), \"(\\w+)\"\\)"), number("\\d+"),
        relation("more|less|exact|keep|change|remove");
    const auto all = [](const std::string& text, const std::regex& what) {
        std::vector<std::string> found;
        for (std::sregex_iterator it(text.begin(), text.end(), what), end; it != end; ++it) found.push_back(it->str());
        return found;
    };
    for (uint64_t i = 0; i < 2000; ++i) {
        Rng rng(3, "rule notes", i);
        const RuleNotes made = make_rule_notes(kWords, rng);
        size_t at = 0;
        for (const std::string& note : made.notes) {
            std::vector<std::string> numbers, relations;
            do {
                ASSERT_LT(at, made.calls.size()) << note;
                std::smatch parts;
                ASSERT_TRUE(std::regex_match(made.calls[at], parts, call)) << made.calls[at];
                for (const auto& value : all(parts[2].str(), number)) numbers.push_back(value);
                relations.push_back(parts[3].str());
                for (const std::string& word : kWords)
                    EXPECT_EQ(note.find(word) == std::string::npos, made.calls[at].find(word) == std::string::npos) << note;
                ++at;
            } while (numbers.size() < all(note, number).size());
            EXPECT_EQ(numbers, all(note, number)) << note;
            EXPECT_EQ(relations, all(note, relation)) << note;
        }
        EXPECT_EQ(at, made.calls.size()) << made.rules;
    }
}

using Replacements = std::vector<std::pair<std::regex, const char*>>;

// A wording or a rule with its subjects as @, its holders as % and its numbers as #.
std::string frame(std::string text, const Replacements& replacements) {
    text = lower(text);
    for (const auto& [from, to] : replacements) text = std::regex_replace(text, from, to);
    return text;
}

TEST(RuleNotes, NoPhraseIsADevelopmentWording) {
    const Wordings wordings =
        Wordings::load(std::filesystem::path(CRAFT_TEST_SOURCE) / "share" / "wordings" / "constraints.json");
    const Replacements of_wordings = {
        {std::regex("the \\{i\\} sentences?|sentences? (number )?\\{ids\\}"), "@"},
        {std::regex("(the (word|term) )?\\{a\\}"), "@"},
        {std::regex("\\{[nm][^}]*times\\}"), "# times"},
        {std::regex("\\{[nm][^}]*\\}"), "#"},
        {std::regex("(each|every|all|no) sentences?"), "$1 %"},
        {std::regex("\\b(words|tokens|sentences)\\b"), "@"},
        {std::regex("the (output|result|text|revised text|revised version|number of @)"), "the %"}};
    std::set<std::string> train, dev;
    for (int shape = 0; shape < kShapes; ++shape)
        for (const Wording& wording : wordings.of(static_cast<Shape>(shape)))
            for (const std::string& text : wording.texts)
                if (wording.split == Split::dev ||
                    &text == &wording.texts.front())  // of the many training texts some are enough
                    (wording.split == Split::dev ? dev : train).insert(frame(text, of_wordings));
    ASSERT_GE(dev.size(), 60u);
    std::set<std::string> rules, said;
    for (uint64_t i = 0; i < 60000; ++i) {
        Rng rng(4, "rule notes", i);
        const RuleNotes made = make_rule_notes({"qq"}, rng);
        if (made.notes.size() == 1) rules.insert(made.rules);
    }
    const Replacements of_rules = {
        {std::regex("\\.$"), ""},
        {std::regex("the name ['\"]qq['\"]|['\"]qq['\"]"), "@"},
        {std::regex("the [a-z0-9, -]*(st|nd|rd|th)( and [a-z0-9]+)? qq|qq \\d[\\d, and]*\\b"), "@"},
        {std::regex("(the|a|each|every|all|no) qq"), "$1 %"},
        {std::regex("\\bqq\\b"), "@"},
        {std::regex("once|twice|[0-9]+ times"), "# times"},
        {std::regex("\\d+"), "#"}};
    for (const std::string& rule : rules) said.insert(frame(rule, of_rules));
    std::vector<std::string> both;
    std::set_intersection(said.begin(), said.end(), dev.begin(), dev.end(), std::back_inserter(both));
    EXPECT_THAT(both, testing::IsEmpty());
    std::set_intersection(said.begin(), said.end(), train.begin(), train.end(), std::back_inserter(both));
    EXPECT_GE(both.size(), 3u) << "the two are written alike, or nothing could be found in both";
}

}  // namespace
}  // namespace craft

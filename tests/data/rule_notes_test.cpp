// The notes say what the rules say: checked with a reading of the rules of our own, for many draws.
#include "data/rule_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include "text/numbers.h"

namespace craft {
namespace {

using testing::ElementsAreArray;

const std::vector<std::string> kWords = {"lanterns", "Marek", "harbour", "pewter", "crayons", "Oslo", "wagon", "thistle"};

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// The longest run of words from the start that is a number, "once" or "twice".
std::optional<int64_t> number_at_start(const std::string& text) {
    std::istringstream words(text);
    std::string run;
    std::optional<int64_t> found;
    for (std::string word; words >> word;) {
        while (!word.empty() && (word.back() == '.' || word.back() == ',')) word.pop_back();
        if (run.empty() && word == "once") return 1;
        if (run.empty() && word == "twice") return 2;
        run += (run.empty() ? "" : " ") + word;
        if (const auto number = parse_number(run)) found = number;
    }
    return found;
}

// "more than 12", in the order of the text.
std::vector<std::string> amounts_said(const std::string& rules) {
    static const std::regex cue(
        "(between|no more than|more than|over|upwards of|at least|no fewer than|not less than|a minimum of|fewer than|less "
        "than|"
        "under|below|at most|up to|a maximum of|exactly|precisely|just|longer than|exceeds|must go beyond|shorter than|"
        "does not reach|comes to) ");
    static const std::set<std::string> more = {"more than",   "over",    "upwards of",
                                               "longer than", "exceeds", "must go beyond"};
    static const std::set<std::string> fewer = {"fewer than", "less than",    "under",
                                                "below",      "shorter than", "does not reach"};
    static const std::set<std::string> floor = {"at least", "no fewer than", "not less than", "a minimum of"};
    static const std::set<std::string> ceiling = {"no more than", "at most", "up to", "a maximum of"};
    std::vector<std::string> found;
    const std::string text = lower(rules);
    for (std::sregex_iterator it(text.begin(), text.end(), cue), end; it != end; ++it) {
        const std::string said = (*it)[1].str(), rest = it->suffix().str();
        const auto number = number_at_start(rest);
        if (!number) continue;  // "modify just the third"
        const auto note = [&](const char* how, int64_t value) { found.push_back(how + std::to_string(value)); };
        if (said == "between") {
            note("more than ", *number);
            for (size_t at = rest.find(" and "); at != std::string::npos; at = rest.find(" and ", at + 1))
                if (parse_number(rest.substr(0, at)) == number) {
                    note("less than ", number_at_start(rest.substr(at + 5)).value_or(-1));
                    break;
                }
        } else if (more.contains(said)) {
            note("more than ", *number);
        } else if (fewer.contains(said)) {
            note("less than ", *number);
        } else if (floor.contains(said)) {
            note("more than ", *number - 1);
        } else if (ceiling.contains(said)) {
            note("less than ", *number + 1);
        } else {
            note("exactly ", *number);
        }
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
        size_t at = 0;  // in the rules' order
        for (const std::string& note : made.notes) {
            const std::string verb = note.substr(0, note.find(' '));
            if (verb == "keep" || verb == "change" || verb == "remove") verbs.insert(verb);
            const auto about = std::find_if(kWords.begin(), kWords.end(),
                                            [&](const std::string& word) { return note.find(word) != std::string::npos; });
            ASSERT_NE(about, kWords.end()) << note;
            at = lower(made.rules).find(lower(*about), at);
            EXPECT_NE(at, std::string::npos) << made.rules << "\n" << note;
        }
    }
    EXPECT_EQ(verbs.size(), 3u);
}

}  // namespace
}  // namespace craft

// How much of CORD's way of saying a number or a keyword the training wordings have: a share that is told, since CORD's
// scores say the less of unseen wordings the larger it is. Nothing is chosen by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <regex>
#include <set>

#include "core/json.h"
#include "data/constraints/wordings.h"
#include "tests/data/constraints/contexts.h"
#include "tests/reference.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

constexpr size_t kReach = 4;  // words to each side

// A sentence's words with "{}" for numbers, ordinals and keywords in quotation marks; several in a row are one.
std::vector<std::string> masked(std::string sentence) {
    static const std::regex quoted("(['\"\u201c\u2018])[^'\"\u201d\u2019]+(['\"\u201d\u2019])"),
        digits("[0-9]+(st|nd|rd|th)?"),
        spelled(
            "\\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
            "eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|once|twice|first|second|third|"
            "fourth|fifth|sixth|seventh|eighth|ninth|tenth)\\b"),
        several("\\{\\}((,|, and| and|-) ?\\{\\}|\\{\\})+");
    for (const std::regex& one : {quoted, digits, spelled}) sentence = std::regex_replace(sentence, one, "{}");
    return words_of(std::regex_replace(sentence, several, "{}"));
}

// What stands up to four words before and after a slot, both sides together.
std::vector<std::string> contexts_of(const std::vector<std::string>& words) {
    std::vector<std::string> contexts;
    for (size_t i = 0; i < words.size(); ++i) {
        if (words[i] != "{}") continue;
        std::string context;
        for (size_t at = i - std::min(i, kReach); at <= std::min(words.size() - 1, i + kReach); ++at)
            context += words[at] + " ";
        contexts.push_back(context);
    }
    return contexts;
}

TEST(CordContexts, ShareThatTrainingHas) {
    CRAFT_REFERENCE_FILE(cord, "data/cord");
    const Wordings wordings = Wordings::load(fs::path(test_source()) / "share" / "wordings" / "constraints.json");
    std::set<std::string> known;
    for (int i = 0; i < kShapes; ++i)
        for (const Wording* wording : allowed(wordings.of(static_cast<Shape>(i)), Split::train))
            for (const std::string& text : wording->texts)
                for (const std::string& context : contexts_of(masked(text))) known.insert(context);
    ASSERT_TRUE(known.contains("fewer than {} sentences ")) << "with fewer than 5 sentences";
    size_t all = 0, had = 0;
    for (const char* file : {"c1.jsonl", "c2.jsonl", "c3.jsonl"})
        for (JsonLinesReader rows((cord / file).string()); const auto row = rows.next();) {
            const std::string instruction = row->at("instruction").get<std::string>();
            static const std::regex end("[.?!:;]( |$)");
            for (std::sregex_token_iterator at(instruction.begin(), instruction.end(), end, -1), last; at != last; ++at)
                for (const std::string& context : contexts_of(masked(at->str()))) {
                    ++all;
                    had += known.contains(context) ? 1 : 0;
                }
        }
    EXPECT_GE(all, 600U) << "three hundred instructions with one to three constraints";
    const double share = static_cast<double>(had) / static_cast<double>(all);
    RecordProperty("share", std::to_string(share));
    std::cout << "CORD: " << had << " of " << all << " contexts of a number or keyword are those of a training wording\n";
    EXPECT_LT(share, 1);
}

}  // namespace
}  // namespace craft

// The instructions in free wording (share/instructions): what they are about, that they can be met, and that training
// wordings do not say the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "core/json.h"
#include "data/constraints/adherence.h"
#include "data/constraints/values.h"
#include "data/constraints/wordings.h"
#include "rollout/rules_reviser.h"
#include "tests/rollout/rules/rules_fixture.h"
#include "text/numbers.h"
#include "text/utf8.h"
#include "text/words.h"
#include "tools/craft/check.h"

namespace craft {
namespace {

const std::vector<Instruction>& free_instructions() {
    static const auto instructions = [] {
        std::vector<Instruction> out;
        JsonLinesReader reader((kShare / "instructions" / "free_dev.jsonl").string());
        while (const auto row = reader.next()) out.push_back(instruction_from_json(*row, reader.where()));
        return out;
    }();
    return instructions;
}

TEST(FreeInstructions, AreWholeOfDevelopmentTextsAndOfAllShapes) {
    std::set<std::string> texts, ids;
    JsonLinesReader reader((kShare / "texts" / "dev.jsonl").string());
    while (const auto row = reader.next()) texts.insert(string_field(*row, "text", reader.where()));
    std::map<int, int> domains;
    std::map<Shape, int> shapes;
    for (const Instruction& instruction : free_instructions()) {
        EXPECT_TRUE(ids.insert(instruction.id).second) << instruction.id << " stands twice";
        EXPECT_TRUE(texts.contains(instruction.text)) << instruction.id;
        EXPECT_FALSE(instruction.instruction.empty()) << instruction.id;
        ++domains[instruction.domain];
        ASSERT_EQ(static_cast<int>(instruction.constraints.size()), instruction.domain) << instruction.id;
        std::set<SubType> types;
        for (const Constraint& c : instruction.constraints) {
            ++shapes[c.shape];
            EXPECT_TRUE(types.insert(sub_type(c.shape)).second) << "one of a sub-type: " << instruction.id;
            if (c.keyword.empty()) continue;
            EXPECT_GE(count_keyword(instruction.text, c.keyword), 1) << instruction.id;
            EXPECT_NE(instruction.instruction.find(c.keyword), std::string::npos) << instruction.id;
        }
    }
    EXPECT_EQ(domains, (std::map<int, int>{{1, 40}, {2, 40}, {3, 40}}));
    EXPECT_EQ(shapes.size(), static_cast<size_t>(kShapes));
    for (const auto& [shape, count] : shapes) EXPECT_GE(count, 3) << shape_name(shape);
}

// No constraint that asks for a change is met by leaving the text alone, and the rules meet nearly all of them together.
TEST(FreeInstructions, CanBeMetButNotByDoingNothing) {
    RulesReviser reviser(shipped_rules());
    size_t constraints = 0, met = 0, whole = 0;
    for (const Instruction& instruction : free_instructions()) {
        std::string lines;
        for (const ToolCall& call : instruction.gold_calls()) lines += normal_form(call) + "\n";
        const ParsedResponse response(response_text(lines + "text_eval()"));
        const std::string revised = reviser.revise({{instruction.text, instruction.text, &response, 1}}).at(0).text;
        const MeasuredText original(instruction.text), revision(revised);
        bool all = true;
        for (size_t i = 0; i < instruction.gold.size(); ++i) {
            const auto holds_for = [&](const MeasuredText& text) {
                return std::all_of(instruction.gold[i].begin(), instruction.gold[i].end(),
                                   [&](const ToolCall& call) { return check(call, original, text).met; });
            };
            EXPECT_FALSE(asks_for_change(instruction.constraints[i].shape) && holds_for(original))
                << instruction.id << ": " << normal_form(instruction.gold[i][0]);
            ++constraints;
            met += holds_for(revision) ? 1 : 0;
            all = all && holds_for(revision);
        }
        whole += all ? 1 : 0;
    }
    EXPECT_EQ(constraints, 240u);
    EXPECT_GE(met, 228u) << "of 240 constraints";
    EXPECT_GE(whole, 108u) << "of 120 instructions";
    RecordProperty("constraints_met_by_the_rules", std::to_string(met));
    RecordProperty("instructions_met_by_the_rules", std::to_string(whole));
}

bool is_number(const std::string& word) {
    return word != "one" && (parse_number(word) || parse_ordinal(word));
}

// Four words to each side of every slot, or number and quoted word, which are masked.
std::set<std::string> contexts_of(const std::string& text) {
    std::vector<std::string> words(4);
    for (const std::string& token : whitespace_words(lowercase(text))) {
        const auto is_inner = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '{' || c == '}';
        };
        const auto first = std::find_if(token.begin(), token.end(), is_inner);
        const auto last = std::find_if(token.rbegin(), token.rend(), is_inner).base();
        if (first >= last) continue;
        const std::string word(first, last);
        const bool quoted = first != token.begin() && token[0] != '(';
        words.push_back(quoted || word[0] == '{' || is_number(word) ? "#" : word);
    }
    words.insert(words.end(), 4, "");
    std::set<std::string> contexts;
    for (size_t i = 4; i + 4 < words.size(); ++i) {
        if (words[i] != "#") continue;
        std::string before, behind;
        for (size_t k = 1; k <= 4; ++k) {
            before = words[i - k] + " " + before;
            behind += words[i + k] + " ";
        }
        contexts.insert(before + "#" + behind);
    }
    return contexts;
}

TEST(FreeInstructions, TrainingWordingsHaveOtherContexts) {
    const Wordings wordings = Wordings::load(kShare / "wordings" / "constraints.json");
    std::set<std::string> known;
    for (int shape = 0; shape < kShapes; ++shape)
        for (const Wording* wording : allowed(wordings.of(static_cast<Shape>(shape)), Split::train))
            for (const std::string& text : wording->texts) known.merge(contexts_of(text));
    ASSERT_GE(known.size(), 1000u);
    size_t all = 0, shared = 0;
    for (const Instruction& instruction : free_instructions())
        for (const std::string& context : contexts_of(instruction.instruction)) {
            ++all;
            shared += known.contains(context) ? 1 : 0;
        }
    const double share = static_cast<double>(shared) / static_cast<double>(all);
    EXPECT_LE(share, 0.1);
    RecordProperty("contexts_that_training_has", std::to_string(share));
}

}  // namespace
}  // namespace craft

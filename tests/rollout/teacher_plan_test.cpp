// The rules teacher and the rules reviser together: what changes stands in the plan.
#include <gtest/gtest.h>

#include <algorithm>

#include "data/constraints/generator.h"
#include "data/constraints/source_texts.h"
#include "rollout/rules/free_revision.h"
#include "rollout/rules/rules_teacher.h"
#include "rollout/rules_reviser.h"
#include "tests/rollout/rules/rules_fixture.h"
#include "tools/craft/check.h"

namespace craft {
namespace {

std::vector<Instruction> instructions(const char* texts, int64_t count) {
    const Wordings wordings = Wordings::load(kShare / "wordings" / "constraints.json");
    std::vector<Instruction> made;
    generate_instructions(
        read_source_texts((kShare / "texts" / texts).string(), "", {}),
        [](const std::string& text, Rng& rng) { return free_revision(*shipped_rules(), text, rng); }, wordings,
        {.count = count, .split = Split::train},
        [&](Instruction&& one, const std::string&) { made.push_back(std::move(one)); });
    return made;
}

struct Counts {
    int64_t changed = 0, unplanned = 0, lines = 0;
};

// Of the sentences that the revision does not have, those that no plan line quotes as a whole.
Counts counts_of(const Instruction& instruction, uint64_t item) {
    const RulesTeacher teacher(shipped_rules(), teacher_wordings(), {.plan_lines = 1000, .seed = 7});
    Trajectory history;
    history.instruction = instruction;
    const ParsedResponse response(print_response(teacher.respond(history, item, 0)));
    const std::string revision =
        RulesReviser(shipped_rules()).revise({{instruction.text, instruction.text, &response, item}}).at(0).text;
    std::vector<std::string> left = split_sentences(revision);
    Counts counts{.lines = static_cast<int64_t>(response.parts.plan.size())};
    for (const std::string& sentence : split_sentences(instruction.text)) {
        if (const auto kept = std::find(left.begin(), left.end(), sentence); kept != left.end()) {
            left.erase(kept);
            continue;
        }
        ++counts.changed;
        counts.unplanned += std::none_of(response.parts.plan.begin(), response.parts.plan.end(),
                                         [&](const PlanLine& line) { return line.sentence == sentence; });
    }
    return counts;
}

TEST(TeacherPlan, EverySentenceThatChangesHasItsLineQuotedWhole) {
    for (const char* texts : {"train.jsonl", "dev.jsonl"}) {
        Counts sum;
        uint64_t item = 0;
        for (const Instruction& instruction : instructions(texts, 200)) {
            const Counts counts = counts_of(instruction, ++item);
            EXPECT_EQ(counts.unplanned, 0) << instruction.id << ": " << instruction.instruction;
            sum.changed += counts.changed;
            sum.lines += counts.lines;
        }
        EXPECT_GE(sum.changed, 200) << texts;
        EXPECT_LE(sum.lines, sum.changed * 103 / 100) << texts << ": hardly a line is idle";
    }
}

}  // namespace
}  // namespace craft

// The generator with the built-in reviser on the texts that ship: the evaluation sets of the main job can be made whole.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "data/constraints/generator.h"
#include "data/constraints/source_texts.h"
#include "rollout/rules/free_revision.h"
#include "tests/rollout/rules/rules_fixture.h"
#include "tools/craft/check.h"

namespace craft {
namespace {

struct Made {
    std::vector<Instruction> instructions;
    GeneratorReport report;
};

// Checks the proof of each on the way.
Made make(const std::string& texts, const GeneratorOptions& options) {
    static const Wordings wordings = Wordings::load(kShare / "wordings" / "constraints.json");
    Made made;
    made.report = generate_instructions(
        read_source_texts((kShare / "texts" / (texts + ".jsonl")).string(), "", {}),
        [](const std::string& text, Rng& rng) { return free_revision(*shipped_rules(), text, rng); }, wordings, options,
        [&](Instruction&& instruction, const std::string& revised) {
            const MeasuredText original(instruction.text), revision(revised);
            for (const ToolCall& call : instruction.gold_calls())
                EXPECT_TRUE(check(call, original, revision).met) << instruction.instruction << "\n" << revised;
            made.instructions.push_back(std::move(instruction));
        });
    return made;
}

void expect_balanced(const Made& made, int64_t count) {
    ASSERT_EQ(static_cast<int64_t>(made.instructions.size()), count);
    EXPECT_TRUE(made.report.dropped.empty());
    std::map<int, int64_t> domains;
    for (const Instruction& instruction : made.instructions) ++domains[instruction.domain];
    for (const int domain : {1, 2, 3}) EXPECT_EQ(domains[domain], count / 3);
    ASSERT_EQ(made.report.shapes.size(), static_cast<size_t>(kShapes));
    const double share = static_cast<double>(2 * count) / kShapes;  // two constraints an instruction in the mean
    for (const auto& [shape, n] : made.report.shapes) EXPECT_NEAR(static_cast<double>(n), share, 2) << shape;
}

TEST(ShippedInstructions, DevelopmentAndSelectionSetsAreWholeAndBalanced) {
    for (uint64_t seed = 0; seed < 3; ++seed) {
        const Made dev = make("dev", {.domains = {1, 2, 3},
                                      .count = 300,
                                      .seed = seed,
                                      .stage = "dev",
                                      .split = Split::dev,
                                      .mix = mix_even_over_shapes()});
        expect_balanced(dev, 300);
        EXPECT_GE(dev.report.violated_share(), 0.75);
        const Made selection = make("select", {.domains = {1, 2, 3},
                                               .count = 120,
                                               .seed = seed,
                                               .stage = "selection",
                                               .split = Split::train,
                                               .mix = mix_even_over_shapes()});
        expect_balanced(selection, 120);
        EXPECT_GE(selection.report.violated_share(), 0.9);
    }
}

TEST(ShippedInstructions, FewAndManyConstraintsLoseNothing) {
    EXPECT_EQ(make("dev", {.domains = {1, 2, 3}, .count = 24, .split = Split::dev}).instructions.size(), 24u);
    const Made four = make("dev", {.domains = {4}, .count = 60, .split = Split::dev, .mix = mix_even_over_shapes()});
    EXPECT_EQ(four.instructions.size(), 60u);
    EXPECT_EQ(four.report.constraints, 240);
    const Made train = make("train", {.domains = {0, 1, 2, 3}, .count = 800, .split = Split::train});
    EXPECT_EQ(train.instructions.size(), 800u);
    EXPECT_GE(train.report.violated_share(), 0.9);
    std::set<std::string> texts;
    for (const Instruction& instruction : train.instructions) texts.insert(instruction.text);
    EXPECT_GE(texts.size(), 400u);  // of 480: another one is taken now and then
}

}  // namespace
}  // namespace craft

// The sealed evaluation sets as runs make them: whole, balanced, proven, the same every time, of values that nothing else
// has.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/error.h"
#include "data/constraints/sealed_sets.h"
#include "data/constraints/source_texts.h"
#include "data/constraints/values.h"
#include "rollout/rules/free_revision.h"
#include "tests/rollout/rules/rules_fixture.h"
#include "text/utf8.h"
#include "tools/craft/check.h"

namespace craft {
namespace {

struct MadeSealed {
    std::vector<Instruction> instructions;
    std::vector<std::string> revisions;
    GeneratorReport report;

    EmitInstruction taker() {
        return [this](Instruction&& instruction, const std::string& revision) {
            instructions.push_back(std::move(instruction));
            revisions.push_back(revision);
        };
    }
};

std::string revise_by_rules(const std::string& text, Rng& rng) {
    return free_revision(*shipped_rules(), text, rng);
}

MadeSealed make_first(const SealedSet& set, int64_t count) {
    MadeSealed made;
    made.report = make_sealed_set(set, count, SentenceRule::paper, revise_by_rules, made.taker());
    return made;
}

const MadeSealed& whole(const SealedSet& set) {
    static std::map<std::string, MadeSealed> made;
    const auto [place, is_new] = made.try_emplace(set.name);
    if (is_new) place->second = make_first(set, set.instructions);
    return place->second;
}

TEST(SealedInstructions, EachDomainHasItsNumberAndEachShapeItsShare) {
    std::map<std::string, std::map<int, int64_t>> domains;
    for (const SealedSet* set : sealed_sets()) {
        const MadeSealed& made = whole(*set);
        EXPECT_TRUE(made.report.dropped.empty()) << set->name;
        std::set<std::string> texts;
        for (const Instruction& instruction : made.instructions) {
            ++domains[set->name][instruction.domain];
            EXPECT_EQ(static_cast<int>(instruction.constraints.size()), instruction.domain);
            texts.insert(instruction.text);
        }
        EXPECT_GE(texts.size(), 80u) << set->name << ": of 100";
        ASSERT_EQ(made.report.shapes.size(), static_cast<size_t>(kShapes));
        const double share = static_cast<double>(made.report.constraints) / kShapes;
        for (const auto& [shape, count] : made.report.shapes)
            EXPECT_NEAR(static_cast<double>(count), share, 3) << set->name << " " << shape;
        EXPECT_GE(made.report.violated_share(), 0.75) << set->name;
    }
    EXPECT_EQ(domains["test"], (std::map<int, int64_t>{{0, 60}, {1, 60}, {2, 60}, {3, 60}, {4, 60}}));
    EXPECT_EQ(domains["search"], (std::map<int, int64_t>{{1, 67}, {2, 67}, {3, 66}}));
}

TEST(SealedInstructions, ARevisionMeetsEveryConstraint) {
    for (const SealedSet* set : sealed_sets()) {
        const MadeSealed& made = whole(*set);
        for (size_t i = 0; i < made.instructions.size(); ++i) {
            const MeasuredText original(made.instructions[i].text), revision(made.revisions[i]);
            for (const Constraint& constraint : made.instructions[i].constraints)
                for (const ToolCall& call : constraint.calls())
                    EXPECT_TRUE(check(call, original, revision).met) << made.instructions[i].instruction;
        }
    }
}

TEST(SealedInstructions, AreTheSameEveryTimeAndFewerAreTheFirstOfAll) {
    for (const SealedSet* set : sealed_sets()) {
        const MadeSealed again = make_first(*set, 30);
        ASSERT_EQ(again.instructions.size(), 30u);
        for (size_t i = 0; i < again.instructions.size(); ++i)
            EXPECT_EQ(to_json(again.instructions[i]), to_json(whole(*set).instructions[i])) << set->name << " " << i;
    }
    EXPECT_THROW(make_first(test_set(), 301), Error);
}

// A shape with its values, as the sets of values are kept apart: a keyword whatever is asked of it.
std::set<std::string> values_of(const std::vector<Instruction>& instructions) {
    std::set<std::string> values;
    for (const Instruction& instruction : instructions)
        for (const Constraint& c : instruction.constraints) {
            if (!c.keyword.empty()) {
                values.insert(lowercase(c.keyword));
                continue;
            }
            std::string value = shape_name(c.shape) + " " + std::to_string(c.m) + " " + std::to_string(c.n);
            for (const int64_t id : c.ids) value += " " + std::to_string(id);
            values.insert(value);
        }
    return values;
}

// What training and development draw from their own texts, and from the sealed ones, which have the same words and lengths.
TEST(SealedInstructions, NoOtherSplitDrawsTheirValues) {
    std::set<std::string> sealed;
    for (const SealedSet* set : sealed_sets()) {
        for (const Instruction& instruction : whole(*set).instructions)
            for (const Constraint& c : instruction.constraints) EXPECT_EQ(split_of(c), Split::sealed);
        sealed.merge(values_of(whole(*set).instructions));
    }
    EXPECT_GE(sealed.size(), 300u);
    const Wordings wordings = Wordings::load(kShare / "wordings" / "constraints.json");
    for (const char* texts : {"train", "dev", "select", "test", "search"})
        for (const Split split : {Split::train, Split::dev}) {
            MadeSealed other;
            generate_instructions(read_source_texts((kShare / "texts" / (std::string(texts) + ".jsonl")).string(), "", {}),
                                  revise_by_rules, wordings, {.domains = {1, 2, 3}, .count = 300, .split = split},
                                  other.taker());
            ASSERT_GE(other.instructions.size(), 290u) << texts;
            for (const std::string& value : values_of(other.instructions))
                EXPECT_FALSE(sealed.contains(value)) << texts << ": " << value;
        }
}

}  // namespace
}  // namespace craft

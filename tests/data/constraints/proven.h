// Whether instructions and their proofs agree.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

#include "data/constraints/adherence.h"
#include "data/constraints/generator.h"
#include "data/constraints/named_sentences.h"

namespace craft::test {

// The ids that a modify constraint names; empty without one.
inline std::vector<int64_t> to_change(const Instruction& instruction) {
    for (const Constraint& c : instruction.constraints)
        if (sub_type(c.shape) == SubType::modify_sentence) return c.ids;
    return {};
}

// Whether the row of a file and its proof agree: every gold call is met, and "only" is kept to.
inline void expect_proven(const Instruction& made, const std::string& proof) {
    const Instruction instruction = instruction_from_json(to_json(made), "row");
    const MeasuredText original(instruction.text), revision(proof);
    const Adherence adherence = constraint_adherence(instruction, original, revision);
    const std::string shown = instruction.instruction + "\n" + instruction.text + "\n" + proof;
    EXPECT_EQ(adherence.s_c, 1.0) << shown;
    const std::vector<int64_t> ids = to_change(instruction);
    EXPECT_EQ(adherence.only_kept(), ids.empty() ? std::nullopt : std::optional(true)) << shown;
    EXPECT_TRUE(ids.empty() || keeps_all_but(ids, original, revision)) << shown;
    for (const Constraint& c : instruction.constraints) {
        if (sub_type(c.shape) != SubType::keep_sentence) continue;
        for (const int64_t id : c.ids) EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 0) << shown;
    }
}

// The bits of the combination, in SubType order.
inline std::vector<double> mix_of_bits(unsigned bits) {
    std::vector<double> mix;
    for (int i = 0; i < kSubTypes; ++i) mix.push_back((bits >> i & 1U) != 0 ? 1 : 0);
    return mix;
}

// So many instructions of each combination of one to four sub-types.
inline void expect_no_contradiction(const std::vector<SourceText>& texts, const FreeReviser& revise,
                                    const Wordings& wordings, int64_t count) {
    int64_t made = 0, modify = 0;
    for (unsigned bits = 1; bits < 1U << kSubTypes; ++bits) {
        const int types = std::popcount(bits);
        if (types > 4) continue;
        GeneratorOptions options{.domains = {types}, .count = count, .seed = bits};
        options.mix = mix_of_bits(bits);
        const GeneratorReport report = generate_instructions(texts, revise, wordings, options,
                                                             [&](Instruction&& instruction, const std::string& proof) {
                                                                 ++made;
                                                                 modify += to_change(instruction).empty() ? 0 : 1;
                                                                 std::set<SubType> seen;
                                                                 for (const Constraint& c : instruction.constraints)
                                                                     seen.insert(sub_type(c.shape));
                                                                 EXPECT_EQ(static_cast<int>(seen.size()), types);
                                                                 expect_proven(instruction, proof);
                                                             });
        EXPECT_TRUE(report.dropped.empty()) << bits;
    }
    EXPECT_EQ(made, count * 162);
    EXPECT_EQ(modify, count * 64);
}

}  // namespace craft::test

// How many rewritings that ask for the same are taken, and that none that asks for something else is.
#include "data/constraints/instruction_reading.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "data/constraints/filler.h"
#include "tests/data/constraints/read_instruction.h"
#include "tests/data/constraints/rewritings.h"

namespace craft {
namespace {

using test::problem_of;
using test::Rewriting;

std::string calls_of(const Instruction& instruction) {
    std::string out;
    for (const ToolCall& call : instruction.gold_calls()) out += (out.empty() ? "" : "; ") + normal_form(call);
    return out;
}

// Of those that ask for the same, how many are taken. None is that asks for something else.
struct Taken {
    int64_t taken = 0, faithful = 0, distorted = 0;
    std::string others;  // that ask for the same and are not taken
    double share() const { return static_cast<double>(taken) / static_cast<double>(faithful); }
};

Taken taken_of(const std::string& name) {
    Taken out;
    for (const Rewriting& rewriting : test::read_rewritings(name)) {
        ++(rewriting.is_faithful ? out.faithful : out.distorted);
        if (!rewriting.is_faithful) {
            EXPECT_NE(rewriting.problem, "") << rewriting.text << "\n" << calls_of(rewriting.original);
        } else if (rewriting.problem.empty()) {
            ++out.taken;
        } else {
            out.others += rewriting.problem + ": " + rewriting.text + "\n";
        }
    }
    return out;
}

TEST(InstructionReading, TakesWhatAsksForTheSameAndNothingElse) {
    const Taken designed = taken_of("designed"), held_out = taken_of("held_out"), models = taken_of("models");
    EXPECT_GE(designed.share(), 0.95) << designed.others;
    EXPECT_GE(held_out.share(), 0.95) << held_out.others;
    EXPECT_GE(models.share(), 0.95) << models.others;
    EXPECT_GE(designed.faithful + held_out.faithful + models.faithful, 370);
    EXPECT_GE(designed.distorted + held_out.distorted + models.distorted, 500);
}

// A constraint of this shape, one of many.
Constraint constraint_of(Shape shape, Rng& rng) {
    Constraint c{shape, {}, rng.between(4, 90), 0, rng.pick(std::vector<std::string>{"river", "really", "well-worn"})};
    std::set<int64_t> ids;
    while (ids.size() < ids_of(shape)) ids.insert(rng.between(1, 25));
    c.ids.assign(ids.begin(), ids.end());
    c.m = c.n - rng.between(2, 3);
    return c;
}

std::vector<std::string> normal_forms(const Constraint& c) {
    std::vector<std::string> forms;
    for (const ToolCall& call : c.calls()) forms.push_back(normal_form(call));
    return forms;
}

Instruction asking_for(const Constraint& c, const std::string& words) {
    Instruction original;
    original.instruction = words;
    original.constraints = {c};
    original.gold = {c.calls()};
    return original;
}

struct Counts {
    int64_t taken = 0, all = 0;
};

// The shipped wordings say each shape in hundreds of ways, most of them farther from plain words than a model's. Whatever is
// taken asks for its own constraint, and for none of another shape or value.
Counts read_shipped(Split split) {
    Counts counts;
    Rng rng(1, "shipped wordings");
    const std::vector<std::string> no_text;
    const Wordings plain = shipped_with({{"words", .4}});
    Filler filler(plain, no_text, split, rng);
    for (const Shape shape : all_shapes())
        for (const Wording* wording : allowed(plain.of(shape), split)) {
            const Constraint c = constraint_of(shape, rng);
            const std::string text =
                "Please revise this text. " + uppercase_first(filler.fill(rng.pick(wording->texts), c, {c}).text) + ".";
            ++counts.all;
            counts.taken += problem_of(text, asking_for(c, text)).empty() ? 1 : 0;
            if (!read_instruction(text, no_text, test::reading_vocabulary(), own_words_of(text)).refused.empty()) continue;
            for (const Shape other : all_shapes())
                for (const int64_t shift : {-1, 0, 1}) {
                    Constraint wrong = c;
                    wrong.shape = other;
                    wrong.n += shift;
                    wrong.ids = c.ids.empty() ? std::vector<int64_t>{c.n} : c.ids;
                    if (shift != 0 && !c.ids.empty()) wrong.ids.back() += shift;
                    if (normal_forms(wrong) == normal_forms(c)) continue;
                    EXPECT_NE(problem_of(text, asking_for(wrong, text)), "") << text << " for " << normal_forms(wrong)[0];
                }
        }
    return counts;
}

TEST(InstructionReading, ReadsShippedWordingsAsWhatTheySay) {
    for (const Split split : {Split::train, Split::dev}) {
        const auto [taken, all] = read_shipped(split);
        EXPECT_GE(static_cast<double>(taken) / static_cast<double>(all), 0.3) << taken << " of " << all;
    }
}

// What somebody refuses is the opposite of what is asked for, and "no replacement" may ask to keep a word or to drop it.
TEST(InstructionReading, WhatIsRefusedIsNotAskedFor) {
    for (const std::string text : {"Please revise this text. Our teacher refuses texts of 22 words or less.",
                                   "Please revise this text. Drafts of 22 words or more are refused.",
                                   "Please revise this text. With no replacement for 'really'."})
        EXPECT_NE(read_instruction(text, {}, test::reading_vocabulary(), own_words_of(text)).refused, "") << text;
}

TEST(InstructionReading, NoBytesAreTooOdd) {
    Rng rng(3, "odd bytes");
    const std::vector<std::string> text = {"One bird sings.", "Two dogs bark.", "Nobody came."};
    for (const Rewriting& rewriting : test::read_rewritings("designed")) {
        std::string odd = rewriting.text;
        for (int i = 0; i < 4; ++i) {
            odd[rng.below(odd.size())] = static_cast<char>(rng.below(256));
            odd.insert(rng.below(odd.size()),
                       rng.pick(std::vector<std::string>{"'", "\"", "3-", "-", "the last ", "\u2019", "\n\n", "n't "}));
            read_instruction(odd, text, test::reading_vocabulary(), {});
        }
        for (size_t end = 0; end < odd.size(); end += 7)
            read_instruction(odd.substr(0, end), text, test::reading_vocabulary(), {});
    }
}

}  // namespace
}  // namespace craft

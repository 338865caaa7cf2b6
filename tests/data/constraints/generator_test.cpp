// The generator on made-up texts with a made-up reviser: proof, no contradictions, balance, determinism, splits.
#include "data/constraints/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <set>

#include "core/error.h"
#include "data/constraints/values.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/constraints/keeps_values.h"
#include "tests/data/constraints/made_instructions.h"
#include "tests/data/constraints/proven.h"
#include "tests/data/constraints/read_instruction.h"
#include "tests/data/constraints/toy_texts.h"
#include "tests/repeats.h"

namespace craft {
namespace {

using test::Made;
using test::make;
using test::sub_type_shares;
using test::wordings;
using testing::HasSubstr;

bool meets(const Constraint& constraint, const MeasuredText& original, const MeasuredText& revision) {
    const auto calls = constraint.calls();
    return std::all_of(calls.begin(), calls.end(),
                       [&](const ToolCall& call) { return check(call, original, revision).met; });
}

// Everything a reader of the file sees, and the proof.
std::vector<std::string> lines_of(const Made& made) {
    std::vector<std::string> lines;
    for (size_t i = 0; i < made.instructions.size(); ++i)
        lines.push_back(dump_line(to_json(made.instructions[i])) + made.revisions[i]);
    return lines;
}

std::string value_of(const Constraint& c) {
    std::string value = shape_name(c.shape) + " ";
    for (const int64_t id : c.ids) value += std::to_string(id) + ",";
    return value + (c.keyword.empty() ? std::to_string(c.m) + "-" + std::to_string(c.n) : lowercase(c.keyword));
}

TEST(Generator, EveryConstraintIsMetByTheRevisionThatComesWithIt) {
    for (const SentenceRule rule : {SentenceRule::paper, SentenceRule::icu})
        for (const Split split : {Split::all, Split::train, Split::dev}) {
            const Made made = make({.domains = {1, 2, 3, 4}, .count = 200, .seed = 3, .split = split, .sentences = rule});
            ASSERT_EQ(made.instructions.size(), 200u);
            EXPECT_EQ(made.report.shapes.size(), static_cast<size_t>(kShapes));
            for (size_t i = 0; i < made.instructions.size(); ++i) {
                const Instruction& instruction = made.instructions[i];
                const MeasuredText original(instruction.text, rule), revision(made.revisions[i], rule);
                ASSERT_EQ(static_cast<int>(instruction.constraints.size()), instruction.domain);
                ASSERT_EQ(instruction.gold.size(), instruction.constraints.size());
                for (size_t k = 0; k < instruction.constraints.size(); ++k) {
                    ASSERT_TRUE(meets(instruction.constraints[k], original, revision))
                        << value_of(instruction.constraints[k]) << "\n"
                        << instruction.text << "\n"
                        << made.revisions[i];
                    EXPECT_EQ(instruction.gold[k], instruction.constraints[k].calls());
                }
                EXPECT_TRUE(keeps_values(instruction.instruction, instruction.instruction, instruction.constraints));
            }
        }
}

TEST(Generator, GivenRevisionsAreTheProof) {
    std::vector<SourceText> texts = toy_texts(40);
    for (size_t i = 0; i < texts.size(); ++i) {
        Rng rng(9, "given", i);
        texts[i].revision = toy_revision(texts[i].text, rng);
    }
    const std::vector<double> without_modify = {1, 0, 1, 1, 1, 1, 1, 1};
    const Made made = make({.domains = {1, 2, 3}, .count = 120, .mix = without_modify}, texts,
                           [](const std::string&, Rng&) -> std::string {
                               throw std::logic_error("revisions are given: none is to be written");
                           });
    EXPECT_GE(made.instructions.size(), 110u);
    EXPECT_EQ(static_cast<int64_t>(made.instructions.size()) + made.dropped(), 120);
    for (size_t i = 0; i < made.instructions.size(); ++i) {
        const auto source =
            std::find_if(texts.begin(), texts.end(), [&](const auto& t) { return t.text == made.instructions[i].text; });
        ASSERT_NE(source, texts.end());
        EXPECT_EQ(made.revisions[i], source->revision);
        const MeasuredText original(source->text), revision(source->revision);
        for (const Constraint& constraint : made.instructions[i].constraints)
            EXPECT_TRUE(meets(constraint, original, revision));
    }
}

void expect_no_contradiction(const Instruction& instruction) {
    const auto sentences = static_cast<int64_t>(MeasuredText(instruction.text).sentences().size());
    std::set<SubType> types;
    std::set<int64_t> named;
    std::vector<std::string> keywords;
    for (const Constraint& c : instruction.constraints) {
        EXPECT_TRUE(types.insert(sub_type(c.shape)).second) << "two of a sub-type: " << instruction.instruction;
        EXPECT_TRUE(std::is_sorted(c.ids.begin(), c.ids.end()));
        for (const int64_t id : c.ids) {
            EXPECT_TRUE(named.insert(id).second) << "named twice: " << instruction.instruction;
            EXPECT_TRUE(id >= 1 && id <= sentences) << instruction.instruction;
        }
        EXPECT_TRUE(c.shape != Shape::words_range || c.n - c.m >= 2) << instruction.instruction;
        if (c.keyword.empty()) continue;
        for (const std::string& other : keywords) {
            EXPECT_EQ(other.find(lowercase(c.keyword)), std::string::npos) << instruction.instruction;
            EXPECT_EQ(lowercase(c.keyword).find(other), std::string::npos) << instruction.instruction;
        }
        keywords.push_back(lowercase(c.keyword));
    }
}

TEST(Generator, ConstraintsOfAnInstructionNeverContradictEachOther) {
    for (uint64_t seed = 0; seed < test::repeats(150); ++seed)
        for (const Instruction& instruction :
             make({.domains = {4, 3, 2}, .count = 9, .seed = seed, .split = seed % 2 == 0 ? Split::all : Split::dev})
                 .instructions)
            expect_no_contradiction(instruction);
}

// 31 of each combination of sub-types are 5,022.
TEST(Generator, NoCombinationOfSubTypesContradictsItself) {
    test::expect_no_contradiction(toy_texts(40), toy_revision, wordings(), static_cast<int64_t>(test::repeats(31)));
}

TEST(Generator, SubTypesKeepToTheMixOverAThousandConstraints) {
    const std::vector<std::vector<double>> mixes = {
        {1, 1, 1, 1, 1, 1, 1, 1}, {2, 1, 1, 3, 1, 1, 2, 1}, {0, 0, 1, 1, 1, 1, 0, 0}, mix_even_over_shapes()};
    for (const auto& mix : mixes) {
        // 100 each of 1, 2, 3 and 4 constraints make 1,000; more than half of these as four of four sub-types.
        const bool few = mix[0] == 0;
        const Made made = make({.domains = few ? std::vector<int>{1, 1, 2} : std::vector<int>{1, 2, 3, 4},
                                .count = few ? 750 : 400,
                                .seed = 1,
                                .mix = mix});
        EXPECT_EQ(made.report.constraints, 1000);
        const auto shares = sub_type_shares(made.report);
        const double total = std::accumulate(mix.begin(), mix.end(), 0.0);
        for (size_t i = 0; i < kSubTypes; ++i)
            EXPECT_NEAR(shares[i], mix[i] / total, 0.02) << sub_type_name(static_cast<SubType>(i));
    }
}

TEST(Generator, ShapesOfASubTypeAreEquallyFrequent) {
    for (const Split split : {Split::all, Split::train, Split::dev}) {
        const Made made = make({.domains = {1, 2, 3}, .count = 300, .seed = 2, .split = split});
        ASSERT_EQ(made.report.shapes.size(), static_cast<size_t>(kShapes));
        std::map<SubType, std::set<int64_t>> counts;
        for (const auto& [name, count] : made.report.shapes) counts[sub_type(shape_from_name(name))].insert(count);
        // The values for development are so few, fewest beside "only change", that a shape may still be owed some
        // instructions when the last is made.
        for (const auto& [type, seen] : counts)
            EXPECT_LE(*seen.rbegin() - *seen.begin(), split == Split::dev ? 5 : 1) << sub_type_name(type);
    }
    const Made even = make({.domains = {1, 2, 3}, .count = 300, .split = Split::dev, .mix = mix_even_over_shapes()});
    for (const auto& [name, count] : even.report.shapes) EXPECT_NEAR(static_cast<double>(count), 600.0 / 19, 1.6) << name;
    EXPECT_EQ(even.dropped(), 0);
}

TEST(Generator, DependsOnSeedStageAndNumberAlone) {
    const GeneratorOptions options{.domains = {0, 1, 2, 3}, .count = 60, .seed = 5};
    const auto lines = lines_of(make(options));
    ASSERT_EQ(lines.size(), 60u);
    EXPECT_EQ(lines_of(make(options)), lines);
    GeneratorOptions fewer = options, reseeded = options, renamed = options;
    fewer.count = 25;
    reseeded.seed = 6;
    renamed.stage = "other";
    EXPECT_EQ(lines_of(make(fewer)), std::vector<std::string>(lines.begin(), lines.begin() + 25));
    EXPECT_NE(lines_of(make(reseeded)), lines);
    EXPECT_NE(lines_of(make(renamed)), lines);
}

// Lists, talk, changed and withdrawn limits and names of sentences change the words and nothing else.
TEST(Generator, GoldAndProofDoNotDependOnHowItIsSaid) {
    const std::map<std::string, double> often = {{"places", 1},   {"talk", .5},        {"list", .3},
                                                 {"changes", .4}, {"withdrawals", .5}, {"repeats", .2}};
    std::array<std::vector<std::string>, 2> gold, revisions, words;
    for (size_t way = 0; way < 2; ++way) {
        const Wordings worded = shipped_with(way == 0 ? std::map<std::string, double>() : often);
        generate_instructions(toy_texts(40), toy_revision, worded, {.domains = {0, 1, 2, 3, 4}, .count = 200, .seed = 3},
                              [&](Instruction&& instruction, const std::string& revision) {
                                  std::string calls = instruction.id + "\n" + instruction.text;
                                  for (const ToolCall& call : instruction.gold_calls()) calls += "\n" + normal_form(call);
                                  gold[way].push_back(calls);
                                  revisions[way].push_back(revision);
                                  words[way].push_back(instruction.instruction);
                              });
    }
    ASSERT_EQ(gold[0].size(), 200u);
    EXPECT_EQ(gold[0], gold[1]);
    EXPECT_EQ(revisions[0], revisions[1]);
    EXPECT_NE(words[0], words[1]);
}

TEST(Generator, SeedsDrawOtherValuesForTheSameShapeAndText) {
    std::set<std::string> values;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const Made made = make({.domains = {1}, .count = 1, .seed = seed, .mix = {0, 0, 0, 0, 0, 1, 0, 0}}, toy_texts(1));
        values.insert(value_of(made.instructions.at(0).constraints.at(0)));
    }
    EXPECT_GE(values.size(), 5u);  // keywords that are kept, of thirty or so
}

TEST(Generator, DomainsComeInTurnAndTextsInRounds) {
    const Made made = make({.domains = {0, 4, 2}, .count = 30});
    std::set<std::string> ids;
    for (size_t i = 0; i < made.instructions.size(); ++i) {
        EXPECT_EQ(made.instructions[i].domain, (std::vector<int>{0, 4, 2}[i % 3]));
        ids.insert(made.instructions[i].id);
        EXPECT_EQ(made.revisions[i].empty(), made.instructions[i].domain == 0);
    }
    EXPECT_EQ(ids.size(), 30u);
    std::map<std::string, int> uses;
    for (const Instruction& instruction : make({.domains = {0}, .count = 80}).instructions) ++uses[instruction.text];
    EXPECT_EQ(uses.size(), 40u);
    for (const auto& [text, count] : uses) EXPECT_EQ(count, 2);
}

TEST(Generator, EveryTextOnceInEachDomain) {
    const auto texts = toy_texts(12);
    const Made made = make({.domains = {0, 2}, .every_text = true}, texts);
    ASSERT_EQ(made.instructions.size(), 24u);
    for (size_t i = 0; i < 24; ++i) {
        EXPECT_EQ(made.instructions[i].text, texts[i / 2].text);
        EXPECT_EQ(made.instructions[i].domain, i % 2 == 0 ? 0 : 2);
    }
}

TEST(Generator, SplitsShareNoValueNorWording) {
    std::map<Split, std::set<std::string>> values, keywords, openers;
    for (const Split split : {Split::train, Split::dev})
        for (uint64_t seed = 0; seed < 4; ++seed) {
            const Made made = make({.domains = {1, 3}, .count = 250, .seed = seed, .split = split});
            EXPECT_EQ(made.report.shapes.size(), static_cast<size_t>(kShapes));
            EXPECT_EQ(made.dropped(), 0);
            for (const Instruction& instruction : made.instructions) {
                openers[split].insert(instruction.instruction.substr(0, instruction.instruction.find_first_of(".,:")));
                for (const Constraint& c : instruction.constraints) {
                    values[split].insert(value_of(c));
                    if (!c.keyword.empty()) keywords[split].insert(lowercase(c.keyword));
                }
            }
        }
    const auto shared = [](const std::map<Split, std::set<std::string>>& sets) {
        std::vector<std::string> both;
        const auto &train = sets.at(Split::train), &dev = sets.at(Split::dev);
        std::set_intersection(train.begin(), train.end(), dev.begin(), dev.end(), std::back_inserter(both));
        return both;
    };
    EXPECT_THAT(shared(values), testing::IsEmpty());
    EXPECT_THAT(shared(keywords), testing::IsEmpty());
    EXPECT_THAT(shared(openers), testing::IsEmpty());
    EXPECT_GE(values[Split::dev].size(), 100u);
}

TEST(Generator, ReportsHowMuchTheUnrevisedTextViolates) {
    const Made made = make({.domains = {1, 2, 3}, .count = 200, .split = Split::dev});
    int64_t violable = 0, violated = 0;
    std::map<std::string, int64_t> by_shape;
    for (const Instruction& instruction : made.instructions) {
        const MeasuredText original(instruction.text);
        for (const Constraint& c : instruction.constraints) {
            if (sub_type(c.shape) == SubType::keep_sentence || sub_type(c.shape) == SubType::keyword_keep) continue;
            ++violable;
            if (meets(c, original, original)) continue;
            ++violated;
            ++by_shape[shape_name(c.shape)];
        }
    }
    EXPECT_EQ(made.report.violable, violable);
    EXPECT_EQ(made.report.violated_unrevised, violated);
    EXPECT_EQ(made.report.violated, by_shape);
    EXPECT_DOUBLE_EQ(made.report.violated_share(), static_cast<double>(violated) / static_cast<double>(violable));
    EXPECT_GE(made.report.violated_share(), 0.7);
}

TEST(Generator, MixesThatCannotBe) {
    EXPECT_EQ(mix_problem({1, 1, 1, 1, 1, 1, 1, 1}, {0, 1, 2, 3, 4}), "");
    EXPECT_EQ(mix_problem({}, {0, 1, 2, 3, 4}), "");
    EXPECT_EQ(mix_problem({1, 2}, {1}), "expected 8 shares, got 2");
    EXPECT_EQ(mix_problem(mix_even_over_shapes(), {4}), "");
    EXPECT_EQ(mix_problem({0, 0, 1, 0, 0, 0, 0, 0}, {0, 1}), "");
    EXPECT_EQ(mix_problem({0, 0, 1, 0, 0, 0, 1, 0}, {1, 2}), "");
    EXPECT_THAT(mix_problem({1, 1, 1, 0, 0, 0, 0, 0}, {1, 4}), HasSubstr("at least 4 positive shares, as many as c4 has"));
    EXPECT_THAT(mix_problem({0, 0, 0, 0, 0, 0, 0, 0}, {0}), HasSubstr("at least 1 positive share"));
    // Once in each of two instructions of 1 and 4 constraints is two of five.
    EXPECT_EQ(mix_problem({4, 2, 2, 2, 0, 0, 0, 0}, {1, 4}), "");
    EXPECT_THAT(mix_problem({1, 1, 1, 4, 0, 0, 0, 0}, {1, 4}), HasSubstr("sentence_count at most 40.0 %"));
    // Two of them: one and two, three of five.
    EXPECT_THAT(mix_problem({4, 1, 1, 4, 0, 0, 0, 0}, {1, 4}), HasSubstr("keep_sentence, sentence_count at most 60.0 %"));
}

TEST(Generator, RefusesWhatCannotBeMade) {
    EXPECT_THAT(message_of([] { make({}, {}); }), HasSubstr("at least one text"));
    EXPECT_THAT(message_of([] { make({.domains = {1, 5}}); }), HasSubstr("c5"));
    EXPECT_THAT(message_of([] { make({.domains = {-1}}); }), HasSubstr("c-1"));
    EXPECT_THAT(message_of([] { make({.domains = {}}); }), HasSubstr("at least one of c0 to c4"));
    EXPECT_THAT(message_of([] { make({.domains = {3}, .mix = {1, 1, 0, 0, 0, 0, 0, 0}}); }), HasSubstr("mix of sub-types"));
}

}  // namespace
}  // namespace craft

// "Only change" is meant: instructions made with the built-in reviser and with given revisions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "data/constraints/generator.h"
#include "data/constraints/source_texts.h"
#include "rollout/rules/free_revision.h"
#include "tests/data/constraints/proven.h"
#include "tests/rollout/rules/rules_fixture.h"

namespace craft {
namespace {

using test::expect_no_contradiction;
using test::expect_proven;
using test::to_change;

const Wordings& every_wording() {
    static const Wordings loaded = Wordings::load(kShare / "wordings" / "constraints.json");
    return loaded;
}

std::string revised_by_rules(const std::string& text, Rng& rng) {
    return free_revision(*shipped_rules(), text, rng);
}

// The short ones.
std::vector<SourceText> shipped_sources(const std::string& name) {
    auto texts = read_source_texts((kShare / "texts" / (name + ".jsonl")).string(), "", {});
    std::erase_if(texts, [](const SourceText& source) { return source.text.size() > 800; });
    return texts;
}

TEST(OnlyChange, NoCombinationOfSubTypesContradictsItself) {
    expect_no_contradiction(shipped_sources("train"), revised_by_rules, every_wording(), 4);
}

// Of this many sentences each, out of shipped ones.
std::vector<SourceText> texts_of(size_t sentences, size_t count) {
    std::vector<std::string> all;
    for (const SourceText& source : shipped_sources("train"))
        for (std::string& sentence : split_sentences(source.text)) all.push_back(std::move(sentence));
    std::vector<SourceText> texts;
    for (size_t i = 0; i < count; ++i) {
        std::string text;
        for (size_t k = 0; k < sentences; ++k) text += (k == 0 ? "" : " ") + all[(i * sentences + k) % all.size()];
        texts.push_back({"t" + std::to_string(i), text, ""});
    }
    return texts;
}

void expect_even(const std::vector<SourceText>& texts, uint64_t seed, const std::string& what) {
    GeneratorOptions options{.domains = {1, 2, 3, 4}, .count = 400, .seed = seed};
    std::array<double, kSubTypes> shares{};
    const GeneratorReport report = generate_instructions(
        texts, revised_by_rules, every_wording(), options,
        [](Instruction&& instruction, const std::string& proof) { expect_proven(instruction, proof); });
    EXPECT_EQ(report.constraints, 1000) << what;
    for (const auto& [name, count] : report.shapes)
        shares[static_cast<size_t>(sub_type(shape_from_name(name)))] += static_cast<double>(count) / 1000;
    for (size_t i = 0; i < kSubTypes; ++i)
        EXPECT_NEAR(shares[i], .125, .02) << what << ": " << sub_type_name(static_cast<SubType>(i));
    EXPECT_GE(report.violated_share(), .8) << what;
}

TEST(OnlyChange, TheMixHoldsForTextsOfFewAndOfManySentences) {
    expect_even(texts_of(4, 150), 3, "4 sentences");
    expect_even(texts_of(30, 20), 11, "30 sentences");
}

TEST(OnlyChange, GivenRevisionsGiveTheNamedSentencesWhereTheyCanBeMatched) {
    std::vector<SourceText> texts = texts_of(12, 100);
    for (size_t i = 0; i < texts.size(); ++i) {
        Rng rng(2, "given", i);
        // Every fourth revision has nothing of its text.
        texts[i].revision = i % 4 == 3 ? "Zyx wub." : revised_by_rules(texts[i].text, rng);
    }
    expect_even(texts, 5, "given");
    int64_t taken = 0, modify = 0;
    generate_instructions(
        texts, revised_by_rules, every_wording(), {.domains = {1, 2}, .count = 300, .mix = {1, 1, 0, 0, 0, 0, 0, 0}},
        [&](Instruction&& instruction, const std::string& proof) {
            const auto ids = to_change(instruction);
            if (ids.empty()) return;
            const auto source = std::find_if(texts.begin(), texts.end(),
                                             [&](const SourceText& text) { return text.text == instruction.text; });
            ++modify;
            bool all = true;
            for (const std::string& sentence : split_sentences(proof))
                all &= instruction.text.find(sentence) != std::string::npos ||
                       source->revision.find(sentence) != std::string::npos;
            taken += all ? 1 : 0;
        });
    EXPECT_GT(modify, 150);
    EXPECT_GT(taken, modify / 2);
    EXPECT_LT(taken, modify) << "the reviser changes those that have no match";
}

}  // namespace
}  // namespace craft

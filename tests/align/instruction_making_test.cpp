// Instructions from revisions and in words of scripted models.
#include "align/instruction_making.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "tests/data/constraints/made_instructions.h"
#include "tests/rollout/scripted_parts.h"

namespace craft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

struct Emitted {
    std::vector<Instruction> instructions;
    std::vector<std::string> revisions;
    InstructionMakingReport report;
};

Emitted emitted(const GeneratorOptions& options, const InstructionAuthors& authors,
                const std::vector<SourceText>& texts = toy_texts(40)) {
    Emitted made;
    made.report = make_instructions(texts, toy_revision, test::wordings(), options, authors,
                                    [&](Instruction&& instruction, const std::string& revision) {
                                        made.instructions.push_back(std::move(instruction));
                                        made.revisions.push_back(revision);
                                    });
    return made;
}

// What the toy reviser writes, always the same of one text.
std::string one_revision(const std::string& text) {
    Rng rng(9, "one revision", text);
    return toy_revision(text, rng);
}

GeneratorOptions few(int64_t count) {
    GeneratorOptions options;
    options.domains = {1};
    options.count = count;
    options.seed = 3;
    options.mix = {0, 0, 1, 0, 0, 0, 0, 0};  // word counts: proven by the whole revision
    return options;
}

TEST(InstructionMaking, ValuesAreReadFromTheRevisersRevisions) {
    Flow flow(FlowOptions{.items_at_once = 1});
    ScriptedReviser reviser([](const RevisionRequest& request, size_t) { return Revised{one_revision(request.text)}; });
    const Emitted made = emitted(few(12), {&reviser, nullptr, &flow});
    EXPECT_EQ(reviser.asks.size(), 12u) << "of 40 texts as many as there are instructions";
    for (const RevisionRequest& request : reviser.asks) {
        EXPECT_EQ(request.instruction, "");
        EXPECT_EQ(request.text, request.original);
    }
    ASSERT_GT(made.instructions.size(), 9u);
    for (size_t i = 0; i < made.instructions.size(); ++i)
        EXPECT_EQ(made.revisions[i], one_revision(made.instructions[i].text));
    EXPECT_THAT(made.report.counted(), ElementsAre(Pair("free revision: revised", 12)));
    EXPECT_FALSE(made.report.rewriting);
    // All texts where each is used once a domain.
    GeneratorOptions every = few(1);
    every.every_text = true;
    reviser.asks.clear();
    emitted(every, {&reviser, nullptr, &flow}, toy_texts(5));
    EXPECT_EQ(reviser.asks.size(), 5u);
}

TEST(InstructionMaking, TextsWithoutAUsableRevisionAreLeftOutAndCounted) {
    Flow flow(FlowOptions{.items_at_once = 1});
    std::set<std::string> refused;
    ScriptedReviser reviser([&](const RevisionRequest& request, size_t number) -> Revised {
        if (number % 3 == 0) return {one_revision(request.text), {}, {{"prefaced", 1}}};
        refused.insert(request.text);
        if (number % 3 == 1) return {request.text, "unrelated"};
        return {request.text, {}, {{"unchanged", 1}}};
    });
    const Emitted made = emitted(few(12), {&reviser, nullptr, &flow});
    ASSERT_GT(made.instructions.size(), 4u) << "the others serve for them";
    for (const Instruction& instruction : made.instructions) EXPECT_FALSE(refused.contains(instruction.text));
    EXPECT_THAT(made.report.counted(), ElementsAre(Pair("free revision: revised", 4), Pair("free revision: unchanged", 4),
                                                   Pair("free revision: unrelated", 4)));
    EXPECT_EQ(to_json(*made.report.revisions).dump(),
              R"({"revised":4,"unusable":{"unchanged":4,"unrelated":4},"noted":{"prefaced":4}})");
}

TEST(InstructionMaking, WithoutAnyUsableRevisionItFails) {
    Flow flow(FlowOptions{.items_at_once = 1});
    ScriptedReviser reviser([](const RevisionRequest& request, size_t) { return Revised{request.text, "cut"}; });
    try {
        emitted(few(4), {&reviser, nullptr, &flow});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("free revisions of scripted: expected a usable answer, got none of 4 (cut 4)"));
    }
}

TEST(InstructionMaking, ARewriterWordsWhatWasMade) {
    Flow flow(FlowOptions{.items_at_once = 1});
    // Puts words before every second request, and asks back for the others.
    size_t asked = 0;
    ScriptedSystem system([&](const ScriptedSystem::Ask& ask, size_t) {
        const std::string& prompt = ask.messages.back().content;
        const std::string request = prompt.substr(prompt.find("### Request:\n") + 13);
        return Reply{.text = (asked++) % 2 == 0 ? "Kindly do this for me. " + request : "Which text do you mean?"};
    });
    const InstructionRewriter rewriter(system, PromptFiles());
    const Emitted made = emitted(few(8), {nullptr, &rewriter, &flow});
    const Emitted plain = emitted(few(8), {});
    ASSERT_EQ(made.instructions.size(), plain.instructions.size());
    for (size_t i = 0; i < made.instructions.size(); ++i) {
        EXPECT_EQ(made.instructions[i].id, plain.instructions[i].id);
        EXPECT_EQ(made.instructions[i].wording, i % 2 == 0 ? "model" : "template");
        EXPECT_EQ(made.instructions[i].gold, plain.instructions[i].gold);
        EXPECT_EQ(made.revisions[i], plain.revisions[i]);
    }
    EXPECT_EQ(made.report.rewriting->taken, 4);
    // Two of the requests are questions themselves.
    EXPECT_EQ(Json(made.report.rewriting->refused).dump(), R"({"asks back":2,"lost limit":2})");
}

}  // namespace
}  // namespace craft

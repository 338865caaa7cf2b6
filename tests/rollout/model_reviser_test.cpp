// What a model is asked for a revision, what of its answers is used, and when it is asked again.
#include "rollout/model_reviser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/rollout/scripted_parts.h"

namespace craft {

namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTwoSentences = "The mill was built in 1841. It was closed, due to the fact that the river silted up.";
const std::string kShorter = "The mill was built in 1841. It was closed because the river silted up.";

ParsedResponse planned(const std::string& plan) {
    return ParsedResponse(response_text("sentence_count_check(3, \"less than\")", plan));
}

const ParsedResponse kPlanned = planned("Sentence: \"It was closed, due...\"; Improvement Plan: \"Say 'because'.\"");

RevisionRequest by_plan(const std::string& text = kTwoSentences, uint64_t sample = 0) {
    return {text, kTwoSentences, &kPlanned, 11, "Be short:", sample};
}

RevisionRequest by_instruction(const std::string& text = kTwoSentences, uint64_t sample = 0) {
    return {text, kTwoSentences, nullptr, 11, "Be short:", sample};
}

std::string asked(const RevisionRequest& request, ModelReviserOptions options = {}) {
    ScriptedSystem system(kShorter);
    options.attempts = 1;
    ModelReviser reviser(system, PromptFiles(), options);
    reviser.revise({request});
    EXPECT_EQ(system.asks.size(), 1u);
    EXPECT_EQ(system.asks[0].messages.size(), 1u);
    EXPECT_EQ(system.asks[0].messages[0].role, Role::user);
    EXPECT_EQ(system.asks[0].messages[0].content, reviser.prompt(request));
    return system.asks[0].messages[0].content;
}

Revised revised_from(const std::string& reply, const RevisionRequest& request, ModelReviserOptions options = {}) {
    ScriptedSystem system(reply);
    options.attempts = 1;
    return ModelReviser(system, PromptFiles(), options).revise({request}).at(0);
}

}  // namespace

TEST(ModelReviser, IsToldThePlanOfEverySentence) {
    EXPECT_THAT(asked(by_plan()),
                EndsWith("### INPUT:\nSentence: \"The mill was built in 1841.\"; Improvement Plan: \"Keep it as it is.\"\n"
                         "Sentence: \"It was closed, due to the fact that the river silted up.\"; Improvement Plan: "
                         "\"Say 'because'.\""));
    EXPECT_THAT(asked(by_plan()), Not(HasSubstr("Be short:"))) << "a reviser by plans goes by the plan";
    // The sentences are those of the present text.
    EXPECT_THAT(asked(by_plan("It is gone. It was closed, due to mud.")),
                EndsWith("### INPUT:\nSentence: \"It is gone.\"; Improvement Plan: \"Keep it as it is.\"\n"
                         "Sentence: \"It was closed, due to mud.\"; Improvement Plan: \"Say 'because'.\""));
}

TEST(ModelReviser, WithoutAPlanItGoesByTheInstruction) {
    EXPECT_THAT(asked(by_instruction()), AllOf(HasSubstr("Be short:"), EndsWith("### Text:\n" + kTwoSentences)));
    EXPECT_THAT(asked(by_instruction()), Not(HasSubstr("Think first")));
    EXPECT_THAT(asked(by_instruction(), {.reason = true}),
                AllOf(HasSubstr("Think first"), HasSubstr("Be short:"), HasSubstr(kTwoSentences)));
    // A text that was revised before is shown beside the original.
    EXPECT_THAT(asked(by_instruction(kShorter)),
                AllOf(HasSubstr("Be short:"), HasSubstr("### Text at first:\n" + kTwoSentences),
                      EndsWith("### Present text:\n" + kShorter)));
}

TEST(ModelReviser, BracesInTextsAreTexts) {
    RevisionRequest request = by_instruction();
    request.text = request.original = "A {plan} and an {instruction} for {text}, all in all.";
    request.instruction = "Mind {text}:";
    EXPECT_THAT(asked(request), AllOf(HasSubstr("Mind {text}:"), EndsWith(request.text)));
}

TEST(ModelReviser, ReadsWhatWasAnswered) {
    const Revised plain = revised_from("Here is the revised text:\n" + kShorter, by_plan());
    EXPECT_EQ(plain.text, kShorter);
    EXPECT_TRUE(plain.is_usable());
    EXPECT_THAT(leniency_kinds(plain.noted), ElementsAre("prefaced"));
    EXPECT_EQ(plain.usage.size(), 1u);
    EXPECT_THAT(leniency_kinds(revised_from(kTwoSentences, by_plan()).noted), ElementsAre("unchanged"));
    // Only who was asked to reason needs a marker.
    EXPECT_EQ(revised_from("Shorter.\n### Revised text:\n" + kShorter, by_instruction(), {.reason = true}).text, kShorter);
    EXPECT_EQ(revised_from(kShorter, by_instruction(), {.reason = true}).unusable, "no_marker");
    EXPECT_EQ(revised_from(kShorter, by_plan(), {.reason = true}).text, kShorter);
}

TEST(ModelReviser, OfWhatIsUnusableTheTextStays) {
    for (const auto& [reply, why] : std::vector<std::pair<std::string, std::string>>{
             {"", "empty"},
             {"Sentence: \"It\"; Improvement Plan: \"Keep it as it is.\"", "echo"},
             {"Le moulin a été construit en 1841 et fermé parce que la rivière était ensablée.", "unrelated"},
             {"Here is the revised text:", "empty"},
             {"The mill \xff.", "not_utf8"}}) {
        const Revised revised = revised_from(reply, by_plan());
        EXPECT_EQ(revised.unusable, why);
        EXPECT_EQ(revised.text, kTwoSentences);
    }
    ScriptedSystem cut([](const ScriptedSystem::Ask&, size_t) {
        return Reply{.text = "The mill was", .status = Reply::Status::cut, .usage = {.new_tokens = 3}};
    });
    const Revised revised = ModelReviser(cut, PromptFiles(), {.attempts = 2}).revise({by_plan()}).at(0);
    EXPECT_EQ(revised.unusable, "cut");
    EXPECT_EQ(revised.text, kTwoSentences);
    EXPECT_EQ(cut.asks.size(), 1u) << "the limit is final";
}

TEST(ModelReviser, IsToldFromOneThatIgnoresThePlan) {
    // The plan is for the second sentence.
    const Revised ignored =
        revised_from("They built the mill in 1841. It was closed, due to the fact that the river silted up.", by_plan());
    EXPECT_EQ(ignored.unusable, "ignored_plan");
    EXPECT_EQ(ignored.text, kTwoSentences);
    const Revised both = revised_from("They built the mill in 1841. It was closed because the river silted up.", by_plan());
    EXPECT_TRUE(both.is_usable());
    EXPECT_THAT(leniency_kinds(both.noted), ElementsAre("touched_kept"));
    EXPECT_TRUE(revised_from(kShorter, by_plan()).noted.empty());
    // A line that asks to keep a sentence plans no change; of a plan without others nothing can be ignored.
    const ParsedResponse keeps = planned("Sentence: \"The mill was...\"; Improvement Plan: \"Keep it as it is.\"");
    RevisionRequest request = by_plan();
    request.response = &keeps;
    EXPECT_THAT(leniency_kinds(revised_from("They built the mill in 1841. It was closed, due to the fact that the river "
                                            "silted up.",
                                            request)
                                   .noted),
                ElementsAre("touched_kept"));
    // It is asked again, and may do better.
    ScriptedSystem system([](const ScriptedSystem::Ask&, size_t number) {
        return Reply{.text = number == 0
                                 ? "They built the mill in 1841. It was closed, due to the fact that the river silted up."
                                 : kShorter};
    });
    const Revised second = ModelReviser(system, PromptFiles(), {.attempts = 2}).revise({by_plan()}).at(0);
    EXPECT_EQ(second.text, kShorter);
    EXPECT_EQ(second.noted.at("asked_again"), 1);
}

TEST(ModelReviser, WithoutPlanAndInstructionItIsFree) {
    RevisionRequest request = by_instruction();
    request.instruction.clear();
    EXPECT_THAT(asked(request), AllOf(HasSubstr("as a careful editor would"), EndsWith("### Text:\n" + kTwoSentences)));
    EXPECT_THAT(asked(request), Not(HasSubstr("### Request:")));
}

TEST(ModelReviser, WithoutPlanLinesItIsNotAsked) {
    ScriptedSystem system(kShorter);
    const ParsedResponse none = planned("");
    RevisionRequest request = by_plan();
    request.response = &none;
    const auto revised = ModelReviser(system, PromptFiles()).revise({request, by_plan()});
    EXPECT_EQ(system.asks.size(), 1u);
    EXPECT_EQ(revised.at(0).unusable, "no_plan");
    EXPECT_EQ(revised.at(0).text, kTwoSentences);
    EXPECT_TRUE(revised.at(0).usage.empty());
    EXPECT_EQ(revised.at(1).text, kShorter);
}

TEST(ModelReviser, AsksAgainForWhatIsUnusable) {
    // The second request's first two answers are unusable.
    ScriptedSystem system([](const ScriptedSystem::Ask& ask, size_t number) {
        const bool is_bad = (ask.sample & 0xff) == 5 && number < 4;
        Reply reply{.text = is_bad ? "" : "```\n" + kShorter + "\n```"};
        reply.usage.prompt_tokens = 100 + static_cast<int64_t>(number);
        return reply;
    });
    ModelReviser reviser(system, PromptFiles(), {.attempts = 4, .again_temperature = 0.6});
    const auto revised = reviser.revise({by_plan(), by_plan(kTwoSentences, 5), by_plan()});
    EXPECT_THAT(system.batches, ElementsAre(3u, 1u, 1u));
    EXPECT_EQ(revised.at(1).text, kShorter);
    EXPECT_THAT(leniency_kinds(revised.at(1).noted), ElementsAre("asked_again", "asked_again", "fenced"));
    ASSERT_EQ(revised.at(1).usage.size(), 3u) << "every attempt costs";
    EXPECT_EQ(revised.at(1).usage.at(0).prompt_tokens, 101);
    EXPECT_EQ(revised.at(1).usage.at(2).prompt_tokens, 104);
    EXPECT_THAT(leniency_kinds(revised.at(0).noted), ElementsAre("fenced"));
    // The first is greedy; greedy once more would give the same answer. Each attempt draws from a stream of its own.
    EXPECT_EQ(system.asks.at(1).sampling.temperature, 0);
    EXPECT_EQ(system.asks.at(3).sampling.temperature, 0.6);
    EXPECT_EQ(system.asks.at(4).sampling.temperature, 0.6);
    EXPECT_EQ(system.asks.at(1).sample, 5u);
    EXPECT_EQ(system.asks.at(3).sample, 5u + (uint64_t{1} << 32));
    EXPECT_EQ(system.asks.at(4).sample, 5u + (uint64_t{2} << 32));
    EXPECT_EQ(system.asks.at(3).item, 11u);
    EXPECT_EQ(system.asks.at(3).messages.at(0).content, system.asks.at(1).messages.at(0).content);
}

TEST(ModelReviser, ASampledModelKeepsItsTemperature) {
    ScriptedSystem system("");
    ModelReviserOptions options;
    options.sampling.temperature = 1;
    const Revised revised = ModelReviser(system, PromptFiles(), options).revise({by_plan()}).at(0);
    EXPECT_EQ(revised.unusable, "empty");
    EXPECT_THAT(leniency_kinds(revised.noted), ElementsAre("asked_again"));
    ASSERT_EQ(system.asks.size(), 2u) << "as often as the options say";
    EXPECT_EQ(system.asks.at(1).sampling.temperature, 1);
}

// The system has asked again by itself where that may help.
TEST(ModelReviser, WhatFailedIsNotAskedAgain) {
    const auto times = [](Failure failure) {
        ScriptedSystem system([&](const ScriptedSystem::Ask&, size_t) { return Reply::failed(failure, "no"); });
        const Revised revised = ModelReviser(system, PromptFiles(), {.attempts = 3}).revise({by_plan()}).at(0);
        EXPECT_EQ(revised.unusable, failure_name(failure));
        EXPECT_EQ(revised.text, kTwoSentences);
        return system.asks.size();
    };
    EXPECT_EQ(times(Failure::timed_out), 1u);
    EXPECT_EQ(times(Failure::declined), 1u);
    EXPECT_EQ(times(Failure::prompt_too_long), 1u);
    EXPECT_EQ(times(Failure::refused_request), 1u);
    EXPECT_EQ(times(Failure::over_budget), 1u);
    EXPECT_EQ(times(Failure::awaited), 1u);
}

TEST(ModelReviser, PromptsOfTheUsersComeFirstAndAreLookedAt) {
    const TemporaryFolder folder;
    write_file_atomic(folder.path() / "reviser.plan.txt", "Carry out:\n{plan}\n");
    ScriptedSystem system(kShorter);
    const PromptFiles prompts(folder.path());
    EXPECT_THAT(ModelReviser(system, prompts).prompt(by_plan()), ::testing::StartsWith("Carry out:\nSentence: \"The mill"));
    EXPECT_TRUE(prompts.versions().contains("reviser.plan.txt"));
    EXPECT_NE(prompts.versions().at("reviser.plan.txt"), [&] {
        const PromptFiles shipped;
        ModelReviser(system, shipped);
        return shipped.versions().at("reviser.plan.txt");
    }());
    write_file_atomic(folder.path() / "reviser.plan.txt", "Carry it out.");
    EXPECT_THROW(ModelReviser(system, PromptFiles(folder.path())), Error) << "no place for the plan";
    write_file_atomic(folder.path() / "reviser.plans.txt", "{plan}");
    EXPECT_THROW(PromptFiles(folder.path()), Error) << "a name that no prompt has";
    EXPECT_THROW(PromptFiles(folder.path() / "nothing"), Error);
}

}  // namespace craft

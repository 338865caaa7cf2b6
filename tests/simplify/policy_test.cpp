#include "simplify/policy.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

std::string failure(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Policy, NamesAndAspects) {
    EXPECT_EQ(policy_aspect(SimplificationPolicy::lexical), "Lexical");
    EXPECT_EQ(policy_aspect(SimplificationPolicy::rewriting), "Overall");
    EXPECT_EQ(policy_name(SimplificationPolicy::document), "document");
    EXPECT_EQ(policy_aspect(SimplificationPolicy::document), "") << "its guideline has one verdict";
    EXPECT_EQ(sentence_policies().size() + 1, simplification_policies().size());
    for (const auto& [name, policy] : sentence_policies()) {
        EXPECT_NE(policy, SimplificationPolicy::document);
        EXPECT_EQ(policy_guideline(policy), "sentence.txt") << name;
    }
    EXPECT_EQ(policy_guideline(SimplificationPolicy::document), "document.txt");
}

TEST(Policy, ExamplesStandAsTurnsBeforeTheText) {
    const PromptFiles files;
    for (const auto& [name, policy] : simplification_policies()) {
        const PolicyPrompt prompt(files, policy);
        const Json bare = prompt.ask("The edifice fell.").messages;
        ASSERT_EQ(bare.size(), 2u);  // the instruction alone, as models are trained and evaluated
        EXPECT_EQ(bare[0]["role"], "system");
        EXPECT_EQ(bare[1], (Json{{"role", "user"}, {"content", "The edifice fell."}}));
        const Json shown = prompt.ask("The edifice fell.", 3).messages;
        ASSERT_EQ(shown.size(), 2u + 2 * 3);
        for (size_t i = 1; i + 1 < shown.size(); ++i) EXPECT_EQ(shown[i]["role"], i % 2 == 1 ? "user" : "assistant");
        EXPECT_EQ(shown[0], bare[0]);
        EXPECT_EQ(shown.back(), bare[1]);
        EXPECT_EQ(prompt.ask("x", 1).messages[1], shown[1]);
        EXPECT_THROW(prompt.ask("x", 4), Error);
        EXPECT_TRUE(files.versions().contains("simplify." + name + ".txt"));
        EXPECT_TRUE(files.versions().contains("simplify." + name + ".json"));
    }
}

TEST(Policy, ReadersOwnFilesComeFirstAndAreChecked) {
    const TemporaryFolder folder;
    folder.file("simplify.lexical.txt", "Easier, please.\n");
    EXPECT_EQ(PolicyPrompt(PromptFiles(folder.path()), SimplificationPolicy::lexical).ask("x").messages[0]["content"],
              "Easier, please.");
    const auto with = [&](const char* examples) {
        folder.file("simplify.lexical.json", examples);
        return failure([&] { PolicyPrompt(PromptFiles(folder.path()), SimplificationPolicy::lexical); });
    };
    EXPECT_NE(with("[]").find("expected a list of 3 examples {\"source\",\"text\"}, got 0"), std::string::npos);
    EXPECT_NE(with(R"([{"source":"a","text":"b"},{"source":"a"},{}])").find("example 1: field 'text'"), std::string::npos);
    EXPECT_NE(
        with(R"([{"source":"a","text":" "},{"source":"a","text":"b"},{"source":"a","text":"b"}])").find("an empty one"),
        std::string::npos);
    folder.file("simplify.lexical.txt", "\n");
    EXPECT_NE(failure([&] {
                  PolicyPrompt(PromptFiles(folder.path()), SimplificationPolicy::lexical);
              }).find("expected a system prompt, got none"),
              std::string::npos);
}

}  // namespace
}  // namespace craft

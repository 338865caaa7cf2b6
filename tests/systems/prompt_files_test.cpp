// Prompt files of the user's before those that ship.
#include "systems/prompt_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {

TEST(PromptFiles, TheUsersComeFirst) {
    const TemporaryFolder folder;
    folder.file("reviser.direct.txt", "Do {instruction} with {text}.\r\n\n");
    folder.file("notes.md", "no prompt");
    const PromptFiles prompts(folder.path());
    EXPECT_EQ(prompts.text("reviser.direct.txt", {"instruction", "text"}), "Do {instruction} with {text}.");
    EXPECT_EQ(prompts.path("reviser.direct.txt").parent_path(), folder.path());
    const PromptFiles shipped;
    EXPECT_EQ(prompts.text("reviser.cot.txt", {"text"}), shipped.text("reviser.cot.txt", {"text"}));
    shipped.path("reviser.direct.txt");
    // Manifests tell of each file that was met, and of its bytes.
    EXPECT_EQ(prompts.versions().size(), 2u);
    EXPECT_EQ(prompts.versions()["reviser.cot.txt"], shipped.versions()["reviser.cot.txt"]);
    EXPECT_NE(prompts.versions()["reviser.direct.txt"], shipped.versions()["reviser.direct.txt"]);
}

TEST(PromptFiles, WhatIsWrongIsSaid) {
    const TemporaryFolder folder;
    folder.file("reviser.direct.txt", "Do it with {text}.");
    EXPECT_EQ(message_of([&] {
                  PromptFiles(folder.path()).text("reviser.direct.txt", {"text", "instruction"});
              }),
              (folder.path() / "reviser.direct.txt").string() + ": expected the placeholder {instruction}, got none");
    EXPECT_THROW(PromptFiles(folder.path() / "nowhere"), Error);
    EXPECT_THROW(PromptFiles().text("reviser.none.txt", {}), Error);
    folder.file("reviser.dirct.txt", "{text}");
    EXPECT_THAT(message_of([&] { PromptFiles prompts(folder.path()); }),
                ::testing::HasSubstr("reviser.direct.txt"));  // the name that was meant
}

}  // namespace craft

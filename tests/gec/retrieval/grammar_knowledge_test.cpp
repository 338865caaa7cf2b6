#include "gec/retrieval/grammar_knowledge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(GrammarKnowledge, TheShippedFileKnowsErrantsTypes) {
    const GrammarKnowledge knowledge = GrammarKnowledge::load(share_folder() / "prompts" / "gec_knowledge.json");
    for (const char* category : {"ADJ", "ADV", "CONJ", "CONTR", "DET", "NOUN", "NOUN:POSS", "OTHER", "PART", "PREP", "PRON",
                                 "PUNCT", "VERB", "VERB:FORM", "VERB:TENSE"})
        for (const char* operation : {"M:", "U:", "R:"})
            EXPECT_TRUE(knowledge.has(std::string(operation) + category)) << category;
    for (const char* type : {"R:ADJ:FORM", "R:MORPH", "R:NOUN:INFL", "R:NOUN:NUM", "R:ORTH", "R:SPELL", "R:VERB:INFL",
                             "R:VERB:SVA", "R:WO", "UNK"})
        EXPECT_TRUE(knowledge.has(type)) << type;
    EXPECT_EQ(knowledge.of_type("M:NEW").name, knowledge.of_type("M:OTHER").name);
    EXPECT_EQ(knowledge.of_type("").name, knowledge.of_type("R:OTHER").name);
}

TEST(GrammarKnowledge, OtherFormsAreRefused) {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::string& text) {
        return message_of([&] { GrammarKnowledge::load(folder.file("k.json", text)); });
    };
    EXPECT_THAT(refusal("[]"), testing::HasSubstr("k.json: expected an object of types"));
    EXPECT_THAT(refusal("{\"R:OTHER\": 3}"), testing::HasSubstr("k.json: R:OTHER: expected"));
    EXPECT_THAT(refusal("{\"R:OTHER\": {\"name\": \"\", \"rule\": \"b\"}}"), testing::HasSubstr("got an empty text"));
    EXPECT_THAT(refusal("{\"M:DET\": {\"name\": \"a\", \"rule\": \"b\"}}"),
                testing::HasSubstr("expected the type R:OTHER, got none"));
}

}  // namespace
}  // namespace craft

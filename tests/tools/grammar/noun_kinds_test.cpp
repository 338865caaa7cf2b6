#include "tools/grammar/noun_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/tools/grammar/grammar_setup.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(NounKinds, ReadLinkGrammarsLists) {
    EXPECT_THAT(link_grammar_words("car.n balance.s\nbus.n-u\na_la_carte.n New_York.l x2.n dog"),
                UnorderedElementsAre("car", "balance", "bus", "dog"));
    EXPECT_TRUE(link_grammar_words("").empty());
}

TEST(NounKinds, AreWhatAllListsSayTogether) {
    const TemporaryFolder folder;
    const auto put = [&](const char* name, const std::string& text) { write_file_atomic(folder.path() / name, text); };
    put("words.n.1-const", "car.n school.n kindness.n shade.n\n");
    put("words.n.1-vowel", "egg.n\n");
    put("words.n.t", "nurse.n\n");
    put("words.n.3-const", "school.n water.n\n");
    put("words.n.3-vowel", "");
    put("words.n.3.y", "");
    put("words.n.1.gerund", "");
    put("count.txt", "idea\n");
    put("bare.txt", "shade\n");
    const NounKinds kinds = NounKinds::load(folder.path(), folder.path() / "count.txt", folder.path() / "bare.txt");
    for (const char* noun : {"car", "egg", "nurse", "idea"}) EXPECT_TRUE(kinds.is_count(noun)) << noun;
    for (const char* noun : {"school", "water", "kindness", "shade", "", "Car"}) EXPECT_FALSE(kinds.is_count(noun)) << noun;
    EXPECT_EQ(kinds.size(), 4u);
    EXPECT_THAT(message_of([&] {
                    NounKinds::load(folder.path() / "none", folder.path() / "count.txt", folder.path() / "bare.txt");
                }),
                HasSubstr("words.n.1-const"));
}

TEST(NounKinds, OfTheInstalledListsAreManyAndTheUsualOnes) {
    CRAFT_NEEDS_GRAMMAR();
    const NounKinds kinds = NounKinds::installed();
    EXPECT_GT(kinds.size(), 5000u);
    for (const char* noun : {"car", "nurse", "idea", "kitchen"}) EXPECT_TRUE(kinds.is_count(noun)) << noun;
    for (const char* noun : {"water", "advice", "information", "happiness"}) EXPECT_FALSE(kinds.is_count(noun)) << noun;
}

}  // namespace
}  // namespace craft

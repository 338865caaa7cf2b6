#include "simplify/part_deletion.h"

#include <gtest/gtest.h>

#include "tests/simplify/rules_english.h"

namespace craft {
namespace {

std::string shortened_by_rules(const std::string& text, const DeletionOptions& options = {}) {
    return test::ruled([&](const auto& given, const auto& document) { return delete_parts(given, document, options); },
                       text);
}

TEST(PartDeletion, LeavesOutWhatDoesNotMatter) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const std::vector<std::pair<const char*, const char*>> cases = {
        {"The granary, a cavernous building erected by monks, was left to decay for decades.",
         "The granary was left to decay for decades."},
        {"The bridge (an ugly thing) was closed to all traffic.", "The bridge was closed to all traffic."},
        {"Local residents vehemently opposed the demolition of the old bathhouse.",
         "Local residents opposed the demolition of the old bathhouse."},
        {"However, the council refused to pay for the repairs.", "The council refused to pay for the repairs."},
        {"In the course of the quarrel, the villagers burnt all their furniture.",
         "The villagers burnt all their furniture."},
        // "a" and "an" follow the word that now comes after them.
        {"The guide told us a remarkably old story about the lake.", "The guide told us an old story about the lake."},
    };
    for (const auto& [text, rest] : cases) EXPECT_EQ(shortened_by_rules(text), rest);
}

TEST(PartDeletion, KeepsNamesNumbersAndTheSense) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    for (const char* text :
         {"The nurse, the daughter of Amaru Selwick, cautioned the visitors.",
          "The bridge (built in 1841) was closed to all.", "In March 1958, the council paved the road.",
          "In the course of the winter, the villagers burnt all their furniture.",
          "The clinic hardly survived the winter of that year.", "She behaves badly towards all of her neighbours.",
          "The river is wide.", "Fog, mist and rain covered the whole coast.", "\"Sadly, the bridge fell,\" he said to us.",
          ""})
        EXPECT_EQ(shortened_by_rules(text), text);
}

TEST(PartDeletion, IsBounded) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const std::string text = "The council vehemently refused to pay, and the owner flatly declined to help.";
    EXPECT_EQ(shortened_by_rules(text), "The council refused to pay, and the owner declined to help.");
    EXPECT_EQ(shortened_by_rules(text, {.max_parts = 1}),
              "The council refused to pay, and the owner flatly declined to help.");
    EXPECT_EQ(shortened_by_rules(text, {.least_words = 13}), text);
}

}  // namespace
}  // namespace craft

#include "simplify/sentence_splitting.h"

#include <gtest/gtest.h>

#include "tests/simplify/rules_english.h"

namespace craft {
namespace {

std::string split(const std::string& text, const SplittingOptions& options = {}) {
    return test::ruled(
        [&](const auto& given, const auto& document) { return split_sentences_by_parse(given, document, options); }, text);
}

struct Case {
    const char *text, *split;
};

void expect_split(const std::vector<Case>& cases) {
    for (const Case& one : cases) EXPECT_EQ(split(one.text), one.split);
}

TEST(SentenceSplitting, CoordinatedClauses) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    expect_split({
        {"The families along the river candied it, and the resulting sweet is now sold at a scandalous price.",
         "The families along the river candied it. The resulting sweet is now sold at a scandalous price."},
        {"The committee wanted a bridge, but the villagers asked for a ferry.",
         "The committee wanted a bridge. But the villagers asked for a ferry."},
        // A subject that both share is named again, or is "they"; and so are auxiliaries.
        {"The farmers repaired the old dam and planted trees along the road.",
         "The farmers repaired the old dam. They planted trees along the road."},
        {"The jury acquitted the defendant of arson but found a witness guilty of a crime.",
         "The jury acquitted the defendant of arson. But the jury found a witness guilty of a crime."},
        {"The letter was written by a clerk and shown to the judge.",
         "The letter was written by a clerk. The letter was shown to the judge."},
        {"Convicts were assigned to settlers as labourers and flogged for the slightest fault.",
         "Convicts were assigned to settlers as labourers. They were flogged for the slightest fault."},
        {"The old dam lasted for a week; the bridge collapsed at once.",
         "The old dam lasted for a week. The bridge collapsed at once."},
    });
}

TEST(SentenceSplitting, CoordinationThatBelongsTogetherStays) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    for (const char* text :
         {"Engineers designed and built the bridge.", "The mayor not only paid the debts but also repaired the roof.",
          "Either the river rises or the wells fail.", "If the rain stops, the men leave and the women follow.",
          "No farmer sold the land and left the valley.", "He came and went."})
        EXPECT_EQ(split(text), text);
}

TEST(SentenceSplitting, RelativeClauses) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    expect_split({
        {"The cable, which had lain undisturbed on the seabed for two decades, was cut by an anchor.",
         "The cable had lain undisturbed on the seabed for two decades. The cable was cut by an anchor."},
        {"Marmots, which hibernate for almost seven months, live on fat.",
         "Marmots hibernate for almost seven months. They live on fat."},
        {"The dogs were sold to shepherds, who trained them in the hills.",
         "The dogs were sold to shepherds. These shepherds trained them in the hills."},
        {"The anchor came from a trawler whose captain had neglected his charts.",
         "The anchor came from a trawler. The trawler's captain had neglected his charts."},
        {"The institute has bred a hardy rose that can withstand frost.",
         "The institute has bred a hardy rose. The rose can withstand frost."},
        {"The tannery was banished to the outskirts, where it poisoned the stream.",
         "The tannery was banished to the outskirts. There it poisoned the stream."},
    });
    // Those that say which one is meant stay.
    for (const char* text : {"Patients who took the drug within two hours recovered.",
                             "The farmers that kept bees were rich.", "It was a baker who found the coins.",
                             "The dam ruined the raftsmen on the Vessel River, who had floated timber for years."})
        EXPECT_EQ(split(text), text);
}

TEST(SentenceSplitting, AppositionsAndParticiples) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    expect_split({
        {"Delirium, an acute state of confusion, is often mistaken by relatives for dementia.",
         "Delirium is an acute state of confusion. Delirium is often mistaken by relatives for dementia."},
        {"Goats, indiscriminate eaters, have stripped the island.",
         "Goats are indiscriminate eaters. They have stripped the island."},
        {"The drawings were bought by Ilse Brandt, a teacher from the north.",
         "The drawings were bought by Ilse Brandt. Ilse Brandt was a teacher from the north."},
        {"Confiscated from smugglers at the port, the forty tortoises were taken to a sanctuary.",
         "The forty tortoises were confiscated from smugglers at the port. They were taken to a sanctuary."},
    });
}

TEST(SentenceSplitting, SubordinateClauses) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    expect_split({
        {"Because the axis is hardly inclined, the seasons are all alike.",
         "The axis is hardly inclined. So the seasons are all alike."},
        {"The path was closed because rocks had fallen from the cliff.",
         "The path was closed. This was because rocks had fallen from the cliff."},
        {"Although the Tessel flows gently for most of the year, floods cover the pastures in spring.",
         "The Tessel flows gently for most of the year. But floods cover the pastures in spring."},
        // A pronoun that came before its noun changes places with it.
        {"Although they were tired, the climbers reached the hut.", "The climbers were tired. But they reached the hut."},
        {"While the men fished in the bay, the women mended the nets.",
         "The men fished in the bay. Meanwhile, the women mended the nets."},
        {"When the equipment failed, the nurse made a splint from bamboo.",
         "The equipment failed. Then the nurse made a splint from bamboo."},
        {"The clerk locked the office before the inspector arrived.",
         "The clerk locked the office. Then the inspector arrived."},
    });
    // What holds whenever something else does, and what is bound to a condition, stays.
    for (const char* text :
         {"When it rains, the streams flood the fields.", "The birds leave if the water freezes.",
          "The men left only because the well had failed.", "The path was steep before the road was built."})
        EXPECT_EQ(split(text), text);
}

TEST(SentenceSplitting, GivesBackWhatItDoesNotSplit) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    for (const char* text :
         {"", " ", "The river is wide.", "  Two blanks  stay.\n", "Who built the mill, and who burnt it down?",
          "\"The mill burnt down, and nobody helped,\" he said.", "A title without a verb"})
        EXPECT_EQ(split(text), text);
    const std::string two = "The dam held, and the bridge fell. The river is wide.";
    EXPECT_EQ(split(two), "The dam held. The bridge fell. The river is wide.");
    EXPECT_EQ(split(two, {.max_sentences = 1}), two);
    EXPECT_EQ(split(two, {.least_words = 4}), two);
}

}  // namespace
}  // namespace craft

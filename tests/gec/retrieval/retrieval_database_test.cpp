#include "gec/retrieval/retrieval_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/core/temporary_folder.h"
#include "tests/gec/retrieval/retrieval_parts.h"

namespace craft {
namespace {

using test::letter_encoder;
using test::make_examples;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class RetrievalDatabaseTest : public ::testing::Test {
protected:
    std::filesystem::path file() const { return folder_.path() / "examples.sqlite"; }
    static std::vector<std::string> ids(const FoundExamples& found) {
        std::vector<std::string> ids;
        for (const FoundExample& one : found.examples) ids.push_back(one.pair.id);
        return ids;
    }
    const TemporaryFolder folder_;
};

TEST_F(RetrievalDatabaseTest, ASentenceFindsThoseThatShareItsRareWords) {
    RetrievalDatabase database(make_examples(file()));
    const FoundExamples found = database.search({.sentence = "My brother plays the piano."});
    EXPECT_THAT(ids(found), ElementsAre("a")) << "d has \"the\", and is a correct sentence";
    EXPECT_FALSE(found.by_vectors);
    const FoundExample& one = found.examples.at(0);
    EXPECT_THAT(one.found_by, ElementsAre("words"));
    EXPECT_EQ(one.pair.source, "She depends of her brother.");
    EXPECT_EQ(one.pair.target, "She depends on her brother.");
    ASSERT_EQ(one.entries.size(), 1u);
    EXPECT_EQ(one.entries[0].knowledge, "wrong preposition");
    EXPECT_EQ(one.entries[0].rule, "What holds of wrong preposition.");
    EXPECT_EQ(one.entries[0].modification, EditOperation::transform);
    EXPECT_EQ(word_pair_text(one.entries[0]), "of → on");
    EXPECT_EQ(one.entries[0].pattern, "depend [of → on] PRON");
    EXPECT_DOUBLE_EQ(one.score, 1.0 / 61);
    EXPECT_THAT(ids(database.search({.sentence = "My brother leaves.", .with_correct = true})),
                testing::UnorderedElementsAre("a", "d"));
}

TEST_F(RetrievalDatabaseTest, TheSameErrorIsFoundAmongOtherWords) {
    RetrievalDatabase database(make_examples(file()));
    const FoundExamples found = database.search({.sentence = "Everything depends of us"});
    ASSERT_FALSE(found.examples.empty());
    EXPECT_EQ(found.examples[0].pair.id, "a");
    EXPECT_THAT(found.examples[0].found_by, Contains("same error"));
}

TEST_F(RetrievalDatabaseTest, WhatIsWantedNarrows) {
    RetrievalDatabase database(make_examples(file()));
    const auto wanted = [&](const std::string& text, const std::string& sentence = "") {
        const FoundExamples found = database.search({.sentence = sentence, .wanted = text});
        EXPECT_TRUE(found.has_wanted) << text;
        return ids(found);
    };
    EXPECT_THAT(wanted("article"), ElementsAre("b")) << "a concept, by a word of it";
    EXPECT_THAT(wanted("wrong prepositions"), ElementsAre("a", "c")) << "in another form";
    EXPECT_THAT(wanted("wrong preposition", "Trains to London"), ElementsAre("c", "a")) << "ranked by the sentence";
    EXPECT_THAT(wanted("wrong preposition", "Zebras"), ElementsAre("a", "c")) << "none has a word of the sentence";
    EXPECT_THAT(wanted("of -> on"), ElementsAre("a")) << "a word pair";
    EXPECT_THAT(wanted("nothing → a"), ElementsAre("b"));
    EXPECT_THAT(wanted("arrive [to → in] PROPN"), ElementsAre("c")) << "a pattern";
    EXPECT_THAT(wanted("arrived"), ElementsAre("c")) << "a word of a pattern";
    const FoundExamples nearest = database.search({.sentence = "my brother", .wanted = "subjunctive"});
    EXPECT_FALSE(nearest.has_wanted) << "the nearest sentences instead, which is said";
    EXPECT_THAT(ids(nearest), ElementsAre("a"));
    EXPECT_THAT(ids(database.search({.wanted = "subjunctive"})), IsEmpty());
}

TEST_F(RetrievalDatabaseTest, AnySentenceIsAQueryAndAnEmptyOneFindsNothing) {
    RetrievalDatabase database(make_examples(file(), letter_encoder()), letter_encoder());
    for (const char* text :
         {"It's the dogs' well-known bone: isn't it?", "brother AND London OR bicycle", "NEAR(brother London, 3)",
          "brother*", "\"brother", "source:brother", "brother)", "(", "'; DROP TABLE pairs; --", "^brother", "-brother",
          "brother\xff\xfe", "{source} : brother + her"}) {
        EXPECT_NO_THROW(database.search({.sentence = text})) << text;
        EXPECT_NO_THROW(database.search({.sentence = "", .wanted = text})) << text;
    }
    EXPECT_THAT(ids(database.search({.sentence = "brother AND"})), Contains("a"));
    for (const char* text : {"", " \n", "?!", "\"\""})
        EXPECT_THAT(ids(database.search({.sentence = text})), IsEmpty()) << text;
    std::string longest;
    for (int i = 0; i < 2000; ++i) longest += "word" + std::to_string(i) + " ";
    EXPECT_THAT(ids(database.search({.sentence = longest + "brother"})).size(), testing::Ge(0u)) << "2,000 words";
    EXPECT_EQ(database.pairs(), 4);
}

// "vexed hob or sherd spend" has the letters of pair a's source in about the same numbers, and no word of it.
TEST_F(RetrievalDatabaseTest, VectorsFindWhatSharesNoWord) {
    RetrievalDatabase database(make_examples(file(), letter_encoder()), letter_encoder());
    const FoundExamples found = database.search({.sentence = "hesdependsofherbrother", .top = 1});
    EXPECT_TRUE(found.by_vectors);
    EXPECT_THAT(ids(found), ElementsAre("a"));
    EXPECT_THAT(found.examples.at(0).found_by, ElementsAre("vectors"));
    RetrievalDatabase without(file());
    EXPECT_FALSE(without.search({.sentence = "hesdependsofherbrother"}).by_vectors);
    EXPECT_THAT(ids(without.search({.sentence = "hesdependsofherbrother"})), IsEmpty());
    EXPECT_EQ(without.encoder(), "letters 1");
}

TEST_F(RetrievalDatabaseTest, VectorsOfAnotherEncoderAreRefused) {
    make_examples(file(), letter_encoder());
    EXPECT_EQ(message_of([&] { RetrievalDatabase(file(), letter_encoder("letters 2")); }),
              file().string() +
                  ": expected the encoder of its vectors, letters 1, got letters 2 (vectors of two encoders do not "
                  "compare: index into another file)");
    std::filesystem::remove(file());
    make_examples(file());
    EXPECT_EQ(message_of([&] { RetrievalDatabase(file(), letter_encoder()); }),
              file().string() +
                  ": expected no encoder, since it has no vectors, got letters 1 (vectors of two encoders do not compare: "
                  "index into another file)");
}

TEST_F(RetrievalDatabaseTest, NearestPairsAreExamplesForPrompts) {
    RetrievalDatabase database(make_examples(file(), letter_encoder()), letter_encoder());
    const auto pairs = database.nearest_pairs("The bus left at seven.", 2);
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[0].id, "d");
    EXPECT_EQ(pairs[0].source, pairs[0].target);
}

TEST_F(RetrievalDatabaseTest, ManyThreadsAskOneDatabase) {
    RetrievalDatabase database(make_examples(file(), letter_encoder()), letter_encoder());
    std::vector<std::thread> threads;
    std::vector<size_t> found(4);
    for (size_t i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (int k = 0; k < 50; ++k) found[i] += database.search({.sentence = "brother", .top = 1}).examples.size();
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(found, testing::Each(50u));
}

}  // namespace
}  // namespace craft

#include "gec/retrieval/pair_indexing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gec/retrieval/retrieval_database.h"
#include "tests/core/temporary_folder.h"
#include "tests/gec/retrieval/retrieval_parts.h"

namespace craft {
namespace {

using test::letter_encoder;
using testing::ElementsAre;
using testing::Pair;

// Answers what a function says of a prompt.
class PromptSystem : public System {
public:
    explicit PromptSystem(std::function<Reply(const std::string& prompt)> script) : script_(std::move(script)) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& /*sampling*/,
                                   const ReplySink& sink) override {
        std::vector<Reply> replies;
        for (const Request& request : requests)
            replies.push_back(script_(request.conversation.messages.at(0).at("content").get<std::string>()));
        report_all(replies, sink);
        return replies;
    }
    std::string name() const override { return "prompts"; }
    Json record(const Request& /*request*/, const SamplingOptions& /*sampling*/) const override { return {}; }

private:
    std::function<Reply(const std::string&)> script_;
};

class PairIndexingTest : public ::testing::Test {
protected:
    PairIndexingCounts index(const std::vector<SentencePair>& pairs, ModelEntries* model = nullptr, int64_t batch = 2) {
        RetrievalWriter writer(file(), encoder_);
        return index_pairs(pairs, {language_, knowledge_, encoder_, model}, writer, {.batch = batch, .threads = 2});
    }
    std::filesystem::path file() const { return folder_.path() / "examples.sqlite"; }
    const TemporaryFolder folder_;
    const EntryLanguage language_ = {};  // cuts at blanks
    const GrammarKnowledge knowledge_ = GrammarKnowledge::load(share_folder() / "prompts" / "gec_knowledge.json");
    const SentenceEncoder encoder_ = letter_encoder();
};

TEST_F(PairIndexingTest, EachPairIsCountedOnce) {
    std::vector<SentencePair> pairs = test::example_pairs();
    pairs.push_back({"e", "  ", "Something.", {}});
    pairs.push_back({"f", std::string(6000, 'x'), "x", {}});
    pairs.push_back({"g", pairs[0].source, pairs[0].target, {}});
    pairs.push_back({"h", pairs[0].source, pairs[0].target, {}});  // in one batch with g
    const PairIndexingCounts counts = index(pairs);
    EXPECT_EQ(counts.pairs, 8);
    EXPECT_EQ(counts.indexed, 4);
    EXPECT_EQ(counts.correct, 1);
    EXPECT_EQ(counts.entries, 3);
    EXPECT_EQ(counts.there_already, 2);
    EXPECT_THAT(counts.dropped, ElementsAre(Pair("empty sentence", 1), Pair("too long", 1)));
    const PairIndexingCounts again = index(pairs, nullptr, 100);
    EXPECT_EQ(again.indexed, 0);
    EXPECT_EQ(again.there_already, 6);
    RetrievalDatabase database(file(), encoder_);
    EXPECT_EQ(database.search({.sentence = "her brother depends of it", .top = 1}).examples.at(0).pair.id, "a");
}

TEST_F(PairIndexingTest, WhatAModelSaysReplacesTheRulesWhereItCanBeRead) {
    PromptSystem system([](const std::string& prompt) -> Reply {
        if (prompt.find("Sentence: She depends of") != std::string::npos)
            return {
                .text =
                    R"([{"knowledge":"Fixed Preposition","modification":"transform","from":"of","to":"on","pattern":"depend on"}])"};
        if (prompt.find("Sentence: He bought") != std::string::npos) return {.text = "The article is missing."};
        return Reply::failed(Failure::timed_out, "late");
    });
    ModelEntries model(system, PromptFiles());
    const PairIndexingCounts counts = index(test::example_pairs(), &model);
    EXPECT_EQ(counts.indexed, 4);
    EXPECT_EQ(counts.by_model, 1);
    EXPECT_EQ(model.counts().asked, 3) << "correct sentences teach nothing";
    EXPECT_EQ(model.counts().read, 1);
    EXPECT_THAT(model.counts().unread, ElementsAre(Pair("no JSON", 1), Pair("timed_out", 1)));
    RetrievalDatabase database(file(), encoder_);
    const FoundExamples found = database.search({.wanted = "fixed preposition"});
    ASSERT_EQ(found.examples.size(), 1u);
    EXPECT_EQ(found.examples[0].entries.at(0).knowledge, "fixed preposition");
    EXPECT_EQ(database.search({.sentence = "all depends of us", .top = 1}).examples.at(0).found_by.at(0), "words");
    EXPECT_EQ(database.search({.wanted = "missing words"}).examples.at(0).pair.id, "b") << "by rules";
}

TEST_F(PairIndexingTest, WhatStandsInABatchFileIsLeftForLater) {
    PromptSystem system([](const std::string& /*prompt*/) -> Reply { throw AwaitedAnswer(); });
    ModelEntries model(system, PromptFiles());
    const PairIndexingCounts counts = index(test::example_pairs(), &model);
    EXPECT_EQ(counts.awaited, 4) << "whole batches";
    EXPECT_EQ(counts.indexed, 0);
}

}  // namespace
}  // namespace craft

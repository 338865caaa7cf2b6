// The database as a file: what survives, what is refused, and who may write while others read.
#include "gec/retrieval/retrieval_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "gec/retrieval/retrieval_database.h"
#include "tests/core/temporary_folder.h"
#include "tests/gec/retrieval/retrieval_parts.h"

namespace craft {
namespace {

using test::letter_encoder;
using test::make_examples;
using testing::EndsWith;
using testing::HasSubstr;

class RetrievalFileTest : public ::testing::Test {
protected:
    std::filesystem::path file() const { return folder_.path() / "examples.sqlite"; }
    std::string refusal() const {
        return message_of([&] { RetrievalDatabase(file()).search({.sentence = "brother"}); });
    }
    void set(const char* sql) const { Database(file(), std::chrono::milliseconds(1000)).run(sql); }
    static std::vector<SentencePair> numbered(int count, const std::string& name) {
        std::vector<SentencePair> pairs;
        for (int i = 0; i < count; ++i) {
            const std::string words = name + std::to_string(i);
            pairs.push_back({words, "The " + words + " are here.", "The " + words + " is here.", {}});
        }
        return pairs;
    }
    static std::vector<IndexedPair> indexed(const std::vector<SentencePair>& pairs, size_t begin, size_t end) {
        std::vector<IndexedPair> batch;
        for (size_t i = begin; i < end; ++i)
            batch.push_back(
                {&pairs[i],
                 {test::entry("agreement", EditOperation::transform, "are", "is", "NOUN [VBP → VBZ]", {"x are"})}});
        return batch;
    }
    const TemporaryFolder folder_;
};

TEST_F(RetrievalFileTest, PairsThatAreThereAreLeftAsTheyAre) {
    make_examples(file(), letter_encoder());
    RetrievalWriter again(file(), letter_encoder());
    EXPECT_TRUE(again.has(test::example_pairs()[0]));
    EXPECT_FALSE(again.has({"a", "She depends of her brother.", "She depends upon her brother.", {}}));
    EXPECT_THAT(again.add(test::example_entries(letter_encoder())), testing::Each(false));
    const SentencePair more{"e", "I am agree.", "I agree.", {}};
    std::vector<IndexedPair> batch = {{&more, {}, letter_encoder().encode({more.source}).at(0)}};
    batch.push_back(batch[0]);
    EXPECT_THAT(again.add(batch), testing::ElementsAre(true, false)) << "twice in a batch";
    EXPECT_EQ(again.file().pairs(), 5);
}

TEST_F(RetrievalFileTest, AWriterOfOtherVectorsIsRefused) {
    make_examples(file(), letter_encoder());
    EXPECT_THAT(message_of([&] { RetrievalWriter(file(), letter_encoder("letters 2")); }), HasSubstr("got letters 2"));
    EXPECT_THAT(message_of([&] { RetrievalWriter(file(), {}); }),
                HasSubstr("expected the encoder of its vectors, letters 1, got none"));
}

TEST_F(RetrievalFileTest, OtherFilesAreRefusedInOneLine) {
    EXPECT_EQ(refusal(), file().string() + ": expected a retrieval database, got no file (craft-train gec index makes one)");
    folder_.file("examples.sqlite", "{\"id\":1}\n");
    EXPECT_THAT(refusal(), HasSubstr("examples.sqlite: expected an intact database, got a damaged file"));
    std::filesystem::remove(file());
    folder_.file("examples.sqlite", "");
    EXPECT_THAT(refusal(), HasSubstr("expected a retrieval database, got another file"));
    make_examples(file());
    set("PRAGMA user_version=9");
    EXPECT_THAT(refusal(),
                EndsWith("expected schema 1, got 9 (a newer craft-train wrote it: use that one, or reindex the pairs)"));
    set("PRAGMA application_id=5");
    EXPECT_THAT(refusal(), HasSubstr("expected a retrieval database, got another file"));
}

TEST_F(RetrievalFileTest, ADamagedFileIsAnErrorAndStaysAsItIs) {
    const std::vector<SentencePair> pairs = numbered(400, "cats");
    RetrievalWriter(file(), {}).add(indexed(pairs, 0, pairs.size()));
    std::string bytes = read_file(file());
    ASSERT_GT(bytes.size(), 40000u);
    std::fill(bytes.begin() + 8192, bytes.end(), '\xa5');
    folder_.file("examples.sqlite", bytes);
    EXPECT_THAT(refusal(), HasSubstr("examples.sqlite: expected an intact database, got a damaged file"));
    EXPECT_EQ(read_file(file()).size(), bytes.size());
}

TEST_F(RetrievalFileTest, AVectorOfAnotherSizeIsDamage) {
    make_examples(file(), letter_encoder());
    set("UPDATE pairs SET vector = x'00112233' WHERE id = 2");
    EXPECT_THAT(message_of([&] { RetrievalDatabase(file(), letter_encoder()).search({.sentence = "brother"}); }),
                HasSubstr("vector of pair 2: expected 26 values, got others (the file is damaged: reindex the pairs)"));
}

// The child writes batches of 10 pairs until it is killed: what is there are whole batches, at least those that it told of.
TEST_F(RetrievalFileTest, AKilledWriterLeavesWholeBatches) {
    const std::vector<SentencePair> pairs = numbered(4000, "cats");
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(pipe[0]);
        RetrievalWriter writer(file(), {});
        for (int64_t i = 0; i < 400; ++i) {
            writer.add(indexed(pairs, static_cast<size_t>(i) * 10, static_cast<size_t>(i) * 10 + 10));
            if (::write(pipe[1], &i, sizeof(i)) != sizeof(i)) ::_exit(1);
        }
        ::_exit(0);
    }
    ::close(pipe[1]);
    int64_t told = 0;
    while (told < 20) ASSERT_EQ(::read(pipe[0], &told, sizeof(told)), static_cast<ssize_t>(sizeof(told)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (int64_t more = 0; ::read(pipe[0], &more, sizeof(more)) == static_cast<ssize_t>(sizeof(more));) told = more;
    ::close(pipe[0]);
    RetrievalFile left(file(), {});
    EXPECT_GE(left.pairs(), (told + 1) * 10);
    EXPECT_EQ(left.pairs() % 10, 0);
    EXPECT_EQ(left.database().number("SELECT count(*) FROM entries"), left.pairs());
    EXPECT_EQ(left.database().number("SELECT count(*) FROM pair_words WHERE pair_words MATCH '\"here\"'"), left.pairs());
}

TEST_F(RetrievalFileTest, TwoWritersAndAReaderShareAFile) {
    make_examples(file());
    std::atomic<bool> done{false};
    std::vector<std::thread> writers;
    for (const char* name : {"cats", "dogs"})
        writers.emplace_back([&, name] {
            std::vector<SentencePair> pairs = numbered(200, name);
            pairs.push_back({"both", "The both are here.", "The both is here.", {}});
            RetrievalWriter writer(file(), {});
            for (size_t i = 0; i < 200; i += 20) writer.add(indexed(pairs, i, i + 20));
            writer.add(indexed(pairs, 200, 201));
        });
    std::thread reader([&] {
        RetrievalDatabase database(file());
        while (!done) EXPECT_EQ(database.search({.sentence = "My brother", .top = 1}).examples.size(), 1u);
        EXPECT_EQ(database.search({.sentence = "dogs199", .top = 1}).examples.size(), 1u) << "what came meanwhile";
    });
    for (std::thread& thread : writers) thread.join();
    done = true;
    reader.join();
    EXPECT_EQ(RetrievalFile(file(), {}).pairs(), 4 + 2 * 200 + 1);
}

TEST_F(RetrievalFileTest, AWriterWaitsAndThenSaysWhoIsInTheWay) {
    make_examples(file());
    RetrievalFile first(file(), {});
    first.database().run("BEGIN IMMEDIATE");
    RetrievalWriter second(file(), {}, {.busy = std::chrono::milliseconds(30), .make = true});
    EXPECT_THAT(message_of([&] { second.add(test::example_entries({})); }),
                HasSubstr("one that another process has locked for 0.03 s"));
    first.database().run("ROLLBACK");
    EXPECT_THAT(second.add(test::example_entries({})), testing::Each(false));
}

}  // namespace
}  // namespace craft

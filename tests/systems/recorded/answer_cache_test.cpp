// The cache as a file: what survives, who may read it, and what is said when it cannot be used.
#include "systems/recorded/answer_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <fstream>
#include <thread>

#include "core/files.h"
#include "systems/recorded/cache_folder.h"
#include "tests/core/temporary_folder.h"
#include "tests/systems/recorded/old_cache.h"
#include "tests/systems/recorded/scripted_system.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::full_reply;
using test::new_answer;
using test::said;
using testing::EndsWith;
using testing::HasSubstr;

class AnswerCacheTest : public ::testing::Test {
protected:
    fs::path cache() const { return folder_.path() / "cache"; }
    std::string file() const { return (cache() / kAnswersFile).string(); }
    std::string failure_to_open(AnswerCacheOptions options = {}) const {
        return message_of([&] { AnswerCache(cache(), options); });
    }
    void run_sql(const char* sql) const {
        sqlite3* connection = nullptr;
        ASSERT_EQ(sqlite3_open(file().c_str(), &connection), SQLITE_OK);
        ASSERT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(connection);
        sqlite3_close(connection);
    }
    const TemporaryFolder folder_;
};

TEST_F(AnswerCacheTest, NastyTextsAndMissingNumbersComeBackAsTheyWere) {
    std::vector<NewAnswer> answers;
    for (const std::string& text :
         {std::string("a\0b\0", 4), std::string("\xff\xfe\xc3"), std::string(), std::string(2'000'000, '\x80')}) {
        Reply reply;
        reply.text = text;
        reply.reasoning = text.substr(0, 3);
        reply.status = text.empty() ? Reply::Status::cut : Reply::Status::finished;
        answers.push_back(new_answer("q", answers.size(), reply));
    }
    answers.push_back(new_answer("q", UINT64_MAX, full_reply("all")));
    answers.push_back(new_answer("another", 0, full_reply("all")));
    answers.back().reply.usage.usd.reset();
    std::vector<RecordedRequest> asked;
    for (const NewAnswer& answer : answers) asked.push_back(answer.asked);
    { AnswerCache(cache()).keep(answers); }
    AnswerCache again(cache());
    const auto found = again.look_up(asked);
    for (size_t i = 0; i < answers.size(); ++i) {
        ASSERT_TRUE(found[i].reply) << i;
        EXPECT_EQ(said(*found[i].reply), said(answers[i].reply)) << i;
    }
    EXPECT_EQ(again.counts().answers, 6);
    EXPECT_EQ(again.counts().requests, 2) << "samples share a request";
    EXPECT_FALSE(again.look_up({recorded_request(asked[0].request, 99)}).at(0).reply);
}

TEST_F(AnswerCacheTest, TheFirstAnswerStays) {
    AnswerCache one(cache()), other(cache());
    EXPECT_TRUE(one.keep({new_answer("q", 0, full_reply("first"))}).at(0).first);
    const RecordedReply second = other.keep({new_answer("q", 0, full_reply("second"))}).at(0);
    EXPECT_FALSE(second.first);
    EXPECT_EQ(second.reply.text, "first");
}

TEST_F(AnswerCacheTest, OnlyTheOwnerMayRead) {
    const auto mode = [](const fs::path& path) {
        struct stat info {};
        return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777U : 0U;
    };
    const mode_t before = ::umask(0);
    {
        AnswerCache answers(cache());
        answers.keep({new_answer("q", 0, full_reply("a"))});
        EXPECT_EQ(mode(cache()), 0700U);
        for (const char* suffix : {"", "-wal", "-shm"}) EXPECT_EQ(mode(file() + suffix), 0600U) << suffix;
    }
    fs::permissions(cache(), fs::perms::all);
    fs::permissions(file(), fs::perms(0644));
    AnswerCache(cache()).counts();
    EXPECT_EQ(mode(cache()), 0700U);
    EXPECT_EQ(mode(file()), 0600U);
    ::umask(before);
}

TEST_F(AnswerCacheTest, WhatWasAcknowledgedOutlivesAKill) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(pipe[0]);
        AnswerCache answers(cache());
        for (int64_t i = 0;; ++i) {
            answers.keep({new_answer("q" + std::to_string(i), 0, full_reply(std::to_string(i)))});
            if (::write(pipe[1], &i, sizeof(i)) != sizeof(i)) ::_exit(1);
        }
    }
    ::close(pipe[1]);
    int64_t last = 0;
    while (last < 200) ASSERT_EQ(::read(pipe[0], &last, sizeof(last)), static_cast<ssize_t>(sizeof(last)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (int64_t more = 0; ::read(pipe[0], &more, sizeof(more)) == static_cast<ssize_t>(sizeof(more));) last = more;
    ::close(pipe[0]);
    AnswerCache answers(cache());
    for (int64_t i = 0; i <= last; ++i) {
        const auto found = answers.look_up({new_answer("q" + std::to_string(i), 0, {}).asked});
        ASSERT_TRUE(found.at(0).reply) << i << " of " << last;
        EXPECT_EQ(found[0].reply->text, std::to_string(i));
    }
}

TEST_F(AnswerCacheTest, TwoProcessesShareACache) {
    constexpr int kAnswers = 300;
    const auto keep_all = [&](const std::string& text) {
        AnswerCache answers(cache());
        for (int i = 0; i < kAnswers; ++i) answers.keep({new_answer(std::to_string(i), 0, full_reply(text))});
    };
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            keep_all("child");
        } catch (const std::exception&) {
            ::_exit(1);
        }
        ::_exit(0);
    }
    keep_all("parent");
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(AnswerCache(cache()).counts().answers, kAnswers);
}

TEST_F(AnswerCacheTest, AnswersOfManyThreadsAreCommittedTogether) {
    constexpr int kThreads = 64, kAnswers = 2'000;
    AnswerCache answers(cache());
    std::atomic<int> next = 0;
    const std::clock_t began = std::clock();
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            for (int i = next++; i < kAnswers; i = next++)
                answers.keep(
                    {new_answer(std::string(2'000, 'p') + std::to_string(i), 0, full_reply(std::string(1'500, 'a')))});
        });
    for (std::thread& thread : threads) thread.join();
    RecordProperty("cpu_milliseconds", static_cast<int>((std::clock() - began) * 1000 / CLOCKS_PER_SEC));
    EXPECT_EQ(answers.counts().answers, kAnswers);
}

TEST_F(AnswerCacheTest, ALockThatStaysIsOneLine) {
    const AnswerCacheOptions at_once{std::chrono::milliseconds(20)};
    AnswerCache answers(cache(), at_once);
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &connection), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(connection, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
    const NewAnswer answer = new_answer("q", 0, full_reply("a"));
    EXPECT_EQ(message_of([&] { answers.keep({answer}); }),
              file() +
                  ": expected an unlocked database, got one that another process has locked for 0.02 s (stop that process, "
                  "or wait for it; nothing that was recorded is lost)");
    EXPECT_FALSE(answers.look_up({answer.asked}).at(0).reply) << "reading goes on";
    sqlite3_close(connection);
    EXPECT_TRUE(answers.keep({answer}).at(0).first) << "nothing of the failed transaction stays";
}

TEST_F(AnswerCacheTest, ADamagedFileIsOneLineAndLeftAsItIs) {
    { AnswerCache(cache()).keep({new_answer("q", 0, full_reply("a"))}); }
    std::fstream(file(), std::ios::in | std::ios::out | std::ios::binary) << std::string(100, 'x');
    const std::string bytes = read_file(file());
    EXPECT_EQ(
        failure_to_open(),
        file() + ": expected an intact database, got a damaged file (move it away, or restore a copy; it was not changed)");
    EXPECT_EQ(read_file(file()), bytes);
}

TEST_F(AnswerCacheTest, AnAnswerWhoseBytesWereChangedIsNotTaken) {
    const NewAnswer answer = new_answer("q", 0, full_reply("a text of some length"));
    { AnswerCache(cache()).keep({answer}); }
    std::string bytes = read_file(file());
    const size_t at = bytes.find("text of some");
    ASSERT_NE(at, std::string::npos);
    std::fstream stream(file(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(at)) << "Text";
    stream.close();
    AnswerCache answers(cache());
    const std::string line = file() + ": answer " + answer.asked.key + ": expected the bytes that were kept, got others";
    EXPECT_THAT(message_of([&] { answers.look_up({answer.asked}); }), HasSubstr(line));
    EXPECT_THAT(message_of([&] { answers.keep({answer}); }), HasSubstr(line));
}

TEST_F(AnswerCacheTest, AnotherRequestUnderTheSameKeyIsNotTaken) {
    NewAnswer answer = new_answer("q", 0, full_reply("a"));
    AnswerCache answers(cache());
    answers.keep({answer});
    const NewAnswer first = answer;
    answer.asked.request = "{\"q\":\"with the same hash\"}";
    const std::string line = "expected one to the request that is asked, got one to another request";
    EXPECT_FALSE(answers.look_up({answer.asked}).at(0).reply);
    const NewAnswer beside = new_answer("beside", 0, full_reply("b"));
    EXPECT_THAT(message_of([&] { answers.keep({answer, beside}); }), HasSubstr(line));
    EXPECT_TRUE(answers.look_up({beside.asked}).at(0).reply) << "which was no fault of the others";
    run_sql("UPDATE requests SET request = '{\"q\":\"changed\"}' WHERE request LIKE '%\"q\":\"q\"%'");
    EXPECT_THAT(message_of([&] { answers.look_up({first.asked}); }), HasSubstr(": expected "));
}

TEST(SameServer, PlacesThatBothNameDecide) {
    const std::string a = R"({"h":{"id":"a"}})", b = R"({"h":{"id":"b"}})", silent = R"({"h":null})";
    EXPECT_EQ(same_server(a, a), SameServer::yes);
    EXPECT_EQ(same_server("", a), SameServer::yes) << "a batch's answer";
    EXPECT_EQ(same_server(a, ""), SameServer::yes);
    EXPECT_EQ(same_server(silent, silent), SameServer::yes);
    EXPECT_EQ(same_server(a, b), SameServer::no);
    EXPECT_EQ(same_server(a, silent), SameServer::unconfirmed);
    EXPECT_EQ(same_server(silent, a), SameServer::unnamed);
    EXPECT_EQ(same_server(a, R"({"other":{"id":"b"}})"), SameServer::yes);
    EXPECT_EQ(same_server(R"({"g":{"id":"a"},"h":null})", R"({"g":null,"h":{"id":"b"}})"), SameServer::unnamed);
    EXPECT_EQ(same_server(R"({"g":null,"h":{"id":"a"}})", R"({"g":{"id":"c"},"h":{"id":"b"}})"), SameServer::no);
}

TEST_F(AnswerCacheTest, AnswersOfOneServerAreNotAnothers) {
    const std::string a = R"({"http://h:1/v1":{"id":"a"}})", b = R"({"http://h:1/v1":{"id":"b"}})";
    AnswerCache answers(cache());
    NewAnswer answer = new_answer("q", 0, full_reply("of a"));
    answer.server = a;
    EXPECT_TRUE(answers.keep({answer}).at(0).first);
    const auto found = [&](const std::string& server) {
        const auto reply = answers.look_up({answer.asked}, server).at(0).reply;
        return reply ? reply->text : "";
    };
    EXPECT_EQ(found(a), "of a");
    EXPECT_EQ(found(""), "of a") << "nobody says that it is another one";
    EXPECT_EQ(found(R"({"http://h:2/v1":{"id":"b"}})"), "of a") << "of this place nothing is known";
    EXPECT_EQ(found(b), "") << "it was started again with another model";
    answer.reply = full_reply("of b");
    answer.server = b;
    EXPECT_TRUE(answers.keep({answer}).at(0).first);
    EXPECT_EQ(found(a), "of a");
    EXPECT_EQ(found(b), "of b");
    EXPECT_EQ(found(""), "of b") << "the last one that was kept";
    answer.reply = full_reply("again");
    EXPECT_FALSE(answers.keep({answer}).at(0).first);
    std::vector<std::string> keys, servers;
    answers.for_each(
        [&](const StoredAnswer& stored) {
            keys.push_back(stored.key);
            servers.push_back(stored.server);
            return true;
        },
        nullptr);
    EXPECT_THAT(servers, testing::ElementsAre(a, b));
    EXPECT_NE(keys[0], keys[1]);
    run_sql(R"(UPDATE answers SET server = '{"http://h:1/v1":{"id":"c"}}')");
    EXPECT_THAT(message_of([&] { found(a); }), HasSubstr("the file is damaged")) << "the key holds the server";
}

// What schema 1 wrote: nothing is lost, local models' answers are found, hosted ones are not.
TEST_F(AnswerCacheTest, ACacheOfTheOldFormIsBroughtUpWithoutLoss) {
    NewAnswer local = new_answer("local", 0, full_reply("of a local model")),
              hosted = new_answer("hosted", 0, full_reply("of whom?"));
    hosted.model = "openai:own";
    { AnswerCache(cache()).keep({local, hosted}); }
    run_sql(test::kMakeSchema1);
    AnswerCache answers(cache());
    EXPECT_EQ(answers.look_up({local.asked}).at(0).reply->text, "of a local model");
    EXPECT_FALSE(answers.look_up({hosted.asked}).at(0).reply) << "its server may be any";
    EXPECT_EQ(answers.counts().answers, 2);
    EXPECT_EQ(answers.counts().of_old_form, 1);
    std::vector<std::string> texts;
    answers.for_each(
        [&](const StoredAnswer& stored) {
            texts.push_back(stored.reply.text + (stored.is_of_old_form ? " (old)" : ""));
            return true;
        },
        nullptr);
    EXPECT_THAT(texts, testing::ElementsAre("of a local model", "of whom? (old)"));
    EXPECT_EQ(AnswerCache(cache()).counts().of_old_form, 1) << "and once is enough";
}

TEST_F(AnswerCacheTest, OtherSchemasAndOtherProgramsFilesAreRefused) {
    { AnswerCache{cache()}; }
    run_sql("PRAGMA user_version=3");
    EXPECT_EQ(failure_to_open(),
              file() + ": expected schema 2, got 3 (a newer craft-train wrote it: use that one, or another folder)");
    fs::remove(file());
    run_sql("CREATE TABLE answers(x)");
    EXPECT_EQ(failure_to_open(), file() + ": expected a cache of answers, got another program's database");
}

TEST_F(AnswerCacheTest, FoldersThatCannotBeCachesAreRefused) {
    folder_.file("cache", "a file");
    EXPECT_EQ(failure_to_open(), cache().string() + ": expected a folder, got a file");
    fs::remove(cache());
    folder_.file("cache/texts.jsonl", "");
    EXPECT_EQ(failure_to_open(),
              cache().string() + ": expected a cache of answers or an empty folder, got a folder with other things");
    EXPECT_THAT(message_of([] { AnswerCache("/proc/answers"); }), HasSubstr("/proc/answers: cannot create the folder: "));
    EXPECT_THAT(message_of([] { AnswerCache(""); }), EndsWith("expected a folder, got an empty path"));
}

TEST_F(AnswerCacheTest, ABatchsFailuresCountOnceHoweverOftenTheyAreRead) {
    AnswerCache answers(cache());
    const NewAnswer answer = new_answer("q", 0, full_reply("a"));
    for (int reading = 0; reading < 3; ++reading) answers.note_unusable({{answer.asked.key, "server_error", 2}});
    EXPECT_EQ(answers.look_up({answer.asked}).at(0).unusable, 2);
    answers.keep({answer});
    answers.for_each(
        [](const StoredAnswer& stored) {
            EXPECT_EQ(stored.times_asked, 3);
            return true;
        },
        nullptr);
}

}  // namespace
}  // namespace craft

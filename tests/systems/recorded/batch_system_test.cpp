// A run that asks by files: pauses, answers of every kind, what is written into the next file.
#include "systems/recorded/batch_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/rows.h"
#include "systems/recorded/recorded_system.h"
#include "tests/core/temporary_folder.h"
#include "tests/systems/recorded/scripted_system.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::ask;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A body says by "next" what becomes of its item.
FileReply read_line(const BatchAnswer& answer, const RecordedRequest& /*asked*/) {
    FileReply read;
    if (answer.body.contains("text")) {
        read.reply.text = answer.body["text"];
        if (answer.body.value("cut", false)) read.reply.status = Reply::Status::cut;
        return read;
    }
    const bool is_answer = answer.status == 200;
    read.reply = Reply::failed(is_answer ? Failure::no_choices : Failure::server_error, "why it is so");
    read.next = static_cast<FileReply::Next>(answer.body.value("next", static_cast<int>(FileReply::Next::again)));
    read.ending = "nothing like that is taken";
    return read;
}

class BatchSystemTest : public ::testing::Test {
protected:
    // One start of a run that asks for `texts`: the replies' texts, "-" for those that are awaited.
    std::vector<std::string> start(const std::vector<std::string>& texts) {
        const auto inner = std::make_shared<test::ScriptedSystem>([](const Request&) -> Reply { throw Error("was asked"); });
        BatchSystemOptions options;
        options.folder = batch();
        options.files = files_;
        options.read = read_line;
        options.max_retries = 2;
        options.body = [](const Request& request, const SamplingOptions& /*sampling*/, bool learnt) {
            Json body = {{"model", "m"}, {"question", test::question_of(request)}};
            if (learnt) body["learnt"] = true;
            return body;
        };
        options.on_recorded = [&](const AwaitedRequest& request, const Reply& reply) {
            paid_ += request.role + "/" + request.stage + "/" + reply.text + " ";
        };
        const auto cache = std::make_shared<AnswerCache>(folder_.path() / "cache");
        const auto by_batch = std::make_shared<BatchSystem>(inner, *cache, options);
        counts_ = by_batch->counts();
        RecordedSystem recorded(by_batch, cache);
        std::vector<Request> requests;
        for (const std::string& text : texts) requests.push_back(ask(text));
        std::vector<std::string> said;
        for (const Reply& reply : recorded.answer(requests, {})) {
            const bool is_awaited = reply.failure == Failure::awaited;
            said.push_back(is_awaited                              ? "-"
                           : reply.status == Reply::Status::failed ? failure_name(reply.failure)
                                                                   : reply.text);
        }
        written_ = by_batch->finish();
        return said;
    }
    fs::path batch() const { return folder_.path() / "batch"; }
    // question -> custom_id of the requests file.
    static std::map<std::string, std::string> ids(const fs::path& file) {
        std::map<std::string, std::string> found;
        for_each_row(file.string(), {}, [&](const Json& row, const std::string&) {
            EXPECT_EQ(row["method"], "POST");
            EXPECT_EQ(row["url"], "/v1/chat/completions");
            found[row["body"]["question"]] = row["custom_id"];
        });
        return found;
    }
    static std::vector<std::string> questions(const fs::path& file) {
        std::vector<std::string> all;
        for (const auto& [question, id] : ids(file)) all.push_back(question);
        return all;
    }
    static std::string answered(const std::string& id, const std::string& text) {
        return Json(
                   {{"custom_id", id}, {"response", {{"status_code", 200}, {"body", {{"text", text}}}}}, {"error", nullptr}})
                   .dump() +
               "\n";
    }
    static std::string failed(const std::string& id, const std::string& code) {
        return Json({{"custom_id", id}, {"response", nullptr}, {"error", {{"code", code}}}}).dump() + "\n";
    }
    static std::string unusable(const std::string& id, FileReply::Next next) {
        return Json({{"custom_id", id}, {"response", {{"status_code", 200}, {"body", {{"next", static_cast<int>(next)}}}}}})
                   .dump() +
               "\n";
    }
    void answers(const std::string& name, const std::string& lines) const { folder_.file("batch/" + name, lines); }

    const TemporaryFolder folder_;
    BatchFileOptions files_;
    BatchCounts counts_;
    std::vector<fs::path> written_;
    std::string paid_;
};

TEST_F(BatchSystemTest, ARunPausesAndGoesOn) {
    EXPECT_THAT(start({"a", "b", "a"}), ElementsAre("-", "-", "-"));
    ASSERT_THAT(written_, ElementsAre(batch() / "requests-001.jsonl"));
    auto id = ids(written_[0]);
    EXPECT_THAT(id, SizeIs(2)) << "equal requests stand there once";
    EXPECT_THAT(id["a"], testing::MatchesRegex("[0-9a-f]{32}-001"));
    EXPECT_THAT(start({"a", "b", "c"}), ElementsAre("-", "-", "-"));
    ASSERT_THAT(written_, SizeIs(1));
    EXPECT_THAT(questions(written_[0]), ElementsAre("c")) << "the others are awaited";
    EXPECT_EQ(counts_.open, 2);
    answers("output.jsonl", answered(id["b"], "B") + answered(id["a"], "A"));
    EXPECT_THAT(start({"a", "b", "c"}), ElementsAre("A", "B", "-"));
    EXPECT_THAT(written_, IsEmpty());
    EXPECT_EQ(counts_.kept, 2);
    EXPECT_EQ(counts_.open, 1);
    EXPECT_EQ(paid_, "planner/rollout/B planner/rollout/A ");
    start({"a"});
    EXPECT_EQ(counts_.known, 2);
    EXPECT_EQ(counts_.kept, 0);
    EXPECT_EQ(paid_, "planner/rollout/B planner/rollout/A ") << "paid for once";
}

TEST_F(BatchSystemTest, FailedExpiredAndMissingRequestsAloneAreWrittenAnew) {
    start({"answered", "failed", "expired", "missing", "empty"});
    auto id = ids(written_.at(0));
    answers("output.jsonl", answered(id["answered"], "A") + R"({"custom_id":")" + id["empty"] +
                                R"(","response":{"status_code":200,"body":{}}})"
                                "\n");
    answers("error.jsonl", failed(id["expired"], "batch_expired") + failed(id["failed"], "server"));
    EXPECT_THAT(start({"answered", "failed", "expired", "missing", "empty"}), ElementsAre("A", "-", "-", "-", "-"));
    EXPECT_EQ(counts_.to_json().dump(),
              R"({"requests":5,"kept":1,"known":0,"twice":0,"unknown":0,"missing":1,"ended":0,"open":0,)"
              R"("unusable":{"expired":1,"no_choices":1,"server_error":1}})");
    EXPECT_THAT(questions(written_.at(0)), ElementsAre("empty", "expired", "failed", "missing"));
    id = ids(written_[0]);
    EXPECT_THAT(id["failed"], testing::EndsWith("-002"));
    start({"answered", "failed", "expired", "missing", "empty"});
    EXPECT_THAT(written_, IsEmpty()) << "old failures do not make the second file answered";
    EXPECT_EQ(counts_.open, 4);
    answers("output-2.jsonl", answered(id["failed"], "F") + answered(id["expired"], "E") + answered(id["missing"], "M") +
                                  failed(id["empty"], "batch_cancelled"));
    EXPECT_THAT(start({"answered", "failed", "expired", "missing", "empty"}), ElementsAre("A", "F", "E", "M", "-"));
    EXPECT_EQ(counts_.missing, 0);
    EXPECT_THAT(questions(written_.at(0)), ElementsAre("empty"));
    AnswerCache(folder_.path() / "cache")
        .for_each(
            [](const StoredAnswer& stored) {
                EXPECT_EQ(stored.times_asked, stored.reply.text == "F" ? 2 : 1) << stored.reply.text;
                return true;
            },
            nullptr);
}

TEST_F(BatchSystemTest, UnknownAndSecondAnswersAreCounted) {
    start({"a", "b"});
    auto id = ids(written_.at(0));
    const std::string key = id["a"].substr(0, 32);
    answers("output.jsonl", answered(id["a"], "first") + answered("nobody", "x") + answered(id["a"], "second") +
                                answered(key, "without a part") + answered(key + "-002", "of another part"));
    testing::internal::CaptureStderr();
    EXPECT_THAT(start({"a", "b"}), ElementsAre("first", "-"));
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(counts_.unknown, 3);
    EXPECT_EQ(counts_.twice, 1);
    EXPECT_EQ(counts_.missing, 1);
    EXPECT_THAT(log, HasSubstr("answers to requests that no batch file here has lines=3 first=" + batch().string() +
                               "/output.jsonl:2"));
    EXPECT_THAT(log, HasSubstr("second answers to requests; the first ones count lines=1"));
    EXPECT_THAT(log, HasSubstr("requests that a batch left unanswered: are its output and its error file both here? "
                               "requests=1"));
}

// The rules of live answers: what no further request changes ends its item, and is not written again.
TEST_F(BatchSystemTest, AFinalFailureEndsItsItem) {
    start({"a", "b"});
    auto id = ids(written_.at(0));
    answers("output.jsonl", unusable(id["a"], FileReply::Next::end) + answered(id["b"], "B"));
    for (int time = 0; time < 2; ++time) {
        testing::internal::CaptureStderr();
        EXPECT_THAT(start({"a", "b"}), ElementsAre("no_choices", "B"));
        EXPECT_THAT(testing::internal::GetCapturedStderr(),
                    HasSubstr("scripted: no answer to requests class=no_choices lines=1 error=why it is so"));
        EXPECT_THAT(written_, IsEmpty());
        EXPECT_EQ(counts_.ended, 1);
    }
    const CacheCounts counts = AnswerCache(folder_.path() / "cache").counts();
    EXPECT_EQ(counts.answers, 1);
    EXPECT_EQ(counts.unusable, 1) << "asked once, however often the file is read";
}

TEST_F(BatchSystemTest, AnItemHasTheProfilesRetriesAndNoMore) {
    for (int part = 1; part <= 3; ++part) {  // one request and two retries
        EXPECT_THAT(start({"a"}), ElementsAre("-")) << part;
        ASSERT_THAT(written_, SizeIs(1)) << part;
        answers("output-" + std::to_string(part) + ".jsonl", unusable(ids(written_[0])["a"], FileReply::Next::again));
    }
    EXPECT_THAT(start({"a"}), ElementsAre("no_choices"));
    EXPECT_THAT(written_, IsEmpty());
}

// Whatever keeps a batch from asking: the same requests are not written for ever, and each time it is said how often they
// were.
TEST_F(BatchSystemTest, WhatIsNeverAskedHasTheSameRetries) {
    const auto line_of = [](const std::string& kind, const std::string& id) {
        return kind == "missing" ? answered("nobody", "x") : failed(id, "batch_" + kind);
    };
    for (const std::string kind : {"expired", "cancelled", "missing"}) {
        for (int part = 1; part <= 3; ++part) {
            EXPECT_THAT(start({kind, "b"}), ElementsAre("-", "-")) << kind << part;
            ASSERT_THAT(written_, SizeIs(1)) << kind << part;
            auto id = ids(written_[0]);
            answers(kind + "-" + std::to_string(part) + ".jsonl",
                    line_of(kind, id[kind]) + failed(id["b"], "batch_expired"));
        }
        testing::internal::CaptureStderr();
        EXPECT_THAT(start({kind, "b"}), testing::Each(testing::AnyOf("dropped", "server_error"))) << kind;
        const std::string log = testing::internal::GetCapturedStderr();
        EXPECT_THAT(written_, IsEmpty()) << kind;
        EXPECT_EQ(counts_.ended, 2) << kind;
        EXPECT_THAT(log, HasSubstr("no answer to requests; smaller files, or a longer window, leave time for all "
                                   "class=expired lines="));
        EXPECT_THAT(log, testing::Not(HasSubstr("will be repeated")));
        EXPECT_THAT(
            log,
            HasSubstr(
                "scripted: requests are out of retries: a larger retries.max_retries repeats them requests=2 at_most=3"));
        EXPECT_EQ(AnswerCache(folder_.path() / "cache").counts().unusable, 0) << "nothing was drawn";
        fs::remove_all(batch());
    }
}

TEST_F(BatchSystemTest, HowOftenTheSameIsAskedIsSaid) {
    start({"a", "b"});
    for (int part = 1; part <= 2; ++part) {
        auto id = ids(batch() / ("requests-00" + std::to_string(part) + ".jsonl"));
        answers("out-" + std::to_string(part) + ".jsonl",
                failed(id["a"], "batch_expired") + failed(id["b"], "batch_expired"));
        testing::internal::CaptureStderr();
        start({"a", "b"});
        EXPECT_THAT(testing::internal::GetCapturedStderr(),
                    HasSubstr("scripted: failed requests of these files will be repeated requests=2 asked=" +
                              std::to_string(part) + " at_most=3"));
    }
}

TEST_F(BatchSystemTest, TheOtherNameOfTheLimitIsLearntAndTriedOnce) {
    start({"a", "b"});
    auto id = ids(written_.at(0));
    answers("output.jsonl", unusable(id["a"], FileReply::Next::learn) + unusable(id["b"], FileReply::Next::learn));
    EXPECT_THAT(start({"a", "b", "c"}), ElementsAre("-", "-", "-"));
    for_each_row(written_.at(0).string(), {},
                 [](const Json& row, const std::string&) { EXPECT_TRUE(row["body"]["learnt"]); });
    id = ids(written_[0]);
    answers("output-2.jsonl", answered(id["a"], "A") + answered(id["c"], "C") + unusable(id["b"], FileReply::Next::learn));
    EXPECT_THAT(start({"a", "c"}), ElementsAre("A", "C"));
    EXPECT_EQ(message_of([&] { start({"b"}); }), "nothing like that is taken") << "refused under both names";
}

TEST_F(BatchSystemTest, ARefusedParameterEndsTheRunAndIsNotWrittenAgain) {
    start({"a"});
    answers("output.jsonl", unusable(ids(written_.at(0))["a"], FileReply::Next::end_run));
    for (int time = 0; time < 2; ++time) EXPECT_EQ(message_of([&] { start({"a"}); }), "nothing like that is taken");
    EXPECT_FALSE(fs::exists(batch() / "requests-002.jsonl"));
    EXPECT_THAT(start({"another"}), ElementsAre("-")) << "what another profile asks is another request";
}

TEST_F(BatchSystemTest, ARefusedKeyEndsTheRunBehindTheFileThatAsksAgain) {
    start({"a", "b"});
    auto id = ids(written_.at(0));
    answers("output.jsonl", answered(id["a"], "A") + unusable(id["b"], FileReply::Next::end_run_again));
    EXPECT_EQ(message_of([&] {
                  start({"a", "b"});
              }),
              "nothing like that is taken; once that is fixed, " + (batch() / "requests-002.jsonl").string() +
                  " repeats what has no answer");
    EXPECT_THAT(questions(batch() / "requests-002.jsonl"), ElementsAre("b"));
    EXPECT_THAT(start({"a", "b"}), ElementsAre("A", "-")) << "and waits for its answers";
}

TEST_F(BatchSystemTest, ACutAnswerWithoutATextEndsItsItemAndIsNotKept) {
    start({"a"});
    const std::string id = ids(written_.at(0))["a"];
    answers("output.jsonl",
            Json({{"custom_id", id}, {"response", {{"status_code", 200}, {"body", {{"text", ""}, {"cut", true}}}}}}).dump() +
                "\n");
    EXPECT_THAT(start({"a"}), ElementsAre(""));
    EXPECT_THAT(written_, IsEmpty());
    EXPECT_EQ(AnswerCache(folder_.path() / "cache").counts().answers, 0);
}

TEST_F(BatchSystemTest, AFileCutShortEndsTheRunAndLosesNothing) {
    start({"a", "b"});
    auto id = ids(written_.at(0));
    const std::string line = answered(id["b"], "B");
    answers("output.jsonl", answered(id["a"], "A") + line.substr(0, 60));
    EXPECT_THAT(message_of([&] { start({"a", "b"}); }), HasSubstr("output.jsonl:2: not JSON: "));
    EXPECT_EQ(AnswerCache(folder_.path() / "cache").counts().answers, 1);
    answers("output.jsonl", answered(id["a"], "A") + line);
    EXPECT_THAT(start({"a", "b"}), ElementsAre("A", "B"));
}

TEST_F(BatchSystemTest, FilesAreCutAtTheirLimits) {
    files_.max_requests = 2;
    start({"a", "b", "c", "d", "e"});
    ASSERT_THAT(written_, SizeIs(3));
    EXPECT_THAT(questions(written_[1]), ElementsAre("c", "d"));
    EXPECT_THAT(ids(written_[1])["c"], testing::EndsWith("-002"));
    const auto line = static_cast<int64_t>(fs::file_size(written_[2]));
    files_.max_bytes = 2 * line - 1;
    start({"f", "g"});
    EXPECT_THAT(written_, SizeIs(2));
    files_.max_bytes = line - 1;
    EXPECT_THAT(message_of([&] { start({"h"}); }),
                HasSubstr("expected at most " + std::to_string(line - 1) + " bytes, got "));
}

TEST_F(BatchSystemTest, ARemovedRequestsFileIsWaitedForNoLonger) {
    start({"a"});
    fs::remove(written_.at(0));
    start({"a"});
    EXPECT_THAT(written_, ElementsAre(batch() / "requests-002.jsonl"));
    fs::remove(batch() / "awaited-002.jsonl");
    EXPECT_THAT(message_of([&] { start({"a"}); }),
                HasSubstr("requests-002.jsonl: expected awaited-002.jsonl beside it, got none"));
}

TEST_F(BatchSystemTest, TheFolderIsOneRunsAlone) {
    AnswerCache cache(folder_.path() / "cache");
    const auto inner = std::make_shared<test::ScriptedSystem>(nullptr);
    BatchSystemOptions options;
    options.folder = batch();
    const BatchSystem first(inner, cache, options);
    struct stat info {};
    ASSERT_EQ(::stat(batch().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0700U);
    EXPECT_EQ(message_of([&] { BatchSystem(inner, cache, options); }),
              batch().string() + ": expected a batch folder of this run alone, got one that another run has open");
}

}  // namespace
}  // namespace craft

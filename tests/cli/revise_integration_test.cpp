// `revise` as a process of its own beside a hosted model that fails: killed and started again, it ends with the rows of a
// run that was never killed, pays for nothing twice, and keeps as little in memory for many texts as for few.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/rank_processes.h"
#include "tests/cli/revising_server.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using chat_server::ChatServer;
using chat_server::Fault;
using test::Arguments;

const std::string kKey = "sk-integration-4711";

class ReviseProcess : public test::ReviseCase {
protected:
    Arguments direct(const std::string& input, const std::string& output, const std::string& answers) const {
        return {"revise", "--config",  at("hosted.json"), "--answers", at(answers), "--scorers", "none", "--method",
                "direct", "--reviser", "openai:own",      "--input",   input,       "--output",  output, "--threads",
                "1"};
    }
    // Runs the program until it ends by itself, or until `killed` says that it is time; returns whether it was killed.
    bool run(const Arguments& arguments, const std::function<bool()>& killed) const {
        const pid_t child = test::start_process(arguments, {{"CRAFT_REVISE_KEY", kKey}}, at("log"));
        int status = 0;
        for (;;) {
            if (::waitpid(child, &status, WNOHANG) == child) {
                EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << read_file(at("log"));
                return false;
            }
            if (killed()) break;
            ::usleep(2000);
        }
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        return true;
    }
    void expect_no_key() const {
        for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
            if (entry.is_regular_file()) {
                EXPECT_EQ(read_file(entry.path()).find(kKey), std::string::npos) << entry.path();
            }
    }
};

// More than a third of the answers fails at first, in nine ways. Those that cost something are not among them: what an
// answer without a text cost before a kill stands in no row.
chat_server::ChatServerOptions faulty_server() {
    chat_server::ChatServerOptions options = test::revising_server();
    options.latency_ms = 20;
    options.api_key = kKey;
    for (const Fault fault : {Fault::http_429, Fault::http_500, Fault::http_503, Fault::dropped, Fault::truncated,
                              Fault::cut_json, Fault::html, Fault::html_502, Fault::error_in_200})
        options.faults.push_back({fault, .04});
    return options;
}

TEST_F(ReviseProcess, KilledFiveTimesBesideAServerThatFails) {
    constexpr int64_t kTexts = 300, kAtOnce = 4, kKills = 5;
    const std::string input = texts(kTexts);
    const Json profile = {{"key_env", "CRAFT_REVISE_KEY"}, {"concurrency", kAtOnce}};
    {
        ChatServer whole(faulty_server());
        config(whole.base_url(), profile);
        ASSERT_FALSE(run(direct(input, at("whole.jsonl"), "whole-answers"), [] { return false; }));
        EXPECT_EQ(whole.counts().good, kTexts);
        EXPECT_GE(whole.counts().requests, kTexts + 50) << "faults came";
    }
    ChatServer server(faulty_server());
    config(server.base_url(), profile);
    Arguments command = direct(input, at("o.jsonl"), "answers");
    // A text asks for one answer and continues when that is kept: so many answers may be lost at a kill.
    command.insert(command.end(), {"--set", "flow.items=" + std::to_string(kAtOnce)});
    for (int64_t kill = 1; kill <= kKills; ++kill) {
        ASSERT_TRUE(run(command, [&] { return server.counts().good >= kill * 40; })) << "ended before it was killed";
        EXPECT_FALSE(fs::exists(at("o.jsonl")));
    }
    ASSERT_FALSE(run(command, [] { return false; }));
    const Json made = timeless("o.jsonl"), whole = timeless("whole.jsonl");
    ASSERT_EQ(made.size(), static_cast<size_t>(kTexts));
    ASSERT_EQ(whole.size(), made.size());
    for (size_t i = 0; i < made.size(); ++i) ASSERT_EQ(made[i], whole[i]);
    const auto counts = server.counts();
    EXPECT_EQ(counts.answered.size(), static_cast<size_t>(kTexts));
    EXPECT_LE(counts.good - kTexts, kKills * kAtOnce) << "answers that were on their way when it was killed";
    expect_no_key();
}

// Texts are read, asked for and written as they come: more of them take the same memory. 1,800 texts of 8 KB would be 14 MB
// if only one copy of them were kept; up to 1,024 texts are under way at a time in both runs.
TEST_F(ReviseProcess, MemoryDoesNotGrowWithTheNumberOfTexts) {
    chat_server::ChatServerOptions options;
    std::string revision;
    while (revision.size() < 8192) revision += "Road and road is long. It was late. ";
    options.answer = [revision](const Json&, int64_t) { return revision; };
    ChatServer server(options);
    config(server.base_url(), {{"concurrency", 64}});
    std::map<int, int64_t> peak;
    for (const int count : {1200, 6000}) {
        const std::string output = at("o-" + std::to_string(count) + ".jsonl");
        ASSERT_FALSE(run(direct(texts(count, 8192), output, "answers"), [] { return false; }));
        peak[count] = read_json_file(output + ".manifest.json")["peak_memory_bytes"];
    }
    EXPECT_EQ(server.counts().good, 6000) << "the first 1,200 were recorded";
    // Rows that were kept would take some 90 MB more; what the allocator holds back differs by some 10 MB between runs.
    EXPECT_LT(peak[6000] - peak[1200], int64_t{24} << 20) << peak[1200] << " and " << peak[6000] << " bytes";
}

}  // namespace
}  // namespace craft

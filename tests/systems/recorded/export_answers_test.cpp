#include "systems/recorded/export_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/core/temporary_folder.h"
#include "tests/systems/recorded/scripted_system.h"

namespace craft {
namespace {

TEST(ExportAnswers, OneRowAnAnswerInTheOrderInWhichTheyWereKept) {
    const TemporaryFolder folder;
    AnswerCache cache(folder.path() / "cache");
    Reply cut;
    cut.text = std::string("a\0\xff", 3);
    cut.status = Reply::Status::cut;
    NewAnswer first = test::new_answer("z", 0, test::full_reply("first"));
    first.server = R"({"http://h:1/v1":{"id":"m"}})";
    cache.keep({first, test::new_answer("a", 3, cut)});
    OutputFile out((folder.path() / "a.jsonl").string());
    EXPECT_EQ(export_lines(cache, out).answers, 2);
    out.close();
    const std::string lines = read_file(folder.path() / "a.jsonl");
    const Json row = parse_json(lines.substr(0, lines.find('\n')), "export");
    EXPECT_EQ(row["request"], Json({{"q", "z"}}));
    EXPECT_EQ(row["usage"], Json({{"prompt_tokens", 12},
                                  {"new_tokens", 3},
                                  {"cached_tokens", 4},
                                  {"seconds", .1},
                                  {"retries", 2},
                                  {"usd", 1e-5 / 3}}));
    EXPECT_EQ(row["mean_logprob"], -1. / 3);
    EXPECT_EQ(row["times_asked"], 1);
    EXPECT_EQ(row["server"].dump(), R"({"http://h:1/v1":{"id":"m"}})");
    EXPECT_EQ(row["key"].get<std::string>().size(), 32u);
    EXPECT_THAT(lines, testing::HasSubstr(R"("sample":3,"request":{"q":"a"},"text":"a\u0000\udcff","reasoning":"",)"
                                          R"("status":"cut","mean_logprob":null,)"));
}

TEST(ExportAnswers, DamagedOnesAreLeftOutAndCounted) {
    const TemporaryFolder folder;
    {
        AnswerCache cache(folder.path() / "cache");
        cache.keep({test::new_answer("a", 0, test::full_reply("the damaged one")),
                    test::new_answer("b", 0, test::full_reply("a whole one"))});
    }
    AnswerCache cache(folder.path() / "cache");
    const size_t at = read_file(cache.file()).find("the damaged");
    std::fstream(cache.file(), std::ios::in | std::ios::out | std::ios::binary).seekp(static_cast<std::streamoff>(at))
        << "The";
    OutputFile out((folder.path() / "a.jsonl").string());
    const ExportCounts counts = export_lines(cache, out);
    EXPECT_EQ(counts.answers, 1);
    EXPECT_EQ(counts.damaged, 1);
}

}  // namespace
}  // namespace craft

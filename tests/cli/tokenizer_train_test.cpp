// `tokenizer train` from a file of texts to a folder that opens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "model/tokenizer/tokenizer.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

using test::failure_of;
using test::run_command;
using testing::HasSubstr;

const std::string kSelectTexts = test_source() + "/share/texts/select.jsonl";

TEST(TokenizerTrain, MakesATokenizer) {
    for (const std::string model : {"bpe", "unigram"}) {
        const TemporaryFolder folder;
        const std::string out = (folder.path() / "out").string();
        const std::vector<std::string> command = {"tokenizer",    "train", "--texts",   kSelectTexts,
                                                  "--vocab-size", "600",   "--model",   model,
                                                  "--out",        out,     "--symbols", R"(["word_count_check","a, b"])"};
        const auto made = run_command(command);
        ASSERT_EQ(made.code, 0) << made.err;
        EXPECT_THAT(made.err, HasSubstr("texts=68 tokens=600"));
        const auto tokenizer = open_tokenizer(out);
        EXPECT_EQ(tokenizer->vocabulary_size(), 600);
        for (const std::string symbol : {"word_count_check", "a, b"})
            EXPECT_EQ(tokenizer->encode(symbol, false).size(), 1u) << symbol;
        EXPECT_GT(tokenizer->encode("word_count", false).size(), 1u);
        const Json manifest = read_json_file(out + "/manifest.json");
        EXPECT_EQ(manifest["command"], "tokenizer train");
        EXPECT_EQ(manifest["finished"], true);
        EXPECT_EQ(manifest["notes"]["texts"], 68);
        const std::string before = read_file(out + "/tokenizer.model");
        EXPECT_THAT(run_command(command).err, HasSubstr("already finished"));
        std::vector<std::string> other = command;
        other[5] = "601";
        EXPECT_THAT(failure_of(other),
                    HasSubstr("1: " + out + ": expected the run that is there: --vocab-size 600, got 601"));
        EXPECT_EQ(read_file(out + "/tokenizer.model"), before);
    }
}

TEST(TokenizerTrain, TextsNeedNoIds) {
    const TemporaryFolder folder;
    std::string rows = "{\"text\":5}\nnothing\n";
    for (int i = 0; i < 80; ++i) rows += "{\"text\":\"The river runs by house " + std::to_string(i) + ".\"}\n";
    const std::string texts = folder.file("texts.jsonl", rows), out = (folder.path() / "out").string();
    const std::vector<std::string> command = {"tokenizer", "train", "--texts", texts, "--vocab-size", "300", "--out", out};
    EXPECT_EQ(failure_of(command), "1: " + texts + ":1: field 'text': expected a string, got number");
    std::vector<std::string> skipping = command;
    skipping.emplace_back("--skip-bad-lines");
    skipping[7] = out + "2";
    EXPECT_EQ(run_command(skipping).code, 0);
    EXPECT_EQ(read_json_file(out + "2/manifest.json")["dropped"]["bad line"], 2);
    EXPECT_EQ(open_tokenizer(out + "2")->vocabulary_size(), 300);
}

}  // namespace
}  // namespace craft

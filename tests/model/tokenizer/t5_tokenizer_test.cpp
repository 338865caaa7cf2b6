// T5's sentinels, by a tokenizer.json and by a spiece.model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "model/tokenizer/tokenizer.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

std::string warnings_of(const std::filesystem::path& folder) {
    testing::internal::CaptureStderr();
    open_tokenizer(folder);
    return testing::internal::GetCapturedStderr();
}

TEST(T5Tokenizer, AFolderWithoutSentinelsIsWarnedOf) {
    const TemporaryFolder folder;
    const auto described = [](const std::string& added) {
        return R"({"added_tokens":[{"id":1,"content":"</s>","special":true,"normalized":false})" + added +
               R"(],"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0.0],["</s>",0.0],["a",-1.0]]}})";
    };
    folder.file("tokenizer.json", described(""));
    EXPECT_EQ(warnings_of(folder.path()), "") << "another class";
    folder.file("config.json", R"({"model_type":"t5"})");
    EXPECT_THAT(warnings_of(folder.path()), testing::HasSubstr("tokenizer.json: no sentinels (<extra_id_0> ...)"));
    folder.file("tokenizer.json", described(R"(,{"id":3,"content":"<extra_id_0>","special":true,"normalized":false})"));
    EXPECT_EQ(warnings_of(folder.path()), "");
}

TEST(T5Tokenizer, PiecesThenSentinelsTheFirstOneLast) {
    const test::TokenizerFolder trained("t5-pieces", {.vocabulary_size = 320, .model = TokenizerModel::unigram});
    const TemporaryFolder folder;
    std::filesystem::copy(trained.path / "tokenizer.model", folder.path() / "spiece.model");
    folder.file("config.json", R"({"model_type":"t5"})");
    const int64_t pieces = open_sentencepiece(folder.path() / "spiece.model")->vocabulary_size();
    const auto whole = open_tokenizer(folder.path());
    EXPECT_EQ(whole->id_of("<extra_id_0>"), pieces + 99) << "a hundred of them";
    EXPECT_EQ(whole->id_of("<extra_id_99>"), pieces);
    EXPECT_EQ(whole->trailing_tokens(), std::vector<int64_t>{whole->end_token()});
    const std::vector<int64_t> ids = whole->encode("The <extra_id_1> river", true);
    EXPECT_THAT(ids, testing::Contains(pieces + 98));
    EXPECT_THAT(whole->encode("The <extra_id_1> river", false), testing::Not(testing::Contains(pieces + 98)));
    EXPECT_EQ(whole->decode(ids, false).find("extra_id"), std::string::npos);
    folder.file("tokenizer_config.json", R"({"tokenizer_class":"T5Tokenizer","extra_ids":2})");
    EXPECT_EQ(open_tokenizer(folder.path())->id_of("<extra_id_0>"), pieces + 1);
    EXPECT_EQ(open_tokenizer(folder.path())->id_of("<extra_id_2>"), -1);
}

}  // namespace
}  // namespace craft

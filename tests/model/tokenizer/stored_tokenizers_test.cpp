// The stored tokenizers, against what tokenizers, transformers and sentencepiece made of them (the scripts
// of tests/parity with --stored).
#include "tests/model/tokenizer/tokenizer_expectations.h"
#include "tests/source.h"

namespace craft {
namespace {

const std::filesystem::path kStored = std::filesystem::path(test_source()) / "tests/model/tokenizer/stored";

TEST(StoredTokenizers, EveryKindAsItsLibrary) {
    EXPECT_EQ(test::expect_folders_as_library(kStored / "tokenizers"), 9 * 46);
}

TEST(StoredTokenizers, FoldersAsPublished) {
    EXPECT_EQ(test::expect_folders_as_library(kStored / "folders"), 23 + 68 + 68 + 49 + 23);
}

}  // namespace
}  // namespace craft

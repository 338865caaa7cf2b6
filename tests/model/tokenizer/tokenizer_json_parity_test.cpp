// Tokenizers of every kind against the libraries that made them (tokenizers, transformers, sentencepiece): ids and decoded
// texts are equal, for the seed of CRAFT_PARITY_SEED (1 if it is not set).
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/model/tokenizer/tokenizer_expectations.h"
#include "tests/parity/run_python.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

void compare_folders_of(const std::string& script, int64_t at_least) {
    const fs::path folder = fs::temp_directory_path() / ("craft-tokenizers-" + std::to_string(::getpid()));
    fs::remove_all(folder);
    ASSERT_TRUE(test::run_parity_script(script, folder));
    EXPECT_GT(test::expect_folders_as_library(folder), at_least);
    fs::remove_all(folder);
}

TEST(TokenizerJsonParity, EveryKindEqualsTheLibrary) {
    CRAFT_NEEDS_PARITY_PYTHON();
    compare_folders_of("make_tokenizers.py", 5000);
}

TEST(TokenizerJsonParity, PublishedFoldersOfEveryKind) {
    CRAFT_NEEDS_PARITY_PYTHON();
    compare_folders_of("make_tokenizer_folders.py", 8000);
}

}  // namespace
}  // namespace craft

// Tokenizers of every kind against the `tokenizers` library: ids and decoded texts are equal, for the seed of
// CRAFT_PARITY_SEED (1 if it is not set).
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/json.h"
#include "tests/parity/run_python.h"
#include "tokenizer/stream_decoder.h"
#include "tokenizer/tokenizer.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

std::string streamed(const Tokenizer& tokenizer, const std::vector<int64_t>& ids, bool keep_special) {
    StreamDecoder stream(tokenizer, keep_special);
    std::string text;
    for (const int64_t id : ids) text += stream.push(id);
    return text + stream.finish();
}

void compare(const Tokenizer& tokenizer, const Json& row, const std::string& name) {
    const auto text = row["text"].get<std::string>();
    const auto ids = row["ids"].get<std::vector<int64_t>>();
    std::vector<int64_t> whole = tokenizer.leading_tokens();
    const std::vector<int64_t> plain = tokenizer.encode(text, true), trailing = tokenizer.trailing_tokens();
    whole.insert(whole.end(), plain.begin(), plain.end());
    whole.insert(whole.end(), trailing.begin(), trailing.end());
    EXPECT_EQ(whole, ids) << name << ": " << row["text"];
    EXPECT_EQ(plain, row["plain"].get<std::vector<int64_t>>()) << name << ": " << row["text"];
    EXPECT_EQ(tokenizer.encode(text, false), row["literal"].get<std::vector<int64_t>>())
        << name << " literal: " << row["text"];
    for (const bool keep : {true, false}) {
        const Json& expected = row[keep ? "decoded" : "without_special"];
        if (expected.is_null()) continue;  // the library fails there
        EXPECT_EQ(tokenizer.decode(ids, keep), expected.get<std::string>()) << name << ", decoded: " << row["text"];
        EXPECT_EQ(streamed(tokenizer, ids, keep), expected.get<std::string>()) << name << ", streamed: " << row["text"];
    }
}

TEST(TokenizerJsonParity, EveryKindEqualsTheLibrary) {
    CRAFT_NEEDS_PARITY_PYTHON();
    const fs::path folder = fs::temp_directory_path() / ("craft-tokenizers-" + std::to_string(::getpid()));
    fs::remove_all(folder);
    ASSERT_TRUE(test::run_parity_script("make_tokenizers.py", folder));
    int64_t rows = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const auto tokenizer = open_tokenizer(entry.path());
        JsonLinesReader reader((entry.path() / "expected.jsonl").string());
        for (; const auto row = reader.next(); ++rows) compare(*tokenizer, *row, entry.path().filename().string());
    }
    EXPECT_GT(rows, 5000);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace craft

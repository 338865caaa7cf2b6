// Tokenizers of every kind against the libraries that made them (tokenizers, transformers, sentencepiece): ids and decoded
// texts are equal, for the seed of CRAFT_PARITY_SEED (1 if it is not set).
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

std::vector<int64_t> with_ends(const Tokenizer& tokenizer, const std::vector<int64_t>& plain) {
    std::vector<int64_t> whole = tokenizer.leading_tokens();
    const std::vector<int64_t> trailing = tokenizer.trailing_tokens();
    whole.insert(whole.end(), plain.begin(), plain.end());
    whole.insert(whole.end(), trailing.begin(), trailing.end());
    return whole;
}

// Rows of make_tokenizers.py; what a row does not say is not compared.
void compare(const Tokenizer& tokenizer, const Json& row, const std::string& name) {
    const std::string which = name + ": " + (row.contains("text") ? row["text"] : row["ids"]).dump();
    const auto ids_at = [&](const char* key) { return row[key].get<std::vector<int64_t>>(); };
    if (row.contains("text")) {
        const auto text = row["text"].get<std::string>();
        const std::vector<int64_t> plain = tokenizer.encode(text, true);
        if (row.contains("ids")) {
            EXPECT_EQ(with_ends(tokenizer, plain), ids_at("ids")) << which;
        }
        EXPECT_EQ(plain, ids_at("plain")) << which;
        EXPECT_EQ(tokenizer.encode(text, false), ids_at("literal")) << which << " literal";
    }
    if (row.contains("end")) {
        EXPECT_EQ(tokenizer.end_token(), row["end"].is_null() ? -1 : row["end"].get<int64_t>()) << name;
    }
    if (!row.contains("ids")) return;
    for (const bool keep : {true, false}) {
        const Json expected = row.value(keep ? "decoded" : "without_special", Json());
        if (expected.is_null()) continue;  // the library fails there
        EXPECT_EQ(tokenizer.decode(ids_at("ids"), keep), expected.get<std::string>()) << which << ", decoded";
        EXPECT_EQ(streamed(tokenizer, ids_at("ids"), keep), expected.get<std::string>()) << which << ", streamed";
    }
}

void compare_folders_of(const std::string& script, int64_t at_least) {
    const fs::path folder = fs::temp_directory_path() / ("craft-tokenizers-" + std::to_string(::getpid()));
    fs::remove_all(folder);
    ASSERT_TRUE(test::run_parity_script(script, folder));
    int64_t rows = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const auto tokenizer = open_tokenizer(entry.path());
        JsonLinesReader reader((entry.path() / "expected.jsonl").string());
        for (; const auto row = reader.next(); ++rows) compare(*tokenizer, *row, entry.path().filename().string());
    }
    EXPECT_GT(rows, at_least);
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

// A tokenizer held against what its library encoded and decoded: expected.jsonl of tests/parity/make_tokenizers.py and
// make_tokenizer_folders.py.
#pragma once

#include <gtest/gtest.h>

#include "core/json.h"
#include "model/tokenizer/stream_decoder.h"
#include "model/tokenizer/tokenizer.h"

namespace craft::test {

inline std::string streamed(const Tokenizer& tokenizer, const std::vector<int64_t>& ids, bool keep_special) {
    StreamDecoder stream(tokenizer, keep_special);
    std::string text;
    for (const int64_t id : ids) text += stream.push(id);
    return text + stream.finish();
}

inline std::vector<int64_t> with_ends(const Tokenizer& tokenizer, const std::vector<int64_t>& plain) {
    std::vector<int64_t> whole = tokenizer.leading_tokens();
    const std::vector<int64_t> trailing = tokenizer.trailing_tokens();
    whole.insert(whole.end(), plain.begin(), plain.end());
    whole.insert(whole.end(), trailing.begin(), trailing.end());
    return whole;
}

// A row as make_tokenizers.py writes them; what it does not say is not compared.
inline void expect_as_library(const Tokenizer& tokenizer, const Json& row, const std::string& name) {
    const std::string which = name + ": " + (row.contains("text") ? row["text"] : row["ids"]).dump();
    const auto ids_at = [&](const char* key) { return row[key].get<std::vector<int64_t>>(); };
    if (row.contains("text")) {
        const auto text = row["text"].get<std::string>();
        const std::vector<int64_t> plain = tokenizer.encode(text, true);
        if (row.contains("ids")) {
            EXPECT_EQ(with_ends(tokenizer, plain), ids_at("ids")) << which;
        }
        EXPECT_EQ(plain, ids_at("plain")) << which;
        EXPECT_EQ(tokenizer.encode(text, false), ids_at(row.contains("literal") ? "literal" : "plain"))
            << which << " literal";
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

// Every tokenizer folder in a folder; the number of rows that were compared.
inline int64_t expect_folders_as_library(const std::filesystem::path& folder) {
    int64_t rows = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto tokenizer = open_tokenizer(entry.path());
        JsonLinesReader reader((entry.path() / "expected.jsonl").string());
        for (; const auto row = reader.next(); ++rows) expect_as_library(*tokenizer, *row, entry.path().filename().string());
    }
    return rows;
}

}  // namespace craft::test

#include "core/json.h"

#include <gmock/gmock.h>

#include "temporary_folder.h"

namespace craft {
namespace {

// The message starts with this.
#define EXPECT_MESSAGE(action, start) \
    EXPECT_EQ(message_of([&] { action; }).substr(0, std::string(start).size()), std::string(start))

std::string nested(int depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(Json, CommentsAreAllowed) {
    const Json value = parse_json("{ // one\n \"a\": 1, /* two */ \"b\": [1, 2] }", "x");
    EXPECT_EQ(value["a"], 1);
    EXPECT_EQ(value["b"].size(), 2u);
}

TEST(Json, ErrorsNameFileLineAndColumn) {
    EXPECT_MESSAGE(parse_json("{\"a\":\n  bad}", "c.json"),
                   "c.json: not JSON: line 2, column 3: expected a value (strings stand in double quotes), got 'b'");
    EXPECT_MESSAGE(parse_json("", "c.json"), "c.json: not JSON: column 1: expected a value, got the end of the text");
    EXPECT_MESSAGE(parse_json("{\"a\": 1e999}", "c.json"), "c.json: not JSON: a number that is too large, '1e999'");
    EXPECT_MESSAGE(parse_json("{\"a\" 1}", "c.json"), "c.json: not JSON: column 6: expected ':', got a number");
    EXPECT_MESSAGE(parse_json("{\"a\": [1 2]}", "c.json"), "c.json: not JSON: column 10: expected ',' or ']', got a number");
    EXPECT_MESSAGE(parse_json("{a: 1}", "c.json"), "c.json: not JSON: column 2: expected a key in double quotes, got 'a'");
    EXPECT_MESSAGE(parse_json("{\"a\": }", "c.json"), "c.json: not JSON: column 7: expected a value, got '}'");
    EXPECT_MESSAGE(parse_json("{\"a\": \"x", "c.json"), "c.json: not JSON: column 9: a string without its closing quote");
    EXPECT_MESSAGE(parse_json("{\"a\": 1} 2", "c.json"),
                   "c.json: not JSON: column 10: expected the end of the text, got a number");
    EXPECT_MESSAGE(parse_json("{\"a\": \"\xFF\"}", "c.json"), "c.json: not UTF-8 at byte 8");
}

TEST(Json, DeepNestingIsAnErrorAndNoCrash) {
    EXPECT_NO_THROW(parse_json(nested(kMaxJsonDepth), "x"));
    EXPECT_MESSAGE(parse_json(nested(kMaxJsonDepth + 1), "x"), "x: nested more than 100 levels deep");
    EXPECT_THROW(parse_json(nested(1000000), "x"), Error);
    EXPECT_THROW(parse_json(std::string(1000000, '['), "x"), Error);
}

TEST(Json, DumpNeverThrowsOnBadBytes) {
    EXPECT_EQ(dump_line({{"a", "x\xFFy"}}), "{\"a\":\"x\xEF\xBF\xBDy\"}");
}

TEST(Json, IdsAreStringsOrWholeNumbers) {
    EXPECT_EQ(id_text({{"id", "a 7"}}, "f:1"), "a 7");
    EXPECT_EQ(id_text({{"id", 7}}, "f:1"), "7");
    EXPECT_EQ(id_text({{"id", -9007199254740993}}, "f:1"), "-9007199254740993");
    EXPECT_MESSAGE(id_text({{"id", 7.5}}, "f:1"), "f:1: field 'id': expected a string, got number");
    EXPECT_MESSAGE(id_text({{"text", "x"}}, "f:1"), "f:1: field 'id': expected a string, got none");
}

TEST(Json, FieldsSayWhatIsMissingOrWrong) {
    const Json row = {{"id", "7"}, {"count", 3}, {"none", nullptr}};
    EXPECT_EQ(string_field(row, "id", "f:1"), "7");
    EXPECT_EQ(optional_string_field(row, "none", "f:1"), std::nullopt);
    EXPECT_EQ(optional_string_field(row, "absent", "f:1"), std::nullopt);
    EXPECT_MESSAGE(string_field(row, "text", "f:1"), "f:1: field 'text': expected a string, got none");
    EXPECT_MESSAGE(string_field(row, "count", "f:1"), "f:1: field 'count': expected a string, got number");
    EXPECT_MESSAGE(optional_string_field(Json::array(), "x", "f:1"), "f:1: expected an object, got a value of type array");
}

class JsonLines : public ::testing::Test {
protected:
    // Reads all rows of a file with these bytes.
    std::vector<Json> rows(const std::string& bytes, const JsonLinesOptions& options = {}) {
        JsonLinesReader reader(folder_.file("rows.jsonl", bytes), options);
        std::vector<Json> all;
        while (auto row = reader.next()) all.push_back(*row);
        bad_ = reader.bad_lines();
        return all;
    }
    std::string problem(const std::string& bytes, const JsonLinesOptions& options = {}) {
        const std::string message = message_of([&] { rows(bytes, options); });
        const std::string prefix = (folder_.path() / "rows.jsonl").string();
        return message.rfind(prefix, 0) == 0 ? message.substr(prefix.size()) : message;
    }
    TemporaryFolder folder_;
    int64_t bad_ = 0;
};

TEST_F(JsonLines, BlankLinesByteOrderMarkAndCarriageReturnsAreSkipped) {
    const auto all = rows("\xEF\xBB\xBF{\"a\":1}\r\n\r\n  \n{\"a\":2}\n{\"a\":3}");
    ASSERT_EQ(all.size(), 3u) << "the last line needs no newline";
    EXPECT_EQ(all[2]["a"], 3);
    EXPECT_TRUE(rows("").empty());
    EXPECT_TRUE(rows("\n\n").empty());
}

// Python's splitlines() and others end lines at these three: they are written as escapes, and read as what they are.
TEST_F(JsonLines, OtherReadersLineEndsAreEscaped) {
    const std::string path = (folder_.path() / "written.jsonl").string();
    const Json row = {{"k\u2028", "a\u2028b\u2029c\u0085d\u00e9\u20ac\u00c2"}, {"n", 1}};
    JsonLinesWriter writer(path);
    writer.write(row);
    writer.close();
    const std::string bytes = read_file(path);
    EXPECT_EQ(bytes, "{\"k\\u2028\":\"a\\u2028b\\u2029c\\u0085d\u00e9\u20ac\u00c2\",\"n\":1}\n");
    EXPECT_EQ(JsonLinesReader(path, {.number_rows = false}).next().value(), row);
}

TEST_F(JsonLines, WhereNamesTheLineOfTheLastRow) {
    const std::string path = folder_.file("a.jsonl", "\n{}\n\n{}\n");
    JsonLinesReader reader(path);
    reader.next();
    EXPECT_EQ(reader.where(), path + ":2");
    reader.next();
    EXPECT_EQ(reader.where(), path + ":4");
    EXPECT_MESSAGE(reader.reject("no text"), path + ":4: no text");
}

TEST_F(JsonLines, BadLinesSayFileLineAndReason) {
    EXPECT_EQ(problem("{}\n{\"a\":\"\xC3(\"}\n"), ":2: not UTF-8 at byte 7");
    EXPECT_EQ(problem("[1]\n"), ":1: expected an object, got array");
    EXPECT_EQ(problem("{}\n\n" + nested(101) + "\n"), ":3: nested more than 100 levels deep");
    EXPECT_EQ(problem("{\"a\":1\n").rfind(":1: not JSON: ", 0), 0u);
    EXPECT_EQ(problem("{\"a\":\"\\ud800\"}\n").rfind(":1: not JSON: ", 0), 0u) << "half a surrogate pair";
    EXPECT_EQ(problem("{} {}\n").rfind(":1: not JSON: ", 0), 0u);
    EXPECT_LT(problem("{\"" + std::string(1000000, 'x') + "\n").size(), 600u) << "messages stay short";
}

TEST_F(JsonLines, SkippedBadLinesAreCounted) {
    const auto all = rows("{\"a\":1}\nno\n{\"a\":2}\n\xFF\n[]\n", {.skip_bad = true});
    EXPECT_EQ(all.size(), 2u);
    EXPECT_EQ(bad_, 3);
    int64_t over_files = 0;
    rows("{\"a\":1}\nno\n", {.skip_bad = true, .bad_lines = &over_files});
    rows("no\nno\n", {.skip_bad = true, .bad_lines = &over_files});
    EXPECT_EQ(over_files, 3);
}

TEST_F(JsonLines, OverlongLinesAreBadAndTheNextOneIsFine) {
    const std::string ten_megabytes = "{\"text\":\"" + std::string(size_t{10} << 20, 'x') + "\"}\n";
    EXPECT_EQ(problem("{}\n" + ten_megabytes), ":2: a line of more than 8388608 bytes (split it into several rows)");
    EXPECT_EQ(rows(ten_megabytes + "{\"a\":2}\n", {.skip_bad = true}).size(), 1u);
    EXPECT_EQ(bad_, 1);
    EXPECT_EQ(rows(ten_megabytes, {.max_line_bytes = size_t{16} << 20}).size(), 1u);
}

TEST_F(JsonLines, ALineExactlyAtTheLimitIsRead) {
    const std::string line = "{\"a\":\"" + std::string(92, 'x') + "\"}";
    ASSERT_EQ(line.size(), 100u);
    EXPECT_EQ(rows(line + "\n", {.max_line_bytes = 100}).size(), 1u);
    EXPECT_THROW(rows(line + "\n", {.max_line_bytes = 99}), Error);
}

TEST_F(JsonLines, DuplicateKeysAndWideNumbersAreRead) {
    const auto all = rows("{\"a\":1,\"a\":2}\n{\"n\":123456789012345678901234567890}\n");
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0]["a"], 2);
    EXPECT_DOUBLE_EQ(all[1]["n"], 123456789012345678901234567890.0);
}

TEST_F(JsonLines, AnHdf5FileIsNamedAsSuchEvenWhereBadLinesAreSkipped) {
    JsonLinesReader reader(folder_.file("pairs.h5", "\x89HDF\r\n\x1a\nrest"), {.skip_bad = true});
    EXPECT_THAT([&] { reader.next(); }, testing::ThrowsMessage<Error>(testing::AllOf(testing::HasSubstr("pairs.h5"),
                                                                                     testing::HasSubstr("an HDF5 file"))));
}

TEST_F(JsonLines, MissingFilesAndFoldersSayWhy) {
    EXPECT_MESSAGE(JsonLinesReader("/nowhere.jsonl"), "/nowhere.jsonl: cannot read: No such file or directory");
    EXPECT_MESSAGE(JsonLinesReader(folder_.path().string()),
                   folder_.path().string() + ": expected a JSON Lines file, got a folder");
}

TEST_F(JsonLines, WriterPublishesAtCloseOnly) {
    const std::string path = folder_.file("out.jsonl", "old\n");
    {
        JsonLinesWriter writer(path);
        writer.write({{"a", "x\xFF"}});
    }
    EXPECT_EQ(read_file(path), "old\n");
    JsonLinesWriter writer(path);
    writer.write({{"b", 1}, {"a", "\n"}});
    writer.write({{"a", 2}});
    writer.close();
    EXPECT_EQ(read_file(path), "{\"b\":1,\"a\":\"\\n\"}\n{\"a\":2}\n");
    EXPECT_EQ(folder_.count(), 1u);
}

}  // namespace
}  // namespace craft

// Each data set in the layout of its authors, row by row: the files of share/examples/editeval, written by hand, and broken
// ones.
#include "eval/editeval/datasets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensorboard.h"
#include "tests/core/temporary_folder.h"
#include "tests/reference.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const EditDataset& dataset_named(const std::string& name) {
    for (const EditDataset& dataset : edit_datasets())
        if (dataset.name == name) return dataset;
    throw Error("no data set " + name);
}

// Of the splits of Table 1, where none are named.
ReadDataset read_from(const std::filesystem::path& folder, const std::string& name,
                      const std::vector<std::string>& splits = {}, const JsonLinesOptions& lines = {}) {
    const EditDataset& dataset = dataset_named(name);
    return read_edit_dataset(dataset, DataFolder(folder), splits.empty() ? dataset.table_splits : splits, lines);
}

ReadDataset example(const std::string& name, const std::vector<std::string>& splits = {}) {
    return read_from(std::filesystem::path(test_source()) / "share/examples/editeval", name, splits);
}

std::vector<std::string> ids_of(const ReadDataset& read) {
    std::vector<std::string> ids;
    for (const EditItem& item : read.rows.items) ids.push_back(item.id);
    return ids;
}

TEST(EditDatasets, AreThoseOfTable1) {
    std::vector<std::string> names;
    int64_t items = 0;
    for (const EditDataset& dataset : edit_datasets()) {
        names.push_back(dataset.abbreviation);
        items += dataset.table_count;
    }
    EXPECT_THAT(names, ElementsAre("JFL", "ITR-F", "ITR-L", "ITR-O", "STS", "TRK", "AST", "WNC", "FRU", "WFI"));
    EXPECT_EQ(items, 1595 + 351 + 942 + 1503 + 2359 + 2359 + 419 + 1000 + 914 + 4565);
}

TEST(EditDatasets, Jfleg) {
    const ReadDataset read = example("jfleg");
    ASSERT_THAT(ids_of(read), ElementsAre("jfleg-dev-0", "jfleg-dev-1", "jfleg-test-0"));
    EXPECT_EQ(read.rows.items[0].input, "He go to school every days .");
    EXPECT_THAT(read.rows.items[0].references,
                ElementsAre("He goes to school every day .", "He goes to school each day .", "Every day he goes to school .",
                            "He went to school every day ."));
    EXPECT_THAT(read.rows.dropped, IsEmpty());
}

TEST(EditDatasets, IteraterByLabel) {
    const ReadDataset fluency = example("iterater_fluency"), clarity = example("iterater_clarity"),
                      coherence = example("iterater_coherence");
    ASSERT_THAT(ids_of(fluency), ElementsAre("iterater-train-0", "iterater-test-0"));
    ASSERT_THAT(ids_of(clarity), ElementsAre("iterater-dev-0", "iterater-test-1"));
    ASSERT_THAT(ids_of(coherence), ElementsAre("iterater-dev-1"));
    EXPECT_EQ(clarity.rows.items[1].input, "In order to measure it , we use a clock .");
    EXPECT_THAT(clarity.rows.items[1].references, ElementsAre("To measure it , we use a clock ."));
    EXPECT_THAT(clarity.rows.dropped, ElementsAre(Pair("another label", 4), Pair("revision of at most one character", 2)));
}

TEST(EditDatasets, StsKeepsParaphrases) {
    const ReadDataset read = example("stsb_multi_mt");
    ASSERT_THAT(ids_of(read), ElementsAre("stsb_multi_mt-train-0", "stsb_multi_mt-dev-0", "stsb_multi_mt-test-0"));
    EXPECT_EQ(read.rows.items[1].input, "A woman, a child and a dog walk.");
    EXPECT_EQ(read.rows.items[2].input, "He said \"no\" twice.");
    EXPECT_THAT(read.rows.items[2].references, ElementsAre("Twice he said \"no\"."));
    EXPECT_THAT(read.rows.dropped, ElementsAre(Pair("score below 5", 2)));
}

TEST(EditDatasets, TurkAndAsset) {
    const ReadDataset turk = example("turk"), asset = example("asset");
    ASSERT_THAT(ids_of(turk), ElementsAre("turk-dev-0", "turk-test-0"));
    EXPECT_THAT(turk.rows.items[1].references, ElementsAre("The fortress was built in 1204 . It overlooks the harbour .",
                                                           "The fortress , built in 1204 , is above the harbour ."));
    ASSERT_THAT(ids_of(asset), ElementsAre("asset-dev-0", "asset-test-0"));
    EXPECT_EQ(asset.rows.items[0].input, "The vessel was decommissioned in 1921 and subsequently dismantled.");
    EXPECT_EQ(asset.rows.items[0].references.size(), 2u);
}

TEST(EditDatasets, Wnc) {
    const ReadDataset read = example("wnc");
    ASSERT_THAT(ids_of(read), ElementsAre("wnc-test-101", "wnc-test-102"));
    EXPECT_EQ(read.rows.items[0].input, "The brilliant mayor opened the bridge in 1931.");
    EXPECT_THAT(read.rows.items[0].references, ElementsAre("The mayor opened the bridge in 1931."));
}

TEST(EditDatasets, Fruit) {
    const ReadDataset read = example("fruit");
    ASSERT_THAT(ids_of(read), ElementsAre("fruit-test-0", "fruit-test-1"));
    EXPECT_EQ(read.rows.items[0].input, "The mill stands by the river. It grinds corn.");
    EXPECT_THAT(read.rows.items[0].references,
                ElementsAre("The mill stands by the river. It ground corn until 1950. (0) Today it is a museum. (1)"));
    EXPECT_EQ(read.rows.items[0].documents.size(), 2u);
}

TEST(EditDatasets, Wafer) {
    const ReadDataset read = example("wafer_insert");
    ASSERT_THAT(ids_of(read), ElementsAre("wafer-1", "wafer-2"));
    EXPECT_EQ(read.rows.items[0].title, "Hill Farm");
    EXPECT_EQ(read.rows.items[0].documents[0].text, "The farm was sold at auction in 1902.");
    EXPECT_EQ(read.rows.items[1].input, "== Building ==\n The wall keeps the sea out.\n * It has two gates.\n");
}

TEST(EditDatasets, SplitsThatAreAskedForAndNotThere) {
    const ReadDataset read = example("wnc", {"dev", "test"});
    EXPECT_EQ(read.rows.items.size(), 2u);
    EXPECT_THAT(read.missing_splits, ElementsAre("dev"));
    const TemporaryFolder empty;
    EXPECT_TRUE(read_from(empty.path(), "jfleg").rows.files.empty());
}

class EditFiles : public testing::Test {
protected:
    // The error without the folder's name.
    std::string problem_of(const std::string& dataset) const {
        std::string line = message_of([&] { read_from(folder_.path(), dataset); });
        const std::string before = folder_.path().string() + "/";
        for (size_t at = line.find(before); at != std::string::npos; at = line.find(before)) line.erase(at, before.size());
        return line;
    }
    const TemporaryFolder folder_;
};

TEST_F(EditFiles, WindowsLineEndsNoLastNewlineAndAMark) {
    folder_.file("dev.src", "\xef\xbb\xbfOne .\r\nTwo .");
    folder_.file("dev.ref0", "Uno .\r\nDue .\r\n");
    const ReadDataset read = read_from(folder_.path(), "jfleg");
    ASSERT_EQ(read.rows.items.size(), 2u);
    EXPECT_EQ(read.rows.items[0].input, "One .");
    EXPECT_THAT(read.rows.items[1].references, ElementsAre("Due ."));
    EXPECT_THAT(read.missing_splits, ElementsAre("test"));
}

TEST_F(EditFiles, EmptyInputsAndReferencesAreCounted) {
    folder_.file("dev.src", "\nTwo .\nThree .\n");
    folder_.file("dev.ref0", "a\n \n\n");
    folder_.file("dev.ref1", "a\n\nc\n");
    const ReadDataset read = read_from(folder_.path(), "jfleg");
    ASSERT_THAT(ids_of(read), ElementsAre("jfleg-dev-2")) << "numbers are the lines'";
    EXPECT_THAT(read.rows.items[0].references, ElementsAre("c"));
    EXPECT_THAT(read.rows.dropped, ElementsAre(Pair("empty input", 1), Pair("no edits", 1)));
    EXPECT_THAT(read.rows.noted, ElementsAre(Pair("blank reference left out", 1)));
}

TEST_F(EditFiles, LinesThatDoNotBelongTogether) {
    folder_.file("dev.src", "One .\nTwo .\n");
    EXPECT_EQ(problem_of("jfleg"), "dev.src: expected references beside it, dev.ref0 and so on, got none");
    folder_.file("dev.ref0", "Uno .\n");
    EXPECT_EQ(problem_of("jfleg"), "dev.ref0:2: expected 2 lines as dev.src has, got 1");
}

TEST_F(EditFiles, AHoleInTheReferences) {
    folder_.file("dev.src", "One .\n");
    folder_.file("dev.ref0", "Uno .\n");
    folder_.file("dev.ref2", "Due .\n");
    EXPECT_EQ(problem_of("jfleg"), "dev.ref1: expected a file, since dev.ref2 is there, got none");
    std::filesystem::remove(folder_.path() / "dev.ref0");
    EXPECT_EQ(problem_of("jfleg"), "dev.ref0: expected a file, since dev.ref2 is there, got none");
    folder_.file("dev.ref0", "Uno .\n");
    std::filesystem::create_directory(folder_.path() / "dev.ref1");
    EXPECT_EQ(problem_of("jfleg"), "dev.ref1: expected a file, got something else");
    std::filesystem::remove(folder_.path() / "dev.ref1");
    std::filesystem::remove(folder_.path() / "dev.ref2");
    folder_.file("dev.ref01", "Other .\n");
    folder_.file("dev.ref.old", "Other .\n");
    EXPECT_EQ(references_of(read_from(folder_.path(), "jfleg").rows), 1);
}

TEST(EditDatasets, ReferencesThatAreThereAndThatShouldBe) {
    EXPECT_EQ(references_of(example("jfleg").rows), 4);
    EXPECT_EQ(references_of(example("asset").rows), 2);
    EXPECT_EQ(dataset_named("asset").expected_references, 10);
    EXPECT_EQ(references_of(example("wnc").rows), 1);
    EXPECT_EQ(references_of({}), 0);
    const TemporaryFolder folder;
    for (const char* name : {"dev.src", "dev.ref0", "dev.ref1", "test.src", "test.ref0"}) folder.file(name, "A .\n");
    EXPECT_EQ(references_of(read_from(folder.path(), "jfleg").rows), 1) << "the fewest of a split";
}

TEST_F(EditFiles, TheFolderHoweverItIsGiven) {
    folder_.file("fruit/gold_test.jsonl", "{\"inputs\":\"[0] A. [CONTEXT]\",\"targets\":\"[0] B.\"}\n");
    const auto items = [](const std::filesystem::path& folder) { return read_from(folder, "fruit").rows.items.size(); };
    EXPECT_EQ(items(folder_.path() / "fruit"), 1u);
    EXPECT_EQ(items(folder_.path() / "fruit/"), 1u);
    EXPECT_EQ(items(folder_.path() / "fruit//"), 1u);
    EXPECT_EQ(items(folder_.path() / "fruit/."), 1u);
    EXPECT_EQ(items(folder_.path() / "fruit/../fruit/"), 1u);
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path() / "fruit");
    const size_t here = items("."), above = items("..");
    std::filesystem::current_path(before);
    EXPECT_EQ(here, 1u);
    EXPECT_EQ(above, 1u);
}

TEST_F(EditFiles, LinksThatGoInACircle) {
    folder_.file("a/dev.src", "One .\n");
    folder_.file("a/dev.ref0", "Uno .\n");
    std::filesystem::create_directory_symlink("..", folder_.path() / "a" / "up");
    for (int i = 0; i < 12; ++i)  // followed eight levels deep they would be more than 100,000 files
        std::filesystem::create_directory_symlink(".", folder_.path() / "a" / ("same" + std::to_string(i)));
    std::filesystem::create_directory_symlink("a", folder_.path() / "b");
    EXPECT_EQ(read_from(folder_.path(), "jfleg").rows.items.size(), 1u) << "and two names of one file are one";
    EXPECT_EQ(DataFolder(folder_.path()).find_all("dev.src", "").size(), 1u);
}

TEST_F(EditFiles, IdsOfWhatWasNotRead) {
    const ReadDataset wnc = example("wnc"), wafer = example("wafer_insert");
    EXPECT_THAT(wnc.absent_ids, ElementsAre("wnc-train-", "wnc-dev-"));
    EXPECT_THAT(wafer.absent_ids, IsEmpty());
    EXPECT_THAT(read_from(folder_.path(), "wafer_insert").absent_ids, ElementsAre("wafer"));
    folder_.file("biased.word.test", "");
    EXPECT_THAT(read_from(folder_.path(), "wnc").absent_ids, ElementsAre("wnc-train-", "wnc-dev-", "wnc-test-"));
    folder_.file("iterater/dev.json", "{\"before_sent\":\"a\",\"after_sent\":\"bc\",\"labels\":\"clarity\"}\n{}\n");
    const ReadDataset clarity = read_from(folder_.path(), "iterater_clarity", {}, {.skip_bad = true});
    EXPECT_THAT(clarity.absent_ids,
                ElementsAre("iterater_clarity-train-", "iterater_clarity-test-", "iterater-train-", "iterater-test-"));
    EXPECT_EQ(clarity.bad_lines, 1);
    folder_.file("dev.src", "\nTwo .\n");
    folder_.file("dev.ref0", "a\nb\n");
    EXPECT_THAT(read_from(folder_.path(), "jfleg").rows.dropped_ids, ElementsAre("jfleg-dev-0"));
}

TEST_F(EditFiles, BytesThatAreNoText) {
    folder_.file("dev.src", "One .\nTw\xff .\n");
    folder_.file("dev.ref0", "Uno .\nDue .\n");
    EXPECT_EQ(problem_of("jfleg"), "dev.src:2: expected UTF-8, got another byte at column 3");
    folder_.file("dev.src", std::string("One .\nTw\0 .\n", 12));
    EXPECT_EQ(problem_of("jfleg"), "dev.src:2: expected text, got a NUL byte at column 3");
}

TEST_F(EditFiles, TwoFilesOfOneName) {
    folder_.file("a/dev.src", "One .\n");
    folder_.file("b/dev.src", "One .\n");
    EXPECT_THAT(problem_of("jfleg"), testing::HasSubstr("a/dev.src and b/dev.src"));
}

TEST_F(EditFiles, WncColumnsAndIds) {
    folder_.file("biased.word.test", "1\ta\tb\tA \"quote.\tB.\tx\ty\n1\ta\tb\tC.\tD.\tx\ty\n\n");
    const ReadDataset read = read_from(folder_.path(), "wnc");
    ASSERT_THAT(ids_of(read), ElementsAre("wnc-test-1", "wnc-test-1#2"));
    EXPECT_EQ(read.rows.items[0].input, "A \"quote.") << "a quote is text";
    EXPECT_THAT(read.rows.noted, ElementsAre(Pair("repeated id", 1)));
    folder_.file("biased.word.test", "1\ta\tb\tA.\tB.\tx\ty\n2\ta\tb\n");
    EXPECT_EQ(problem_of("wnc"),
              "biased.word.test:2: expected 7 fields between tabs (id, two of tokens, source, target, two of tags), got 3");
    folder_.file("biased.word.test", " \ta\tb\tA.\tB.\tx\ty\n");
    EXPECT_EQ(problem_of("wnc"), "biased.word.test:1: field 1: expected the id of a revision, got nothing");
}

TEST_F(EditFiles, StsScores) {
    folder_.file("stsb-en-test.csv", "sentence1,sentence2,similarity_score\na,b,5\nc,d,4.999\n");
    EXPECT_EQ(read_from(folder_.path(), "stsb_multi_mt").rows.items.size(), 1u);
    folder_.file("stsb-en-test.csv", "a,b,5\nc,d,five\n");
    EXPECT_EQ(problem_of("stsb_multi_mt"),
              "stsb-en-test.csv:2: similarity_score: expected a number from 0 to 5, got 'five'");
    folder_.file("stsb-en-test.csv", "a,b\n");
    EXPECT_EQ(problem_of("stsb_multi_mt"),
              "stsb-en-test.csv:1: expected 3 fields: sentence1, sentence2, similarity_score, got 2");
}

TEST_F(EditFiles, IteraterFields) {
    folder_.file("iterater/dev.json", "{\"before_sent\":\"a\",\"after_sent\":\"bc\"}\n");
    EXPECT_THAT(problem_of("iterater_fluency"),
                testing::AllOf(testing::HasSubstr("iterater/dev.json:1"), testing::HasSubstr("labels")));
}

TEST_F(EditFiles, FruitAndWaferFields) {
    folder_.file("fruit/gold_test.jsonl",
                 "{\"inputs\":\"[0] A. [CONTEXT]\",\"targets\":\"[0]\"}\n{\"inputs\":\"A\",\"targets\":\"B\"}\n");
    EXPECT_EQ(
        problem_of("fruit"),
        "fruit/gold_test.jsonl:2: field 'inputs': expected numbered sentences, [CONTEXT] and numbered contexts, got a text "
        "without [CONTEXT]");
    folder_.file("wafer-test-kiltweb.jsonl", "{\"id\":\"w\",\"input\":\"x\"}\n");
    EXPECT_EQ(problem_of("wafer_insert"), "wafer-test-kiltweb.jsonl:1: field 'meta': expected an object, got nothing");
    folder_.file("wafer-test-kiltweb.jsonl",
                 "{\"id\":\"w\",\"input\":\"x\",\"meta\":{\"wikipedia_title\":\"x\",\"sentences\":[\"a\",\"B\"]}}\n"
                 "{\"id\":\"v\",\"input\":\"x [SEP] Section::::Y. [SEP] a "
                 "b.\",\"meta\":{\"wikipedia_title\":\"z\",\"sentences\":[\"a\",\"B\"]}}\n");
    const ReadDataset read = read_from(folder_.path(), "wafer_insert");
    EXPECT_TRUE(read.rows.items.empty());
    EXPECT_THAT(read.rows.dropped,
                ElementsAre(Pair("a text that is not of three parts", 1), Pair("another title than the article", 1)));
}

// TFRecord files by hand: lengths, checksums, and of a message's fields numbers, sizes and bytes.
std::string field_of(int number, const std::string& bytes) {
    return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
}

std::string record_of(const std::string& inputs, const std::string& targets) {
    const auto feature = [](const std::string& name, const std::string& text) {
        return field_of(1, field_of(1, name) + field_of(2, field_of(1, field_of(1, text))));
    };
    const std::string features = feature("inputs", inputs) + feature("targets", targets);
    std::string message = "\n";  // field 1, whose size takes two bytes
    message += static_cast<char>(features.size() % 128 + 128);
    message += static_cast<char>(features.size() / 128);
    message += features;
    const auto number = [](uint64_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
        return text;
    };
    const std::string length = number(message.size(), 8);
    return length + number(masked_crc32c(length), 4) + message + number(masked_crc32c(message), 4);
}

TEST_F(EditFiles, FruitAsItIsPublished) {
    const std::string one = record_of("[0] One is here. [CONTEXT] (0) Page_a Text of a page.", "[0] (0) Two is new.");
    const std::string two = record_of("[0] Three. [CONTEXT] (0) Page_b Text of another page.", "(0) Four is here, and new.");
    folder_.file("FRUIT/gold_test/a.tfrecords-00000-of-00002", one + two);
    folder_.file("FRUIT/gold_test/a.tfrecords-00001-of-00002", one);
    folder_.file("FRUIT/test/a.tfrecords-00000-of-00001", two);
    const ReadDataset read = read_from(folder_.path(), "fruit");
    ASSERT_THAT(ids_of(read), ElementsAre("fruit-test-0", "fruit-test-1", "fruit-test-2"));
    EXPECT_THAT(read.rows.items[0].references, ElementsAre("One is here. Two is new. (0)"));
    EXPECT_EQ(read.rows.items[1].documents[0].title, "Page b");
    EXPECT_EQ(read_from(folder_.path() / "FRUIT", "fruit", {"dev"}).rows.items.size(), 1u);

    std::string broken = one + two;
    broken[one.size() + 20] ^= 1;
    folder_.file("FRUIT/gold_test/a.tfrecords-00000-of-00002", broken);
    EXPECT_EQ(problem_of("fruit"),
              "FRUIT/gold_test/a.tfrecords-00000-of-00002: record 2: expected bytes that fit their checksum, got others");
    folder_.file("FRUIT/gold_test/a.tfrecords-00000-of-00002", one.substr(0, one.size() - 9));
    EXPECT_THAT(problem_of("fruit"), testing::HasSubstr("record 1: expected"));
}

TEST(EditDatasets, CountsBySplit) {
    EXPECT_EQ(dataset_named("jfleg").expected_count({"test"}), 747);
    EXPECT_EQ(dataset_named("jfleg").expected_count({"test", "dev"}), 754 + 747);
    EXPECT_EQ(dataset_named("turk").expected_count({"dev", "test"}), 2359) << "Table 1's";
    EXPECT_EQ(dataset_named("wnc").expected_count({"dev"}), 700);
    EXPECT_EQ(dataset_named("fruit").expected_count({"dev"}), std::nullopt);
    EXPECT_EQ(dataset_named("iterater_clarity").expected_count({"test"}), std::nullopt);
    EXPECT_EQ(dataset_named("iterater_clarity").expected_count({"train", "dev", "test"}), 1595);
    EXPECT_EQ(dataset_named("jfleg").expected_count({}), std::nullopt);
}

std::string lines_of(int64_t count, const std::string& line) {
    std::string all;
    for (int64_t i = 0; i < count; ++i) all += line + "\n";
    return all;
}

// Files of the size that their authors publish: each split's items are as many as is expected.
TEST_F(EditFiles, WholeSplitsHaveTheExpectedCounts) {
    for (const auto& [split, count] : dataset_named("jfleg").split_counts) {
        folder_.file(split + ".src", lines_of(count, "A sentence ."));
        folder_.file(split + ".ref0", lines_of(count, "One sentence ."));
    }
    for (const auto& [split, count] : dataset_named("asset").split_counts) {
        const std::string stem = "asset." + std::string(split == "dev" ? "valid" : split);
        folder_.file(stem + ".orig", lines_of(count, "A sentence."));
        folder_.file(stem + ".simp.0", lines_of(count, "One sentence."));
    }
    // JFLEG's rows on the Hub end with an empty one.
    const TemporaryFolder hub;
    const std::string row = R"({"sentence":"A sentence . ","corrections":["One sentence . ","","That sentence . "]})";
    hub.file("jfleg/test.jsonl", lines_of(747, row) + R"({"sentence":"","corrections":["","","",""]})" + "\n");
    for (const std::string name : {"jfleg", "asset"})
        for (const std::string split : {"dev", "test"})
            EXPECT_EQ(read_from(folder_.path(), name, {split}).split_counts.at(split),
                      dataset_named(name).expected_count({split}))
                << name << " " << split;
    const ReadDataset read = read_from(hub.path(), "jfleg", {"test"});
    EXPECT_EQ(read.split_counts.at("test"), 747);
    EXPECT_THAT(read.rows.dropped, ElementsAre(Pair("empty input", 1)));
    EXPECT_THAT(read.rows.noted, ElementsAre(Pair("blank reference left out", 747)));
    EXPECT_EQ(references_of(read.rows), 4);
}

TEST_F(EditFiles, RowsOfTheHub) {
    folder_.file("jfleg/validation.jsonl", "{\"sentence\":\"He go . \",\"corrections\":[\"He goes . \",\"He went . \"]}\n");
    folder_.file("asset-test.jsonl", "{\"original\":\"Hard.\",\"simplifications\":[\"Easy.\"]}\n");
    folder_.file("turk/test.jsonl", "{\"source\":\"Hard .\",\"references\":[\"Easy .\",\"Light .\"]}\n");
    folder_.file("stsb_multi_mt/test.jsonl",
                 "{\"sentence1\":\"A.\",\"sentence2\":\"B.\",\"similarity_score\":4.8}\n"
                 "{\"sentence1\":\"C.\",\"sentence2\":\"D.\",\"similarity_score\":5.0}\n");
    const ReadDataset jfleg = read_from(folder_.path(), "jfleg", {"dev"});
    ASSERT_THAT(ids_of(jfleg), ElementsAre("jfleg-dev-0"));
    EXPECT_EQ(jfleg.rows.items[0].input, "He go .");
    EXPECT_THAT(jfleg.rows.items[0].references, ElementsAre("He goes .", "He went ."));
    EXPECT_THAT(ids_of(read_from(folder_.path(), "asset", {"test"})), ElementsAre("asset-test-0"));
    EXPECT_EQ(references_of(read_from(folder_.path(), "turk", {"test"}).rows), 2);
    const ReadDataset sts = read_from(folder_.path(), "stsb_multi_mt", {"test"});
    ASSERT_THAT(ids_of(sts), ElementsAre("stsb_multi_mt-test-0"));
    EXPECT_EQ(sts.rows.items[0].input, "C.");
    EXPECT_THAT(sts.rows.dropped, ElementsAre(Pair("score below 5", 1)));
}

// What the benchmark's own program makes of its data sets.
TEST_F(EditFiles, TheBenchmarksOwnRecords) {
    folder_.file("processed/wnc/test.jsonl",
                 R"({"id":"wnc-test-7","dataset":"wnc","task":"neutralization","input":"A great day.","edits":"A day."})"
                 "\n"
                 R"({"id":"wnc-test-8","tasks":"fluency","input":"B.","edits":["C."]})"
                 "\n");
    folder_.file("processed/iterater_clarity/test.jsonl",
                 R"({"id":"iterater-test-0","tasks":"clarity","input":"In order to.","edits":["To."],"title":""})"
                 "\n");
    folder_.file("processed/iterater_fluency/test.jsonl",
                 R"({"id":"iterater-test-0","tasks":"fluency","input":"He go.","edits":["He goes."]})"
                 "\n");
    folder_.file("processed/wafer_insert/test.jsonl",
                 R"({"id":"wafer-3","tasks":"insertion","input":"S. \n","edits":["S. C. \n"],"title":"Page",)"
                 R"("retrieved_documents":[{"title":"T","text":"C."},{"text":" "}]})"
                 "\n");
    folder_.file("processed/fruit/test.jsonl",
                 R"row({"id":"fruit-test-4","tasks":"info_addition","input":"S.","edits":["S. C. (0)"]})row"
                 "\n");
    const ReadDataset wnc = read_from(folder_.path(), "wnc", {"test"});
    ASSERT_THAT(ids_of(wnc), ElementsAre("wnc-test-7"));
    EXPECT_THAT(wnc.rows.items[0].references, ElementsAre("A day."));
    EXPECT_THAT(wnc.rows.dropped, ElementsAre(Pair("another task", 1)));
    EXPECT_THAT(ids_of(read_from(folder_.path(), "iterater_clarity", {"test"})), ElementsAre("iterater_clarity-test-0"));
    EXPECT_THAT(ids_of(read_from(folder_.path(), "iterater_fluency", {"test"})), ElementsAre("iterater_fluency-test-0"));
    EXPECT_TRUE(read_from(folder_.path(), "iterater_coherence", {"test"}).rows.files.empty());
    const ReadDataset wafer = read_from(folder_.path(), "wafer_insert", {"test"});
    ASSERT_EQ(wafer.rows.items.size(), 1u);
    EXPECT_EQ(wafer.rows.items[0].title, "Page");
    EXPECT_EQ(wafer.rows.items[0].documents.size(), 1u);
    EXPECT_EQ(wafer.rows.items[0].references[0], "S. C. \n");
    EXPECT_THAT(ids_of(read_from(folder_.path(), "fruit", {"test"})), ElementsAre("fruit-test-4"));
}

TEST_F(EditFiles, RowsThatDoNotFit) {
    folder_.file("jfleg/test.jsonl", "{\"text\":\"A.\",\"label\":1}\n");
    EXPECT_EQ(problem_of("jfleg"),
              "jfleg/test.jsonl:1: expected fields 'sentence' and 'corrections', 'source' and 'references', or 'input' and "
              "'edits', got text, label");
    folder_.file("jfleg/test.jsonl", "{\"sentence\":\"A.\",\"corrections\":[1]}\n");
    EXPECT_EQ(problem_of("jfleg"), "jfleg/test.jsonl:1: field 'corrections': expected texts, got number");
    folder_.file("stsb_multi_mt/test.jsonl", "{\"sentence1\":\"A.\",\"sentence2\":\"B.\",\"similarity_score\":\"5\"}\n");
    EXPECT_EQ(problem_of("stsb_multi_mt"),
              "stsb_multi_mt/test.jsonl:1: field 'similarity_score': expected a number from 0 to 5, got \"5\"");
    folder_.file("asset/test.jsonl", "{\"original\":\"A.\",\"simplifications\":[\"B.\"]}\n");
    folder_.file("asset.test.orig", "A.\n");
    folder_.file("asset.test.simp.0", "B.\n");
    EXPECT_EQ(
        problem_of("asset"),
        "asset/test.jsonl: expected one form of asset's test, got its authors' files, too (remove one of them from the "
        "folder)");
}

TEST_F(EditFiles, ASentenceOfAMegabyte) {
    const std::string line = std::string(1 << 20, 'a') + "\n";
    folder_.file("dev.src", line);
    folder_.file("dev.ref0", line);
    EXPECT_EQ(read_from(folder_.path(), "jfleg").rows.items[0].input.size(), size_t{1} << 20);
}

// The development sets that are there as their authors publish them.
TEST(EditDatasets, RealFilesOfJflegAssetAndTurk) {
    CRAFT_REFERENCE_FILE(data, "data");
    EXPECT_EQ(read_from(data, "jfleg").rows.items.size(), 754u);
    const ReadDataset asset = read_from(data, "asset"), turk = read_from(data, "turk");
    EXPECT_EQ(asset.rows.items.size(), 2000u);
    EXPECT_EQ(asset.rows.items[0].references.size(), 10u);
    EXPECT_EQ(turk.rows.items.size(), 2000u);
    EXPECT_EQ(turk.rows.items[0].references.size(), 8u);
}

}  // namespace
}  // namespace craft

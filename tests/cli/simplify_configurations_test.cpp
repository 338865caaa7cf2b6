// Each file of configs/simplify beside its command: what it says is read, fits, and can be done but for the servers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "judge/verdicts/guideline.h"
#include "simplify/policy.h"
#include "systems/prompt_files.h"
#include "tests/cli/revising_server.h"
#include "tests/source.h"
#include "text/utf8.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::run_command;
using testing::HasSubstr;

const fs::path kTree = test_source();
const fs::path kConfigs = kTree / "configs" / "simplify";

// Files name others from the repository's root on.
class InTheTree {
public:
    InTheTree() : before_(fs::current_path()) { fs::current_path(kTree); }
    ~InTheTree() { fs::current_path(before_); }
    InTheTree(const InTheTree&) = delete;
    InTheTree& operator=(const InTheTree&) = delete;

private:
    fs::path before_;
};

Arguments command_of(const std::string& file) {
    if (file == "models.json") return {"simplify", "run", "--policy", "lexical", "--model", "openai:phi4-14b"};
    if (file.ends_with("-document.json") && !file.starts_with("judge"))
        return file.starts_with("run") ? Arguments{"simplify", "run"} : Arguments{"simplify", "candidates"};
    if (file.starts_with("candidates")) return {"simplify", "candidates", "--policy", "lexical"};
    if (file.starts_with("run")) return {"simplify", "run", "--policy", "rewriting"};
    if (file.starts_with("train")) return {"simplify", "train"};
    if (file.starts_with("sft")) return {"sft"};
    if (file.starts_with("judge")) return {"judge"};
    if (file.starts_with("pairs")) return {"simplify", "pairs", "--policy", "lexical"};
    return {};
}

std::map<std::string, Json> resolved_all() {
    std::map<std::string, Json> all;
    for (const auto& entry : fs::directory_iterator(kConfigs)) {
        const std::string file = entry.path().filename().string();
        if (file.starts_with("experiment")) continue;  // configurations_test.cpp
        Arguments command = command_of(file);
        EXPECT_FALSE(command.empty()) << file << " is of no command";
        command.insert(command.end(), {"--config", entry.path().string(), "--dump-config"});
        const auto outcome = run_command(command);
        EXPECT_EQ(outcome.code, 0) << file << ": " << outcome.err;
        all[file] = outcome.code == 0 ? parse_json(outcome.out, file) : Json();
    }
    return all;
}

TEST(SimplifyConfigurations, AreReadByTheirCommandsAndToldOf) {
    const InTheTree here;
    const std::map<std::string, Json> all = resolved_all();
    std::string told;
    for (const char* page :
         {"simplification.md", "simplification-job.md", "simplification-feedback.md", "simplification-rules.md"})
        told += read_file(kTree / "docs" / page);
    for (const auto& [file, resolved] : all) EXPECT_THAT(told, HasSubstr("`" + file + "`"));
    EXPECT_EQ(all.at("candidates.json")["systems"].size(), 4u);
    EXPECT_EQ(all.at("candidates-document.json")["systems"], all.at("candidates.json")["systems"]);
    EXPECT_EQ(all.at("candidates-document.json")["sampling"]["max_new_tokens"], 2048);
    EXPECT_EQ(all.at("run-document.json")["policy"], "document");
    EXPECT_EQ(all.at("run-document.json")["sampling"]["temperature"], 0);
    EXPECT_EQ(all.at("train-3k.json")["data"]["count"], 3000);
    EXPECT_EQ(all.at("train-3k.json")["loss"]["name"], "arpo_simpo");
    EXPECT_EQ(all.at("train-sft.json")["train"]["lr"], 2e-4);
    EXPECT_EQ(all.at("judge-rewriting-no-think.json")["aspect"], "Overall");
    EXPECT_EQ(all.at("judge-rewriting-no-think.json")["judge_sampling"]["max_new_tokens"], 4096);
    EXPECT_EQ(all.at("pairs-lens-salsa.json")["judge"], "scores");
    EXPECT_EQ(all.at("run-feedback.json")["feedback"], Json::parse(R"({"rounds":2,"form":"apart","keep":"last"})"));
    EXPECT_EQ(all.at("run-feedback.json")["judge"], "openai:judge");
}

// `judge` with one of these asks what `simplify pairs` asks by itself.
TEST(SimplifyConfigurations, JudgesHaveWhatTheirPoliciesHave) {
    for (const auto& [name, policy] : simplification_policies()) {
        for (const char* thinks : {"", "-no-think"}) {
            const InTheTree here;
            const std::string file = "judge-" + name + thinks + ".json";
            const auto outcome = run_command({"judge", "--config", (kConfigs / file).string(), "--dump-config"});
            ASSERT_EQ(outcome.code, 0) << outcome.err;
            const Json resolved = parse_json(outcome.out, file);
            EXPECT_EQ(resolved["guideline"], "share/guidelines/" + policy_guideline(policy));
            EXPECT_EQ(resolved["aspect"], policy_aspect(policy));
            EXPECT_EQ(resolved["system_prompt"], "share/prompts/simplify." + name + ".txt");
            EXPECT_EQ(resolved["judge"], "openai:judge" + std::string(thinks));
            EXPECT_EQ(resolved["judgements"], "judgements-" + name + thinks + ".jsonl");
        }
    }
}

class SimplifyConfigurationsAtWork : public test::ReviseCase {
protected:
    void SetUp() override {
        folder_.file("c.jsonl", R"({"id":"1","source":"It was facile.","candidates":[{"system":"x","text":"It was easy."},)"
                                R"({"system":"y","text":"It was rather banal."},{"system":"z","text":"It was so."}]})"
                                "\n");
    }
    static Arguments judge(const std::string& file, const Arguments& more) {
        Arguments all = {"judge", "--config", (kConfigs / file).string()};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    Arguments pairs_by_lens_salsa() const {
        return {"simplify", "pairs",      "--config", (kConfigs / "pairs-lens-salsa.json").string(),
                "--policy", "lexical",    "--input",  at("c.jsonl"),
                "--output", at("p.jsonl")};
    }
    const InTheTree here_;
};

TEST_F(SimplifyConfigurationsAtWork, EveryJudgeHasItsQuestion) {
    size_t asked = 0;
    for (const auto& entry : fs::directory_iterator(kConfigs)) {
        const std::string file = entry.path().filename().string();
        if (!file.starts_with("judge-") || file.starts_with("judge-compare")) continue;
        const auto outcome = run_command(judge(file, {"--input", at("c.jsonl"), "--output", at("p.jsonl"), "--dry-run"}));
        ASSERT_EQ(outcome.code, 0) << file << ": " << outcome.err;
        const Json estimate = parse_json(outcome.out, file);
        EXPECT_EQ(estimate["judges"].size(), 1u);
        EXPECT_THAT(estimate["prompt"].dump(), HasSubstr("It was facile."));
        ++asked;
    }
    EXPECT_EQ(asked, 6u) << "two of each policy";
}

// The package stands in for LENS-SALSA: the more words, the better; it prints, as the real one does.
TEST_F(SimplifyConfigurationsAtWork, PairsByLensSalsaAreThoseOfItsScores) {
    folder_.file("lens.py",
                 "def download_model(name):\n    return name\n"
                 "class LENS_SALSA:\n"
                 "    def __init__(self, path):\n        print('loading', path)\n"
                 "    def score(self, complex, simple, batch_size, devices):\n"
                 "        assert devices is None and len(complex) == len(simple)\n"
                 "        return [10.5 * len(text.split()) for text in simple], None\n");
    ASSERT_EQ(::setenv("PYTHONPATH", folder_.path().c_str(), 1), 0);
    const auto outcome = run_command(pairs_by_lens_salsa());
    ::unsetenv("PYTHONPATH");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json pair = rows("p.jsonl").at(0);
    EXPECT_EQ(pair["prompt"][0]["content"], trim(read_file("share/prompts/simplify.lexical.txt")));
    EXPECT_FALSE(pair["provenance"].contains("guideline")) << "numbers read none";
    EXPECT_EQ(pair["provenance"]["chosen_system"], "y");
    EXPECT_EQ(pair["provenance"]["rejected_system"], "x") << "the first of two equals";
    EXPECT_EQ(pair["provenance"]["gap"], 10.5);
    const Json scores = read_json_file(at("p.jsonl.manifest.json"))["scores"];
    EXPECT_THAT(scores.dump(), HasSubstr("davidheineman/lens-salsa"));
}

TEST_F(SimplifyConfigurationsAtWork, LensSalsaWithoutItsPackageSaysSo) {
    const auto outcome = run_command(pairs_by_lens_salsa());
    EXPECT_EQ(outcome.code, 1);
    ASSERT_EQ(outcome.errors().size(), 1u) << outcome.err;
    EXPECT_FALSE(fs::exists(at("p.jsonl")));
}

TEST_F(SimplifyConfigurationsAtWork, ThinkAgainstNoThinkIsACommand) {
    const auto judgements = [&](const std::string& name, int best, int worst) {
        folder_.file(name, Json({{"id", "1"},
                                 {"judge", "openai:judge"},
                                 {"order", {0, 1, 2}},
                                 {"systems", {"x", "y", "z"}},
                                 {"verdict", {{"Overall", {{"best", best}, {"worst", worst}}}}},
                                 {"reply", "r"}})
                                   .dump() +
                               "\n");
    };
    judgements("judgements-rewriting.jsonl", 0, 2);
    judgements("judgements-rewriting-no-think.jsonl", 2, 0);
    fs::current_path(folder_.path());
    const auto outcome = run_command(judge("judge-compare-rewriting.json", {}));
    fs::current_path(kTree);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr("100 % reversed"));
}

}  // namespace
}  // namespace craft

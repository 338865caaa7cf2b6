// Every experiment of configs/ begins: its first stage is run on stand-ins, a server for hosted models, tiny models for
// local ones, a few rows for data sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/align/tiny_planner.h"
#include "tests/cli/configurations.h"
#include "tests/cli/revising_server.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::run_command;

std::string first_rows(const std::string& file, int count) {
    std::istringstream lines(read_file(file));
    std::string text;
    for (std::string line; count-- > 0 && std::getline(lines, line);) text += line + "\n";
    return text;
}

// Two texts that the stand-in server knows how to revise, of each form that some experiment reads.
const std::string kRows = [] {
    std::string rows;
    for (const std::string id : {"1", "2"})
        rows += Json({{"id", id},
                      {"domain", "c1"},
                      {"instruction", "Use less than 12 words:"},
                      {"text", "Road " + id + " is very long. It was very late."},
                      {"source", "Road " + id + " is very long."},
                      {"plan", {{{"sentence", "It was very late."}, {"plan", "Shorten it."}}}},
                      {"trace", {{"rounds", {{{"text", "Road " + id + " is long."}}}}}},
                      {"cost", {{"input_tokens", 100}, {"output_tokens", 20}}},
                      {"constraints", {{"word_count_check(12, \"less than\")"}}}})
                    .dump() +
                "\n";
    return rows;
}();

// The whole sentences as one change, where entries of a correction are asked for.
std::string entry_of(const std::string& asked) {
    const size_t source = asked.rfind("Sentence: ") + 10, target = asked.rfind("Correction: ") + 12;
    const auto line_at = [&](size_t begin) { return asked.substr(begin, asked.find('\n', begin) - begin); };
    return Json({{{"knowledge", "wording"},
                  {"modification", "transform"},
                  {"from", line_at(source)},
                  {"to", line_at(target)},
                  {"pattern", "[old -> new]"}}})
        .dump();
}

// It also marks what a joint judge shows, and notes what a correction changes.
std::string stand_in_answer(const Json& body, int64_t choice) {
    const std::string asked = body.at("messages").back().at("content");
    if (asked.find("Write down every change") != std::string::npos) return entry_of(asked);
    if (asked.find("> She have") != std::string::npos) return "Final Answer: She has a book .";
    if (asked.find("> He go") != std::string::npos) return "Final Answer: He goes home .";
    if (asked.find("output_1") == std::string::npos) return test::revising_answer(body, choice);
    const Json marks = {{"fluency", 5},   {"coherence", 4},        {"consistency", 5},
                        {"semantics", 5}, {"grammaticality", "0"}, {"overcorrection", "No"}};
    return Json({{"output_1", marks}, {"output_2", marks}}).dump();
}

chat_server::ChatServerOptions stand_in_server() {
    chat_server::ChatServerOptions options;
    options.answer = stand_in_answer;
    return options;
}

class ConfigurationsAtWork : public testing::Test {
protected:
    void SetUp() override {
        for (const char* name : {"OPENAI_API_KEY", "DEEPSEEK_API_KEY"}) ::setenv(name, "EMPTY", 1);
        for (const char* name : {"share", "configs", "scripts"})
            fs::create_directory_symlink(fs::path(test_source()) / name, folder_.path() / name);
        test::make_tiny_planner(folder_.path() / "model");  // its answers end, unlike a random model's
        fs::create_directory(folder_.path() / "weights");
        fs::create_directory_symlink(fs::path(test_source()) / "share/examples/encoder", folder_.path() / "weights/minilm");
    }
    void TearDown() override {
        for (const char* name : {"OPENAI_API_KEY", "DEEPSEEK_API_KEY"}) ::unsetenv(name);
    }
    void put(const fs::path& path, const std::string& bytes) const { folder_.file(path.string(), bytes); }
    void link(const fs::path& path, const fs::path& target) const {
        fs::create_directories((folder_.path() / path).parent_path());
        fs::create_symlink(target, folder_.path() / path);
    }
    // What a user or another experiment would have brought.
    void stand_in(const fs::path& path) const {
        const std::string name = path.filename().string();
        const fs::path examples = fs::path(test_source()) / "share/examples";
        const bool is_data = path.string().starts_with("data/") || path.string().starts_with("runs/");
        const auto says = [&](const char* part) { return name.find(part) != std::string::npos; };
        if (name == "editeval") return copy(path, examples / name);
        if (name == "results") return copy(path, editeval_results());
        if (name == "examples.sqlite") return index(path);
        if (says(".manifest.json")) return put(path, manifest_by_domain(examples / "tables/iter.manifest.json"));
        if (path.extension() == ".json") return link(path, examples / "tables" / ("iter." + name));
        if (path.extension() == ".m2") return put(path, read_file(examples / "learners.m2"));
        if (path.extension() == ".jsonl" && (says("cnn") || says("cord-texts") || says("tetra.jsonl")))
            return put(path, first_rows(test::kShare + "/texts/dev.jsonl", 12));
        if (path.extension() == ".jsonl") return put(path, kRows);
        if (is_data && path.has_extension()) return put(path, "She have a book .\nHe go home .\n");
        link(path, folder_.path() / "model");
    }
    static std::string manifest_by_domain(const fs::path& file) {
        Json manifest = read_json_file(file);
        manifest["by_domain"] = {{"c1", manifest["revised"]}};
        return manifest.dump();
    }
    void copy(const fs::path& path, const fs::path& from) const {
        fs::create_directories((folder_.path() / path).parent_path());
        fs::copy(from, folder_.path() / path, fs::copy_options::recursive);
    }
    fs::path editeval_results() const {
        const fs::path out = folder_.path() / "editeval-results";
        if (!fs::exists(out)) {
            const auto outcome =
                run_command({"eval", "editeval", "--data", "share/examples/editeval", "--predictions",
                             "share/examples/editeval/predictions.jsonl", "--out", out.string(), "--quiet"});
            EXPECT_EQ(outcome.code, 0) << outcome.err;
        }
        return out;
    }
    void index(const fs::path& path) const {
        fs::create_directories((folder_.path() / path).parent_path());
        const auto outcome = run_command({"gec", "index", "--pairs", "share/examples/sentence_pairs.jsonl", "--encoder",
                                          "weights/minilm", "--out", path.string(), "--quiet"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
    // The first stage alone, with stand-ins of the models; small where a size can be given.
    Json overlay(const test::LoadedExperiment& experiment) const {
        const ExperimentStage& first = experiment.stages.front();
        Json options = Json::object();
        for (const auto& [name, profile] : first.said.profiles.items())
            options["openai"][name] = {{"base_url", server_.base_url()}, {"endpoints", nullptr}, {"key_env", nullptr}};
        const std::string command = first.command->name;
        if (!first.said.profiles.empty()) options["answers"] = (folder_.path() / "answers").string();
        if (command == "constraints") options["count"] = 2;
        if (command == "revise" && first.options.contains("scorers")) options["scorers"] = {"perplexity"};
        if (command == "eval editeval" && first.options.contains("system")) {
            const bool is_hosted = first.options["system"].get<std::string>().starts_with("openai:");
            options.update({{"items", 1}, {"tasks", {"paraphrasing"}}, {"sampling.max_new_tokens", is_hosted ? 64 : 4}});
        }
        if (command == "plan") options["max_new_tokens"] = 4;
        Json stages = {{first.name, {{"options", options}}}};
        for (const auto& [name, fields] : experiment.options.stages.items())
            if (name != first.name) stages[name] = nullptr;
        Json overlay = {{"stages", stages}};
        // A random model writes no plan, and no revision.
        for (const char* role : {"planner", "reviser"})
            if (experiment.options.variables.value(role, "").starts_with("local:"))
                overlay["variables"][role] = "openai:gpt-4o";
        return overlay;
    }
    TemporaryFolder folder_;
    chat_server::ChatServer server_{stand_in_server()};
};

TEST_F(ConfigurationsAtWork, EveryExperimentBegins) {
    const test::InFolder here(folder_.path());
    for (const char* model : {"tk-instruct", "t0", "t0pp", "opt"})  // results may lie in folders of any name
        stand_in(fs::path("runs/editeval") / model / "results");
    static const std::regex not_there(
        ": expected a file or folder, got ([^ ]+), which is not there(, nor in the Hugging Face cache)?$");
    size_t begun = 0;
    for (const std::string& file : test::configurations()) {
        if (test::command_of(file) != "run") continue;
        const test::LoadedExperiment missing(file);
        for (const std::string& problem : missing.problems) {
            std::smatch found;
            ASSERT_TRUE(std::regex_search(problem, found, not_there)) << file << ": " << problem;
            if (!fs::exists(found[1].str())) stand_in(found[1].str());
        }
        const test::LoadedExperiment experiment(file);
        ASSERT_FALSE(experiment.stages.empty()) << file;
        const std::string more = folder_.file("overlay.json", overlay(experiment).dump());
        const std::string out = (folder_.path() / "begun" / std::to_string(begun++)).string();
        const auto outcome = run_command({"run", "configs/" + file, "--config", more, "--out", out, "--quiet"});
        EXPECT_EQ(outcome.code, 0) << file << ": " << outcome.err;
        EXPECT_TRUE(read_json_file(fs::path(out) / "stages" / experiment.stages.front().name / "manifest.json")["finished"])
            << file;
    }
    EXPECT_GE(begun, 85u);
}

}  // namespace
}  // namespace craft

#include "cli/experiment.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kStageFields = {"command", "config", "options", "launcher"};

// Names that become those of files.
bool is_plain_name(const std::string& name) {
    return !name.empty() && std::all_of(name.begin(), name.end(),
                                        [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
}

std::string shown_value(const Json& value) {
    return value.is_string() ? value.get<std::string>() : dump_line(value);
}

// {name} in texts. A text that is nothing but one stands for its value, whatever that is: a number, a list.
class Variables {
public:
    Variables(const Json& values, const fs::path& out) : values_(values) { values_["out"] = out.string(); }

    Json in(const Json& value, const std::string& where, std::vector<std::string>& problems) {
        if (value.is_structured()) {
            Json filled = value;
            for (auto& [key, inner] : filled.items())
                inner = in(inner, value.is_object() ? where + "." + key : where, problems);
            return filled;
        }
        return value.is_string() ? in_text(value.get<std::string>(), where, problems) : value;
    }

    // Those that something stands for, so far.
    const std::set<std::string>& used() const { return used_; }

private:
    Json in_text(const std::string& text, const std::string& where, std::vector<std::string>& problems) {
        std::string filled;
        for (size_t at = 0; at < text.size();) {
            const size_t open = text.find('{', at);
            const size_t close = open == std::string::npos ? open : text.find('}', open);
            const std::string name = close == std::string::npos ? "" : text.substr(open + 1, close - open - 1);
            if (!is_plain_name(name)) {  // another brace
                const size_t next = open == std::string::npos ? text.size() : open + 1;
                filled += text.substr(at, next - at);
                at = next;
                continue;
            }
            const Json value = value_of(name, where, problems);
            if (open == 0 && close + 1 == text.size()) return value;
            filled += text.substr(at, open - at) + shown_value(value);
            at = close + 1;
        }
        return filled;
    }
    Json value_of(const std::string& name, const std::string& where, std::vector<std::string>& problems) {
        if (!values_.contains(name)) {
            std::vector<std::string> known;
            for (const auto& [one, value] : values_.items()) known.push_back(one);
            problems.push_back(where + ": unknown variable '{" + name + "}'" + did_you_mean(name, known));
            return "";
        }
        if (!open_.insert(name).second) {
            problems.push_back(where + ": the variable '{" + name + "}' stands for itself");
            return "";
        }
        used_.insert(name);
        Json value = in(values_[name], "variables." + name, problems);
        open_.erase(name);
        return value;
    }

    Json values_;
    std::set<std::string> open_;  // whose values are being filled in
    std::set<std::string> used_;
};

// The variable that is all of a text; "": the text is another one.
std::string lone_variable(const std::string& text) {
    if (!text.starts_with("{") || !text.ends_with("}")) return "";
    const std::string name = text.substr(1, text.size() - 2);
    return is_plain_name(name) ? name : "";
}

// Whether a process can be started by this word.
bool is_program(const std::string& word) {
    const auto is_one = [](const fs::path& file) {
        std::error_code code;
        return fs::is_regular_file(file, code) && ::access(file.c_str(), X_OK) == 0;
    };
    if (word.find('/') != std::string::npos) return is_one(word);
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (is_one(fs::path(folder.empty() ? "." : folder) / word)) return true;
    return false;
}

// org/name
bool may_be_hub_name(const fs::path& path) {
    return path.is_relative() && std::distance(path.begin(), path.end()) == 2 && *path.begin() != "." &&
           *path.begin() != ".." && !fs::exists(path.parent_path());
}

fs::path place_of(const fs::path& path) {
    std::error_code code;
    const fs::path whole = fs::absolute(path, code);
    fs::path place = fs::weakly_canonical(whole, code);
    if (place.filename().empty()) place = place.parent_path();
    return place;
}

bool lies_in(const fs::path& inner, const fs::path& outer) {
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

class Reader {
public:
    Reader(const ExperimentOptions& options, const std::vector<Command>& commands,
           const std::function<std::string(const std::string&)>& source_of, std::vector<std::string>& problems)
        : options_(options),
          commands_(commands),
          source_of_(source_of),
          problems_(problems),
          variables_(options.variables, options.out) {}

    std::vector<ExperimentStage> read() {
        std::vector<ExperimentStage> stages;
        for (const auto& [name, fields] : options_.stages.items())
            if (auto stage = stage_of(name, fields)) stages.push_back(std::move(*stage));
        check_given_variables();
        if (stages.empty() && problems_.empty()) add("stages: expected at least one, got none");
        for (const ExperimentStage& stage : stages) check_inputs(stage, stages);
        return stages;
    }

private:
    void add(const std::string& problem) {
        if (std::find(problems_.begin(), problems_.end(), problem) == problems_.end()) problems_.push_back(problem);
    }
    std::optional<ExperimentStage> stage_of(const std::string& name, const Json& fields) {
        const std::string where = "stages." + name;
        const size_t before = problems_.size();
        if (!is_plain_name(name))
            add(where + ": expected a name of letters, digits, - and _, got '" + shortened(name, 40) + "'");
        if (!fields.is_object()) {
            add(where + ": expected an object, got " + shortened(dump_line(fields), 40));
            return std::nullopt;
        }
        for (const auto& [field, value] : fields.items())
            if (std::find(kStageFields.begin(), kStageFields.end(), field) == kStageFields.end())
                add(where + ": unknown key '" + shortened(field, 40) + "'" + did_you_mean(field, kStageFields));
        const Json filled = variables_.in(fields, where, problems_);
        ExperimentStage stage;
        stage.name = name;
        stage.command = command_of(filled, where);
        stage.configurations = configurations_of(fields, filled, where);
        for (const std::string& words : texts_of(filled, "launcher", where)) {
            std::istringstream stream(words);
            for (std::string word; stream >> word;) stage.launcher.push_back(word);
        }
        stage.options = options_.common;
        if (!filled.contains("options") || filled["options"].is_object())
            stage.options.update(filled.value("options", Json::object()));
        else
            add(where + ".options: expected an object, got " + shortened(dump_line(filled["options"]), 40));
        if (problems_.size() > before) return std::nullopt;
        if (!options_.is_estimate && !stage.launcher.empty() && !is_program(stage.launcher.front()))
            add(where + ".launcher: expected a program, got '" + shortened(stage.launcher.front(), 80) +
                "', which is not on the PATH");
        stage.said.options = stage.options;
        stage.said.source = "stage " + name;
        stage.said.needs_keys = !options_.is_estimate;
        stage.said.ask(*stage.command, stage.configurations);
        for (const std::string& problem : stage.said.problems) add_of_stage(stage, problem);
        return stage;
    }
    // What is wrong with a file is said once, not by each stage that reads it.
    void add_of_stage(const ExperimentStage& stage, const std::string& problem) {
        const bool says_where =
            problem.starts_with("stage " + stage.name + ": ") ||
            std::any_of(stage.configurations.begin(), stage.configurations.end(), [&](const fs::path& file) {
                const std::string folder = file.parent_path().string();  // of what it is based on, too
                return problem.starts_with(folder.empty() ? file.string() : folder + "/");
            });
        add(says_where ? problem : "stage " + stage.name + ": " + problem);
    }
    const Command* command_of(const Json& fields, const std::string& where) {
        const std::string name = fields.contains("command") ? shown_value(fields["command"]) : "";
        std::vector<std::string> known;
        for (const Command& command : commands_) {
            known.push_back(command.name);
            if (command.name == name && name != "run") return &command;
        }
        add(where + ".command: " +
            (name == "run" ? "an experiment runs no experiments"
                           : "unknown command '" + shortened(name, 40) + "'" + did_you_mean(name, known)));
        return nullptr;
    }
    // Each relative to the file that names it: the stage's, or that of the variable that stands for it.
    std::vector<fs::path> configurations_of(const Json& fields, const Json& filled, const std::string& where) {
        std::vector<fs::path> files;
        if (!fields.contains("config")) return files;
        const Json named = as_list(fields["config"]), there = as_list(filled["config"]);
        for (size_t i = 0; i < named.size(); ++i) {
            const std::string variable = named[i].is_string() ? lone_variable(named[i].get<std::string>()) : "";
            const fs::path folder =
                fs::path(source_of_(variable.empty() ? where + ".config" : "variables." + variable)).parent_path();
            for (const std::string& file : texts_of({{"config", there[i]}}, "config", where)) files.push_back(folder / file);
        }
        return files;
    }
    // One that is misspelt would leave the experiment as it was.
    void check_given_variables() {
        for (const auto& [name, value] : options_.variables.items())
            if (source_of_("variables." + name) == "--set" && !variables_.used().contains(name))
                add("--set variables." + name + ": expected a variable of the experiment, got one that no stage uses" +
                    did_you_mean(name, {variables_.used().begin(), variables_.used().end()}));
    }
    // A text, or a list of them.
    std::vector<std::string> texts_of(const Json& fields, const std::string& name, const std::string& where) {
        std::vector<std::string> texts;
        if (!fields.contains(name)) return texts;
        const Json& value = fields[name];
        for (const Json& one : as_list(value)) {
            if (one.is_string())
                texts.push_back(one.get<std::string>());
            else
                add(where + "." + name + ": expected a text or a list of texts, got " + shortened(dump_line(value), 40));
        }
        return texts;
    }
    static Json as_list(const Json& value) { return value.is_array() ? value : Json::array({value}); }
    void check_inputs(const ExperimentStage& stage, const std::vector<ExperimentStage>& stages) {
        for (const NamedPath& input : stage.said.inputs) {
            const ExperimentStage* maker = maker_of(place_of(input.path), stages);
            const bool is_earlier = maker != nullptr && maker < &stage;  // of one vector
            std::error_code code;
            if (is_earlier || fs::exists(input.path, code)) continue;
            add("stage " + stage.name + ": " + input.option + ": expected a file or folder, got " +
                shortened(input.path.string(), 200) + ", which is not there" +
                (may_be_hub_name(input.path) ? ", nor in the Hugging Face cache" : "") +
                (maker == nullptr ? "" : " (stage " + maker->name + " writes it, and comes later)"));
        }
        for (const NamedPath& output : stage.said.outputs) {
            const ExperimentStage* other = maker_of(place_of(output.path), stages);
            if (other != nullptr && other < &stage)
                add("stage " + stage.name + ": " + output.option + ": stage " + other->name + " writes " +
                    shortened(output.path.string(), 200) + ", too");
        }
    }
    // The first stage that writes this, or a folder that it lies in.
    static const ExperimentStage* maker_of(const fs::path& place, const std::vector<ExperimentStage>& stages) {
        for (const ExperimentStage& stage : stages)
            for (const NamedPath& output : stage.said.outputs)
                if (lies_in(place, place_of(output.path))) return &stage;
        return nullptr;
    }

    const ExperimentOptions& options_;
    const std::vector<Command>& commands_;
    const std::function<std::string(const std::string&)>& source_of_;
    std::vector<std::string>& problems_;
    Variables variables_;
};

}  // namespace

bool ExperimentStage::has_outputs() const {
    return std::all_of(said.outputs.begin(), said.outputs.end(), [](const NamedPath& output) {
        std::error_code code;
        return fs::exists(output.path, code);
    });
}

std::vector<ExperimentStage> read_experiment(const ExperimentOptions& options, const std::vector<Command>& commands,
                                             const std::function<std::string(const std::string&)>& source_of,
                                             std::vector<std::string>& problems) {
    return Reader(options, commands, source_of, problems).read();
}

}  // namespace craft

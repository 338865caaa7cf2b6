#include "view/report_overview.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <map>

#include "core/progress.h"
#include "view/record_fields.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

std::string date_text(fs::file_time_type time) {
    if (time == fs::file_time_type::min()) return "";
    const std::time_t seconds = std::chrono::system_clock::to_time_t(
        std::chrono::time_point_cast<std::chrono::system_clock::duration>(std::chrono::file_clock::to_sys(time)));
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char text[40];
    return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc));
}

std::string state_of(const ReportRun& run) {
    if (run.manifest.empty())
        return run.manifests.empty() ? "no manifest" : "outputs of " + std::to_string(run.manifests.size()) + " commands";
    return run.finished ? "finished" : "not finished: it goes on, or was stopped";
}

std::string text_of(const ReportRun& run, const char* field) {
    const Json& value = RecordFields(run.manifest).any(field);
    return value.is_null() ? "" : shown_value(value);
}

std::string versions_of(const ReportRun& run) {
    RecordFields fields(run.manifest);
    std::string all;
    for (const auto& [name, version] : fields.object("versions").items())
        all += (all.empty() ? "" : "\n") + name + " " + shown_value(version);
    return all;
}

std::string command_line_of(const ReportRun& run) {
    RecordFields fields(run.manifest);
    std::string all;
    for (const Json& word : fields.list("command_line")) all += (all.empty() ? "" : " ") + shown_value(word);
    return all;
}

std::string time_of(const ReportRun& run) {
    const auto seconds = RecordFields(run.manifest).number("wall_seconds");
    return seconds ? readable_duration(*seconds) : "";
}

ReportTable runs_table(const std::vector<ReportRun>& runs) {
    ReportTable table{"Runs", {"Run"}, {}};
    for (const ReportRun& run : runs) table.columns.push_back(run.name);
    const auto add = [&](const char* name, const std::function<std::string(const ReportRun&)>& cell) {
        std::vector<std::string> cells = {name};
        for (const ReportRun& run : runs) cells.push_back(cell(run));
        const bool is_said = std::any_of(cells.begin() + 1, cells.end(), [](const auto& one) { return !one.empty(); });
        if (is_said) table.rows.push_back(std::move(cells));
    };
    add("Folder", [](const ReportRun& run) { return run.path.string(); });
    add("Command", [](const ReportRun& run) { return text_of(run, "command"); });
    add("State", state_of);
    add("Seed", [](const ReportRun& run) { return text_of(run, "seed"); });
    add("Last change", [](const ReportRun& run) { return date_text(run.changed); });
    add("Time", time_of);
    add("Resumed, times", [](const ReportRun& run) { return text_of(run, "resumes"); });
    add("Versions", versions_of);
    add("Command line", command_line_of);
    return table;
}

void flatten(const Json& value, const std::string& key, std::map<std::string, std::string>& options) {
    if (!value.is_object() || value.empty()) {
        // A rate of 1e-09 would be 0 in three digits.
        options[key] = value.is_string() ? value.get<std::string>() : dump_line(value);
        return;
    }
    for (const auto& [name, inner] : value.items()) flatten(inner, key.empty() ? name : key + "." + name, options);
}

// Only where two runs have an option, and not the same value.
ReportTable options_table(const std::vector<ReportRun>& runs) {
    ReportTable table{"Options in which runs differ", {"Option"}, {}};
    std::map<std::string, std::vector<std::string>> rows;
    for (size_t i = 0; i < runs.size(); ++i) {
        table.columns.push_back(runs[i].name);
        std::map<std::string, std::string> options;
        RecordFields fields(runs[i].manifest);
        flatten(fields.object("configuration"), "", options);
        for (const auto& [name, value] : options) {
            rows[name].resize(runs.size());
            rows[name][i] = value;
        }
    }
    for (auto& [name, values] : rows) {
        std::vector<std::string> given;
        std::copy_if(values.begin(), values.end(), std::back_inserter(given), [](const auto& one) { return !one.empty(); });
        if (std::adjacent_find(given.begin(), given.end(), std::not_equal_to<>()) == given.end()) continue;
        values.insert(values.begin(), name);
        table.rows.push_back(std::move(values));
    }
    return table;
}

// Of what stands under "usage" in a manifest, or in its notes: {role: {stage: sums}}.
void add_usage(const std::string& run, const NamedJson& manifest, ReportTable& table) {
    RecordFields fields(manifest.content);
    RecordFields notes(fields.object("notes"));
    for (const Json* usage : {&fields.object("usage"), &notes.object("usage")}) {
        RecordFields of(*usage);
        for (const auto& [role, stages] : of.object("roles").items()) {
            if (!stages.is_object()) continue;
            for (const auto& [stage, sums] : stages.items()) {
                RecordFields one(sums);
                const auto usd = one.number("usd");
                std::vector<std::string> cells = {run, role + (stage.empty() ? "" : ", " + stage)};
                for (const char* name : {"requests", "hits", "prompt_tokens", "cached_tokens", "new_tokens", "retries"})
                    cells.push_back(figure_text(one.number(name), 0));
                cells.push_back(figure_text(one.number("seconds"), 1));
                cells.push_back(usd ? figure_text(usd, 4) : "not known");
                table.rows.push_back(std::move(cells));
            }
        }
    }
}

}  // namespace

ReportSection runs_section(const std::vector<ReportRun>& runs) {
    ReportSection section{"runs", "Runs"};
    for (const ReportRun& run : runs) {
        if (!run.manifest.empty() && !run.finished)
            section.parts.emplace_back(ReportNote{run.name + " is not finished: what it has made so far is shown."});
        for (const std::string& note : run.notes) section.parts.emplace_back(ReportNote{run.name + ": " + note});
    }
    section.parts.emplace_back(runs_table(runs));
    if (ReportTable options = options_table(runs); !options.rows.empty()) section.parts.emplace_back(std::move(options));
    return section;
}

ReportSection cost_section(const std::vector<ReportRun>& runs) {
    ReportSection section{"cost", "Cost"};
    ReportTable time{"Time and memory", {"Run", "Command", "Wall time", "Memory at most (MB)", "Tokens trained on"}, {}};
    ReportTable generated{"Tokens generated", {"Run and stage", "Tokens", "Seconds of generation", "Seconds in all"}, {}};
    ReportTable usage{"Answers of systems",
                      {"Run", "Role", "Requests", "Recorded", "Prompt tokens", "Cached tokens", "New tokens", "Retries",
                       "Seconds of waiting", "USD"},
                      {}};
    for (const ReportRun& run : runs) {
        for (const NamedJson& manifest : run.manifests) {
            RecordFields fields(manifest.content);
            RecordFields notes(fields.object("notes"));
            RecordFields training(notes.object("training"));
            const auto seconds = fields.number("wall_seconds"), bytes = fields.number("peak_memory_bytes");
            time.rows.push_back({run.name, fields.text("command").value_or(manifest.name),
                                 seconds ? readable_duration(*seconds) : "", bytes ? figure_text(*bytes / 1e6, 0) : "",
                                 figure_text(training.number("tokens"), 0)});
            add_usage(run.name, manifest, usage);
        }
        const auto add_generated = [&](const std::string& name, const Json& stage) {
            RecordFields fields(stage);
            if (const auto tokens = fields.number("generated_tokens"))
                generated.rows.push_back({run.name + ": " + name, figure_text(tokens, 0),
                                          figure_text(fields.number("generation_seconds"), 1),
                                          figure_text(fields.number("seconds"), 1)});
        };
        for (const Json& stage : run.stages) add_generated(RecordFields(stage).text("name").value_or("?"), stage);
        for (const NamedJson& round : run.rounds) add_generated(round.name + ", samples", round.content);
    }
    for (ReportTable* table : {&time, &generated, &usage})
        if (!table->rows.empty()) section.parts.emplace_back(std::move(*table));
    return section;
}

}  // namespace craft

#include "simplify/run/policy_summary.h"

#include <cstdio>

#include "core/error.h"
#include "core/json_problem.h"
#include "text/code_points.h"
#include "text/sentences.h"
#include "text/utf8.h"

namespace craft {

namespace {

using OptionalFigure = std::optional<double> PolicyFigures::*;

const std::vector<std::pair<const char*, OptionalFigure>>& figure_fields() {
    static const std::vector<std::pair<const char*, OptionalFigure>> kFields = {
        {"follows", &PolicyFigures::follows},       {"follows_other_judge", &PolicyFigures::follows_other_judge},
        {"sari_asset", &PolicyFigures::sari_asset}, {"sari_turk", &PolicyFigures::sari_turk},
        {"splits", &PolicyFigures::splits},         {"compression", &PolicyFigures::compression}};
    return kFields;
}

std::string shown(const std::optional<double>& value, double scale, int digits) {
    char text[32];
    if (!value) return "-";
    std::snprintf(text, sizeof text, "%.*f", digits, scale * *value);
    return text;
}

std::string policy_table(const std::string& policy, const PolicySummary& summary) {
    std::string table;
    char line[256];
    std::snprintf(line, sizeof line, "%-12s%12s%14s%12s%12s%10s%13s\n", policy.c_str(), "follows %", "other judge %",
                  "SARI ASSET", "SARI Turk", "splits", "compression");
    table += line;
    for (const auto& [name, figures] : summary.systems) {
        std::snprintf(line, sizeof line, "%-12s%12s%14s%12s%12s%10s%13s\n", name.c_str(),
                      shown(figures.follows, 100, 1).c_str(), shown(figures.follows_other_judge, 100, 1).c_str(),
                      shown(figures.sari_asset, 1, 2).c_str(), shown(figures.sari_turk, 1, 2).c_str(),
                      shown(figures.splits, 1, 2).c_str(), shown(figures.compression, 1, 2).c_str());
        table += line;
    }
    table += "seconds:";
    for (const auto& [stage, seconds] : summary.stages) {
        std::snprintf(line, sizeof line, "%s %s %.0f", table.back() == ':' ? "" : ",", stage.c_str(), seconds);
        table += line;
    }
    std::snprintf(line, sizeof line, "; in all %.0f\n", summary.seconds());
    return table + line;
}

}  // namespace

Json to_json(const FoundOutput& output) {
    Json row = {{"id", output.id},
                {"source", output.source},
                {"text", output.text},
                {"follows", output.follows},
                {"follows_other_judge", output.follows_other_judge}};
    if (!output.failure.empty()) row["failure"] = output.failure;
    return row;
}

FoundOutput found_output_from_json(const Json& row, const std::string& where) {
    FoundOutput output;
    output.id = id_text(row, where);
    output.source = string_field(row, "source", where);
    output.text = string_field(row, "text", where);
    output.failure = optional_string_field(row, "failure", where).value_or("");
    try {
        output.follows = row.at("follows").get<bool>();
        output.follows_other_judge = row.at("follows_other_judge").get<bool>();
    } catch (const Json::exception&) {
        throw Error(where, "an output of this run: \"follows\" and \"follows_other_judge\", true or false", "another row");
    }
    return output;
}

PolicyFigures policy_figures_of(const std::vector<FoundOutput>& outputs) {
    PolicyFigures figures;
    double follows = 0, follows_other = 0, splits = 0, compression = 0;
    int64_t answered = 0;
    for (const FoundOutput& one : outputs) {
        ++figures.sentences;
        figures.cut += one.failure == "cut" ? 1 : 0;
        follows += one.follows ? 1 : 0;
        follows_other += one.follows_other_judge ? 1 : 0;
        const std::string text = trim(one.text), source = trim(one.source);
        if (!one.failure.empty() || text.empty() || source.empty()) {
            ++figures.unanswered;
            continue;
        }
        ++answered;
        splits += static_cast<double>(split_sentences(text, SentenceRule::icu).size()) /
                  static_cast<double>(split_sentences(source, SentenceRule::icu).size());
        compression += static_cast<double>(count_code_points(text)) / static_cast<double>(count_code_points(source));
    }
    if (figures.sentences > 0) {
        figures.follows = follows / static_cast<double>(figures.sentences);
        figures.follows_other_judge = follows_other / static_cast<double>(figures.sentences);
    }
    if (answered > 0) {
        figures.splits = splits / static_cast<double>(answered);
        figures.compression = compression / static_cast<double>(answered);
    }
    return figures;
}

double PolicySummary::seconds() const {
    double sum = 0;
    for (const auto& [stage, seconds] : stages) sum += seconds;
    return sum;
}

double SimplifySummary::seconds() const {
    double sum = 0;
    for (const auto& [name, policy] : policies) sum += policy.seconds();
    return sum;
}

Json to_json(const SimplifySummary& summary) {
    Json json = {{"policies", Json::object()},
                 {"seconds", summary.seconds()},
                 {"stages", Json::object()},
                 {"counts", Json::object()}};
    for (const auto& [name, policy] : summary.policies) {
        Json& systems = json["policies"][name] = Json::object();
        Json outputs = Json::object();
        for (const auto& [system, figures] : policy.systems) {
            for (const auto& [key, field] : figure_fields())
                systems[system][key] = figures.*field ? Json(*(figures.*field)) : Json();
            outputs[system] = {{"sentences", figures.sentences}, {"unanswered", figures.unanswered}, {"cut", figures.cut}};
        }
        // A list, since the keys of an object have an order of their own.
        Json& stages = json["stages"][name] = Json::array();
        for (const auto& [stage, seconds] : policy.stages) stages.push_back({{"stage", stage}, {"seconds", seconds}});
        json["counts"][name] = policy.counts;
        json["counts"][name]["outputs"] = outputs;
    }
    return json;
}

SimplifySummary simplify_summary_from_json(const Json& object, const std::string& where) try {
    SimplifySummary summary;
    for (const auto& [name, systems] : object.at("policies").items()) {
        PolicySummary policy;
        for (const char* system : {"zero_shot", "few_shot", "sft", "trained", "random"}) {
            PolicyFigures figures;
            for (const auto& [key, field] : figure_fields())
                if (const Json& value = systems.at(system).at(key); !value.is_null()) figures.*field = value.get<double>();
            const Json& counts = object.at("counts").at(name).at("outputs").at(system);
            figures.sentences = counts.at("sentences").get<int64_t>();
            figures.unanswered = counts.at("unanswered").get<int64_t>();
            figures.cut = counts.at("cut").get<int64_t>();
            policy.systems.emplace_back(system, figures);
        }
        for (const Json& stage : object.at("stages").at(name))
            policy.stages.emplace_back(stage.at("stage").get<std::string>(), stage.at("seconds").get<double>());
        policy.counts = object.at("counts").at(name);
        policy.counts.erase("outputs");
        summary.policies.emplace_back(name, std::move(policy));
    }
    return summary;
} catch (const Json::exception& error) {
    throw Error(where, "the summary of a run of simplify", json_problem(error.what()));
}

std::string summary_table(const SimplifySummary& summary) {
    std::string table;
    for (const auto& [name, policy] : summary.policies) table += (table.empty() ? "" : "\n") + policy_table(name, policy);
    return table;
}

}  // namespace craft

#include "align/summary.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/error.h"
#include "core/files.h"
#include "core/json_problem.h"
#include "core/metrics.h"
#include "metrics/statistics/paired.h"

namespace craft {

namespace {

constexpr const char* kSummaryFile = "summary.json";
constexpr std::array kCompared = {"constraint_f1", "exact_match", "s_c", "s_a"};

std::string number(double value, int digits) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

int64_t total(const std::map<std::string, int64_t>& counts) {
    int64_t sum = 0;
    for (const auto& [reason, count] : counts) sum += count;
    return sum;
}

// "9", and where there are some of later steps "9 (4+0+5)".
std::string pairs_told(const SummaryStage& stage) {
    if (stage.pairs == 0) return "-";
    std::string told = std::to_string(stage.pairs);
    if (stage.pairs_by_step.empty() || stage.pairs_by_step.rbegin()->first == 1) return told;
    std::string steps;
    for (int64_t step = 1; step <= stage.pairs_by_step.rbegin()->first; ++step) {
        const auto found = stage.pairs_by_step.find(step);
        steps += (steps.empty() ? "" : "+") + std::to_string(found == stage.pairs_by_step.end() ? 0 : found->second);
    }
    return told + " (" + steps + ")";
}

Json difference_json(const StageDifference& difference) {
    Json object = {{"row", difference.row}, {"other", difference.other}};
    if (!difference.domains.empty()) object["domains"] = difference.domains;
    for (const auto& [name, of] : difference.figures)
        object[name] = {
            {"items", of.items}, {"difference", of.difference}, {"interval", {of.interval.first, of.interval.second}}};
    return object;
}

StageDifference difference_from_json(const Json& object) {
    StageDifference difference{object.at("row").get<std::string>(),
                               object.at("other").get<std::string>(),
                               object.value("domains", std::set<std::string>()),
                               {}};
    for (const char* name : kCompared) {
        const auto of = object.find(name);
        if (of == object.end()) continue;
        const bool is_older = of->is_number();  // the one figure of an older file has its items and interval beside it
        const Json &rest = is_older ? object : *of, &interval = rest.at("interval");
        difference.figures[name] = {rest.at("items").get<int64_t>(),
                                    (is_older ? *of : of->at("difference")).get<double>(),
                                    {interval.at(0).get<double>(), interval.at(1).get<double>()}};
    }
    return difference;
}

std::vector<std::string> row(const SummaryStage& stage, const std::string& name) {
    const PlannerScores& s = stage.dev.overall;
    const double generated = stage.dev.seconds > 0 ? static_cast<double>(stage.dev.tokens) / stage.dev.seconds : 0;
    const auto interval = s.intervals.find("constraint_f1");
    return {name,
            number(s.tool_f1, 3),
            number(s.constraint_f1, 3),
            interval == s.intervals.end() ? "-"
                                          : number(interval->second.first, 2) + " to " + number(interval->second.second, 2),
            number(s.exact_match, 3),
            s.s_c ? number(*s.s_c, 3) : "-",
            s.s_r ? number(*s.s_r, 1) : "-",
            number(s.s_a, 1),
            pairs_told(stage),
            stage.dropped.empty() ? "-" : std::to_string(total(stage.dropped)),
            stage.tokens_per_second > 0 ? number(stage.tokens_per_second, 0) : "-",
            number(generated, 0),
            number(stage.seconds, 0)};
}

}  // namespace

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

StageDifference difference_of(const SummaryStage& row, const SummaryStage& other, const std::set<std::string>& domains) {
    StageDifference result{row.name, other.name, domains, {}};
    PairedOptions options;
    options.test = PairedTest::bootstrap;
    for (const char* name : kCompared) {
        const auto own = row.dev.items.values.find(name), others = other.dev.items.values.find(name);
        if (own == row.dev.items.values.end() || others == other.dev.items.values.end()) continue;
        PairedMeans pairs;
        for (size_t i = 0; i < std::min(own->second.size(), others->second.size()); ++i) {
            if (!own->second[i] || !others->second[i]) continue;
            if (!domains.empty() && !domains.contains(row.dev.items.domains.at(i))) continue;
            pairs.a.push_back(*own->second[i]);
            pairs.b.push_back(*others->second[i]);
        }
        if (pairs.a.empty()) continue;
        const PairedResult compared = paired_test(pairs, options);
        result.figures[name] = {static_cast<int64_t>(pairs.a.size()), compared.difference, {compared.low, compared.high}};
    }
    return result;
}

void compare_rows(Summary& summary) {
    const auto find = [](const std::vector<SummaryStage>& rows, const std::string& name) -> const SummaryStage* {
        for (const SummaryStage& row : rows)
            if (row.name == name && !row.dev.items.domains.empty()) return &row;
        return nullptr;
    };
    const auto add = [](std::vector<StageDifference>& to, const SummaryStage* row, const SummaryStage* other,
                        const std::set<std::string>& domains = {}) {
        if (row == nullptr || other == nullptr) return;
        StageDifference difference = difference_of(*row, *other, domains);
        if (!difference.figures.empty()) to.push_back(std::move(difference));
    };
    const auto start_of = [&](const std::vector<SummaryStage>& rows) {
        const SummaryStage* sft = find(rows, "sft");
        return sft != nullptr ? sft : find(rows, "base");
    };
    summary.differences.clear();
    summary.test_differences.clear();
    const std::vector<SummaryStage>& stages = summary.stages;
    add(summary.differences, find(stages, "sft"), find(stages, "base"));
    const SummaryStage* round = summary.best.starts_with("round-") ? find(stages, summary.best) : nullptr;
    if (round == nullptr)
        for (const SummaryStage& stage : stages)
            if (stage.name.starts_with("round-")) round = find(stages, stage.name);
    add(summary.differences, round, start_of(stages));
    add(summary.differences, round, find(stages, "control"));
    const SummaryStage* best = find(summary.test, "best");
    for (const std::set<std::string>& domains : {std::set<std::string>(), std::set<std::string>{"c1", "c2", "c3"}}) {
        add(summary.test_differences, best, start_of(summary.test), domains);
        add(summary.test_differences, best, find(summary.test, "control"), domains);
    }
}

Json to_json(const SummaryStage& stage) {
    Json object = {{"name", stage.name}};
    object.update(to_json(stage.dev));
    object["pairs"] = stage.pairs;
    object["dropped"] = stage.dropped;
    object["seconds"] = stage.seconds;
    object["train_tokens_per_second"] = stage.tokens_per_second;
    if (stage.quality_share) object["s_r_share_of_variance"] = *stage.quality_share;
    if (stage.sampled) object["sampled"] = to_json(*stage.sampled);
    for (const auto& [step, pairs] : stage.pairs_by_step) object["pairs_by_step"][std::to_string(step)] = pairs;
    if (!stage.counted.empty()) object["counted"] = stage.counted;
    return object;
}

SummaryStage summary_stage_from_json(const Json& object) {
    SummaryStage stage;
    stage.name = object.at("name").get<std::string>();
    stage.dev = planner_evaluation_from_json(object);
    stage.pairs = object.at("pairs").get<int64_t>();
    stage.dropped = object.at("dropped").get<std::map<std::string, int64_t>>();
    stage.seconds = object.at("seconds").get<double>();
    stage.tokens_per_second = object.at("train_tokens_per_second").get<double>();
    if (const auto share = object.find("s_r_share_of_variance"); share != object.end())
        stage.quality_share = share->get<double>();
    if (object.contains("sampled")) stage.sampled = response_counts_from_json(object.at("sampled"));
    for (const auto& [step, pairs] : object.value("pairs_by_step", std::map<std::string, int64_t>()))
        stage.pairs_by_step[std::stoll(step)] = pairs;
    stage.counted = object.value("counted", stage.counted);
    return stage;
}

Json to_json(const Summary& summary) {
    Json object = {{"stages", Json::array()}};
    for (const auto& stage : summary.stages) object["stages"].push_back(to_json(stage));
    object["best"] = summary.best;
    if (!summary.others.empty()) {
        object["others"] = Json::object();
        for (const auto& [name, evaluation] : summary.others) object["others"][name] = to_json(evaluation);
    }
    if (!summary.test.empty()) {
        object["test"] = Json::object();
        for (const SummaryStage& row : summary.test) object["test"][row.name] = to_json(row);
    }
    for (const StageDifference& d : summary.differences) object["differences"].push_back(difference_json(d));
    for (const StageDifference& d : summary.test_differences) object["test_differences"].push_back(difference_json(d));
    object["seconds"] = summary.seconds;
    return object;
}

void write_summary(const std::filesystem::path& folder, const Summary& summary) {
    write_json_file(folder / kSummaryFile, to_json(summary));
}

Summary read_summary(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kSummaryFile;
    const Json object = read_json_file(file);
    try {
        Summary summary;
        for (const Json& stage : object.at("stages")) summary.stages.push_back(summary_stage_from_json(stage));
        if (summary.stages.empty()) throw Error(file.string(), "the summary of a run", "one without stages");
        summary.best = object.at("best").get<std::string>();
        if (object.contains("others"))
            for (const auto& [name, evaluation] : object.at("others").items())
                summary.others[name] = planner_evaluation_from_json(evaluation);
        if (object.contains("test"))
            for (const char* name : {"base", "sft", "best", "control"})  // in the order of the run
                if (object.at("test").contains(name))
                    summary.test.push_back(summary_stage_from_json(object.at("test").at(name)));
        for (const Json& d : object.value("differences", Json::array()))
            summary.differences.push_back(difference_from_json(d));
        for (const Json& d : object.value("test_differences", Json::array()))
            summary.test_differences.push_back(difference_from_json(d));
        summary.seconds = object.at("seconds").get<double>();
        return summary;
    } catch (const Json::exception& error) {
        throw Error(file.string(), "the summary of a run", json_problem(error.what()));
    }
}

void write_stage_metrics(const std::filesystem::path& folder, const std::vector<SummaryStage>& stages) {
    std::vector<Json> rows;
    std::string lines;
    for (const SummaryStage& stage : stages) {
        rows.push_back({{"step", rows.size()}});
        rows.back().update(to_json(stage));
        lines += dump_line(rows.back()) + "\n";
    }
    const std::filesystem::path file = folder / "metrics.jsonl";
    if (std::filesystem::exists(file) && read_file(file).starts_with(lines)) return;
    MetricsLog log(file, folder / "tb", "stage", -1);
    for (size_t i = 0; i < rows.size(); ++i) log.write(static_cast<int64_t>(i), rows[i]);
}

std::string summary_table(const Summary& summary) {
    std::vector<std::vector<std::string>> rows = {{"stage", "tool F1", "constr. F1", "95 %", "exact", "S_c", "S_r", "S_a",
                                                   "pairs", "dropped", "train tok/s", "gen tok/s", "seconds"}};
    for (const auto& stage : summary.stages)
        rows.push_back(row(stage, stage.name + (stage.name == summary.best ? " *" : "")));
    for (const auto& stage : summary.test) rows.push_back(row(stage, "test: " + stage.name));
    std::vector<size_t> widths(rows[0].size(), 0);
    for (const auto& cells : rows)
        for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
    std::string out;
    for (const auto& cells : rows) {
        for (size_t i = 0; i < cells.size(); ++i) {
            const std::string padding(widths[i] - cells[i].size(), ' ');
            out += i == 0 ? cells[i] + padding : "  " + padding + cells[i];
        }
        out += "\n";
    }
    return out;
}

}  // namespace craft

#include "eval/tool_eval.h"

#include <array>
#include <cstdio>
#include <functional>
#include <set>
#include <string_view>

#include "core/error.h"
#include "core/id_index.h"
#include "core/rows.h"
#include "core/signals.h"
#include "data/instruction.h"
#include "eval/eval_items.h"
#include "text/utf8.h"
#include "tools/call_characters.h"
#include "tools/craft/tool_use.h"

namespace craft {

namespace {

WrittenCalls calls_from_json(const Json& array, const std::string& place) {
    if (!array.is_array()) throw Error(place, "a list of calls as strings", array.type_name());
    WrittenCalls calls;
    for (const Json& call : array) {
        if (!call.is_string()) throw Error(place, "calls as strings", call.type_name());
        calls.push_back(call.get<std::string>());
    }
    return calls;
}

ToolItem item_from_json(const Json& row, const std::string& where) {
    const Instruction instruction = instruction_from_json(row, where);
    ToolItem item{instruction.id, instruction.domain, instruction.gold, {}, {}};
    for (const Json& group : row.at("constraints")) {
        for (const Json& call : group) item.gold_as_written.push_back(call.get<std::string>());
    }
    const auto planners = row.find("planner_calls");
    if (planners == row.end() || planners->is_null()) return item;
    if (!planners->is_object()) throw Error(where + ": field 'planner_calls'", "an object", planners->type_name());
    for (const auto& [name, calls] : planners->items()) {
        item.planners[name] = calls_from_json(calls, where + ": field 'planner_calls." + name + "'");
    }
    return item;
}

// "bogus(", "nonsense(3": a name, a parenthesis on its heels, and none that closes. In a text this could be prose; an
// element of a list of calls is one that was cut.
bool is_cut_call(std::string_view text) {
    const std::string_view call = trim_view(text);
    const auto is_name = [](char c) { return c == '_' || is_ascii_letter(c) || (c >= '0' && c <= '9'); };
    size_t name = 0;
    while (name < call.size() && is_name(call[name])) ++name;
    return name > 0 && name < call.size() && call[name] == '(' && call.find(')') == std::string_view::npos;
}

ToolItemScore strict_score(const ToolItem& item, const WrittenCalls& written) {
    ParsedCalls parsed;
    int64_t ignored = 0;
    for (const std::string& text : written) {  // each by itself: a call left open must not take in the next one
        ParsedCalls one = parse_calls(text);
        if (one.calls.empty() && is_cut_call(text))
            one.calls.push_back({std::string(trim_view(text)), std::nullopt, "malformed: expected )"});
        ignored += one.calls.empty() ? 1 : 0;
        std::move(one.calls.begin(), one.calls.end(), std::back_inserter(parsed.calls));
    }
    std::vector<ToolCall> gold;
    for (const auto& group : item.gold) gold.insert(gold.end(), group.begin(), group.end());
    const ToolUse use = score_tool_use(parsed, gold);
    return {item.id,      item.domain, use.tool_f1, use.constraint_f1,        use.exact_match,
            use.unusable, ignored,     use.counts,  call_errors(parsed, gold)};
}

ToolItemScore score(const ToolItem& item, const WrittenCalls& written, ToolReading reading) {
    if (reading == ToolReading::strict) return strict_score(item, written);
    const ToolUse use = published_tool_use(written, item.gold_as_written);
    return {item.id, item.domain, use.tool_f1, use.constraint_f1, use.exact_match, use.unusable, 0, use.counts};
}

void add_to(ToolMean& mean, const ToolItemScore& item) {
    const auto before = static_cast<double>(mean.items);
    ++mean.items;
    const auto add = [&](std::optional<double>& value, double next) {
        value = (value.value_or(0) * before + next) / static_cast<double>(mean.items);
    };
    add(mean.f1, item.f1);
    add(mean.constraint_f1, item.constraint_f1);
    add(mean.exact_match, item.exact_match ? 1 : 0);
    mean.counts.correct += item.counts.correct;
    mean.counts.predicted += item.counts.predicted;
    mean.counts.gold += item.counts.gold;
    for (const auto& [kind, count] : item.errors) mean.errors[kind] += count;
}

int64_t errors_of(const CallErrors& errors, const std::string& kind) {
    const auto found = errors.find(kind);
    return found == errors.end() ? 0 : found->second;
}

Json errors_json(const CallErrors& errors) {
    Json object = Json::object();
    for (const std::string& kind : call_error_kinds()) object[kind] = errors_of(errors, kind);
    return object;
}

// Figures of summed calls; `more` are those that both sides have besides.
Json micro_json(const CallCounts& counts, int64_t more) {
    const int64_t correct = counts.correct + more, predicted = counts.predicted + more, gold = counts.gold + more;
    const auto share = [](int64_t part, int64_t whole) {
        return whole == 0 ? Json(nullptr) : Json(static_cast<double>(part) / static_cast<double>(whole));
    };
    return {{"f1", share(2 * correct, predicted + gold)},
            {"precision", share(correct, predicted)},
            {"recall", share(correct, gold)},
            {"correct", correct},
            {"predicted", predicted},
            {"gold", gold}};
}

Json mean_json(const ToolMean& mean) {
    return {{"f1", value_or_null(mean.f1)},
            {"constraint_f1", value_or_null(mean.constraint_f1)},
            {"exact_match", value_or_null(mean.exact_match)},
            {"items", mean.items},
            {"micro", micro_json(mean.counts, mean.items)},
            {"constraint_micro", micro_json(mean.counts, 0)}};
}

}  // namespace

std::vector<ToolItem> read_tool_items(const std::string& path, const JsonLinesOptions& options) {
    std::vector<ToolItem> items;
    IdIndex ids;
    for_each_row(path, options, [&](const Json& row, const std::string& where) {
        ToolItem item = item_from_json(row, where);
        ids.add(item.id, items.size(), where);
        items.push_back(std::move(item));
    });
    return items;
}

std::vector<PredictedCalls> read_predicted_calls(const std::string& path, const JsonLinesOptions& options) {
    std::vector<PredictedCalls> predictions;
    IdIndex ids;
    for_each_row(path, options, [&](const Json& row, const std::string& where) {
        const auto calls = row.find("calls");
        if (calls == row.end()) throw Error(where + ": field 'calls'", "a list of calls as strings", "none");
        PredictedCalls prediction{id_text(row, where), calls_from_json(*calls, where + ": field 'calls'"), where};
        ids.add(prediction.id, predictions.size(), where);
        predictions.push_back(std::move(prediction));
    });
    return predictions;
}

std::vector<PredictedCalls> recorded_calls(const std::vector<ToolItem>& items, const std::string& planner) {
    std::vector<PredictedCalls> predictions;
    std::set<std::string> known;
    for (const ToolItem& item : items) {
        for (const auto& entry : item.planners) known.insert(entry.first);
        if (const auto found = item.planners.find(planner); found != item.planners.end()) {
            predictions.push_back({item.id, found->second, "planner_calls." + planner});
        }
    }
    if (known.empty()) throw UsageError("planner '" + planner + "': the items hold no recorded calls (planner_calls)");
    if (predictions.empty()) throw_unknown("planner", planner, {known.begin(), known.end()});
    return predictions;
}

ToolEvaluation evaluate_tools(const std::vector<ToolItem>& items, const std::vector<PredictedCalls>& predictions,
                              ToolReading reading) {
    IdIndex index;
    for (size_t i = 0; i < items.size(); ++i) index.add(items[i].id, i, "items");
    std::vector<const PredictedCalls*> prediction_of(items.size(), nullptr);
    for (const PredictedCalls& prediction : predictions) {
        const PredictedCalls*& slot = prediction_of[index.row_of(prediction.id, prediction.where)];
        if (slot != nullptr) throw Error(prediction.where, "one prediction per item", "'" + prediction.id + "' again");
        slot = &prediction;
    }

    ToolEvaluation evaluation;
    evaluation.reading = reading;
    for (size_t i = 0; i < items.size(); ++i) {
        throw_if_stopped();
        if (prediction_of[i] == nullptr) {
            ++evaluation.missing;
            continue;
        }
        const ToolItemScore item = score(items[i], prediction_of[i]->calls, reading);
        add_to(evaluation.overall, item);
        add_to(evaluation.by_domain[domain_name(item.domain)], item);
        std::set<std::string> shapes;
        for (const auto& group : items[i].gold) shapes.insert(shape_of(group));
        for (const auto& shape : shapes) add_to(evaluation.by_shape[shape], item);
        evaluation.ignored += item.ignored;
        evaluation.items.push_back(item);
    }
    return evaluation;
}

Json to_json(const ToolEvaluation& evaluation) {
    const bool has_errors = evaluation.reading == ToolReading::strict;
    Json corpus = mean_json(evaluation.overall);
    if (has_errors) corpus["call_errors"] = errors_json(evaluation.overall.errors);
    corpus["missing"] = evaluation.missing;
    corpus["ignored"] = evaluation.ignored;
    corpus["by_domain"] = Json::object();
    for (const auto& [name, mean] : evaluation.by_domain) {
        corpus["by_domain"][name] = mean_json(mean);
        if (has_errors) corpus["by_domain"][name]["call_errors"] = errors_json(mean.errors);
    }
    corpus["by_shape"] = Json::object();
    for (const auto& [name, mean] : evaluation.by_shape) corpus["by_shape"][name] = mean_json(mean);
    Json items = Json::array();
    for (const ToolItemScore& item : evaluation.items) {
        items.push_back({{"id", item.id},
                         {"domain", domain_name(item.domain)},
                         {"f1", item.f1},
                         {"constraint_f1", item.constraint_f1},
                         {"exact_match", item.exact_match},
                         {"unusable", item.unusable},
                         {"ignored", item.ignored}});
        if (has_errors) items.back()["call_errors"] = item.errors;
    }
    return {{"reading", evaluation.reading == ToolReading::strict ? "strict" : "published"},
            {"missing", evaluation.missing},
            {"corpus", std::move(corpus)},
            {"items", std::move(items)}};
}

std::string error_table(const ToolEvaluation& evaluation) {
    const auto sum_of = [](const CallErrors& errors) {
        int64_t sum = 0;
        for (const auto& [kind, count] : errors) sum += count;
        return sum;
    };
    const int64_t all = sum_of(evaluation.overall.errors);
    std::string table;
    const auto add_line = [&](const std::string& name, const std::string& total, const std::string& share,
                              const std::function<std::string(const std::string& domain, const CallErrors&)>& cell) {
        std::array<char, 64> begin{};
        std::snprintf(begin.data(), begin.size(), "%-17s %7s %6s", name.c_str(), total.c_str(), share.c_str());
        table += begin.data();
        for (const auto& [domain, mean] : evaluation.by_domain) {
            const std::string text = cell(domain, mean.errors);
            table += " " + std::string(text.size() < 6 ? 6 - text.size() : 0, ' ') + text;
        }
        table += "\n";
    };
    const auto share = [&](int64_t part) {
        return all == 0 ? "-" : std::to_string((200 * part + all) / (2 * all)) + " %";  // rounded
    };
    add_line("errors of calls", "all", "share", [](const std::string& domain, const CallErrors&) { return domain; });
    for (const std::string& kind : call_error_kinds()) {
        const int64_t count = errors_of(evaluation.overall.errors, kind);
        add_line(kind, std::to_string(count), share(count),
                 [&](const std::string&, const CallErrors& errors) { return std::to_string(errors_of(errors, kind)); });
    }
    add_line("sum", std::to_string(all), share(all),
             [&](const std::string&, const CallErrors& errors) { return std::to_string(sum_of(errors)); });
    return table;
}

}  // namespace craft

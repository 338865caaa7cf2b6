#include "align/align.h"
#include "align/stage_rows.h"
#include "core/process_memory.h"

namespace craft {

namespace {

constexpr const char* kItemsFile = "items.jsonl";

Json item_json(const Instruction& instruction, const EvaluatedItem& item) {
    Json row = {{"id", instruction.id},
                {"domain", "c" + std::to_string(instruction.domain)},
                {"instruction", instruction.instruction},
                {"response", item.response},
                {"revision", item.revision},
                {"tool_f1", item.tool_f1},
                {"constraint_f1", item.constraint_f1},
                {"exact_match", item.exact_match},
                {"met", item.met}};
    row["s_c"] = value_or_null(item.s_c);
    row["touched_besides"] = value_or_null(item.touched_besides);
    row["only_kept"] = value_or_null(item.only_kept());
    row["s_r"] = value_or_null(item.s_r);
    row["raw_quality"] = to_json(item.quality);
    row["s_a"] = item.s_a;
    return row;
}

template <class T>
std::optional<T> optional_of(const Json& value) {
    return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

// What is kept of an item until all are there: its row of items.jsonl, and what only figures are made of.
Json kept_json(const Instruction& instruction, const EvaluatedItem& item) {
    return {{"item", item_json(instruction, item)},
            {"finished", item.finished},
            {"tokens", item.tokens},
            {"unusable_calls", item.unusable_calls}};
}

EvaluatedItem kept_item(const Json& kept) {
    const Json& row = kept.at("item");
    EvaluatedItem item;
    item.response = row.at("response").get<std::string>();
    item.revision = row.at("revision").get<std::string>();
    item.finished = kept.at("finished").get<bool>();
    item.tokens = kept.at("tokens").get<int64_t>();
    item.unusable_calls = kept.at("unusable_calls").get<int64_t>();
    item.tool_f1 = row.at("tool_f1").get<double>();
    item.constraint_f1 = row.at("constraint_f1").get<double>();
    item.s_a = row.at("s_a").get<double>();
    item.exact_match = row.at("exact_match").get<bool>();
    item.s_c = optional_of<double>(row.at("s_c"));
    item.s_r = optional_of<double>(row.at("s_r"));
    item.touched_besides = optional_of<int64_t>(row.at("touched_besides"));
    return item;
}

PlannerEvaluation evaluation_of(const Stage& stage) {
    PlannerEvaluation evaluation = stage.read_summary(planner_evaluation_from_json);
    const std::string file = (stage.path() / kItemsFile).string();
    JsonLinesReader rows(file, {.max_line_bytes = size_t{64} << 20, .number_rows = false});
    while (const auto row = rows.next()) add_figures(evaluation.items, *row);
    return evaluation;
}

}  // namespace

PlannerEvaluation evaluate_stage(const Planner& planner, RevisionEnvironment& environment,
                                 const std::vector<Instruction>& instructions, const SamplingOptions& sampling,
                                 const std::filesystem::path& folder, Ranks& ranks) {
    const Stage stage(folder);
    if (is_complete(stage, ranks)) return evaluation_of(stage);
    give_freed_memory_back();  // of the training before: gigabytes that would come on top of the caches
    SamplingOptions greedy = sampling;
    greedy.temperature = 0;
    const auto system = planner.system(/*seed=*/0);  // greedy
    double seconds = 0;
    const auto evaluate_some = [&](const std::vector<size_t>& which, const RowSink& done) {
        std::vector<Instruction> some;
        for (const size_t i : which) some.push_back(instructions[i]);
        const EvaluatedItems evaluated =
            evaluate_items(*system, environment.reviser(), environment.judge(), environment.prompt(), some, greedy);
        seconds += evaluated.seconds;
        for (size_t k = 0; k < which.size(); ++k) done(which[k], kept_json(some[k], evaluated.items[k]));
    };
    const auto groups = groups_by_text(instructions, [](const Instruction& one) { return one.text; });
    complete_in_ranks(stage, {"evaluating", "instructions", groups, evaluate_some}, ranks,
                      [&](const std::vector<Json>& kept) {
                          EvaluatedItems all{{}, seconds};
                          JsonLinesWriter rows((folder / kItemsFile).string());
                          for (const Json& one : kept) {
                              rows.write(one.at("item"));
                              all.items.push_back(kept_item(one));
                          }
                          rows.close();
                          stage.mark_complete(to_json(craft::evaluation_of(instructions, all)));
                      });
    return evaluation_of(stage);
}

}  // namespace craft

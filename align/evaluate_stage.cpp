#include "align/align.h"
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
                {"tool_f1", item.judged.tool_use.tool_f1},
                {"constraint_f1", item.judged.tool_use.constraint_f1},
                {"exact_match", item.judged.tool_use.exact_match},
                {"met", item.judged.adherence.met}};
    const Adherence& adherence = item.judged.adherence;
    row["s_c"] = value_or_null(adherence.s_c);
    row["touched_besides"] = value_or_null(adherence.touched_besides);
    row["only_kept"] = value_or_null(adherence.only_kept());
    row["s_r"] = value_or_null(item.judged.s_r);
    row["raw_quality"] = to_json(item.judged.quality);
    row["s_a"] = item.judged.s_a;
    return row;
}

PlannerEvaluation evaluation_of(const Stage& stage) {
    PlannerEvaluation evaluation = stage.read_summary(planner_evaluation_from_json);
    const std::string file = (stage.path() / kItemsFile).string();
    JsonLinesReader rows(file, {.max_line_bytes = size_t{64} << 20, .number_rows = false});
    while (const auto row = rows.next()) evaluation.constraint_f1s.push_back(row->at("constraint_f1").get<double>());
    return evaluation;
}

}  // namespace

PlannerEvaluation evaluate_stage(const Planner& planner, RevisionEnvironment& environment,
                                 const std::vector<Instruction>& instructions, const SamplingOptions& sampling,
                                 const std::filesystem::path& folder) {
    const Stage stage(folder);
    if (stage.complete()) return evaluation_of(stage);
    give_freed_memory_back();  // of the training before: gigabytes that would come on top of the caches
    SamplingOptions greedy = sampling;
    greedy.temperature = 0;
    const auto system = planner.system(/*seed=*/0);  // greedy
    std::vector<EvaluatedItem> items;
    const PlannerEvaluation evaluation = evaluate_planner(*system, environment.reviser(), environment.judge(),
                                                          environment.prompt(), instructions, greedy, &items);
    JsonLinesWriter rows((folder / kItemsFile).string());
    for (size_t i = 0; i < items.size(); ++i) rows.write(item_json(instructions[i], items[i]));
    rows.close();
    stage.mark_complete(to_json(evaluation));
    return evaluation;
}

}  // namespace craft

#include "simplify/run/evaluation_stage.h"

#include <memory>

#include "core/error.h"
#include "eval/editeval/normaliser.h"
#include "metrics/sari.h"
#include "simplify/model_simplifier.h"
#include "simplify/run/policy_following.h"
#include "simplify/run/stage_rows.h"
#include "systems/flowing_systems.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const EditDataset& edit_dataset(const std::string& name) {
    for (const EditDataset& one : edit_datasets())
        if (one.name == name) return one;
    throw Error("data set " + name, "one of EditEval's", "none of that name");
}

// Items whose input and references are as models and metrics see them.
std::vector<EditItem> read_dev(const std::string& name, const DataFolder& folder, int64_t items) {
    const EditDataset& dataset = edit_dataset(name);
    ReadDataset read = read_edit_dataset(dataset, folder, {"dev"}, {});
    if (!read.missing_splits.empty() || read.rows.items.empty())
        throw Error(folder.path().string(), name + "'s dev set: " + dataset.layout, "none");
    Rng rng(0, "simplify." + name);
    if (items > 0) draw_items(read.rows.items, items, rng);
    const EditNormaliser normaliser;
    for (EditItem& item : read.rows.items) item = normaliser.prepared(dataset, std::move(item));
    return std::move(read.rows.items);
}

class Evaluation {
public:
    Evaluation(const Student& student, size_t shots, SimplificationPolicy policy, const SimplifyJobOptions& options,
               const SimplifyJobParts& parts)
        : policy_(policy),
          parts_(parts),
          asking_({.items_at_once = options.items_at_once}),
          model_(asking_.flow(), student.system(options.seed)),
          simplifier_("student", model_, PromptFiles(), policy, {shots, options.sampling}) {}

    MadeRows outputs(const std::vector<SimplificationTask>& tasks, const fs::path& folder) {
        return rows(tasks, folder, "outputs.jsonl", [&](const SimplificationTask& task) { return to_json(found(task)); });
    }

    // SARI of these items, 0-100; an item without an answer has an empty one.
    double sari(const std::vector<EditItem>& items, const fs::path& folder, double& seconds) {
        std::vector<SimplificationTask> tasks;
        for (const EditItem& item : items) tasks.push_back({item.id, item.input, tasks.size()});
        const MadeRows made = rows(tasks, folder, "outputs.jsonl", [&](const SimplificationTask& task) {
            return Json{{"id", task.id}, {"source", task.text}, {"text", simplifier_.simplify(task).text}};
        });
        seconds += made.seconds;
        const std::unique_ptr<Metric> metric = make_sari({});
        for (size_t i = 0; i < items.size(); ++i)
            metric->add(metric->measure({items[i].id, items[i].input,
                                         string_field(made.rows.at(i), "text", (folder / "outputs.jsonl").string()),
                                         items[i].references}));
        return metric->corpus().at("sari").get<double>();
    }

private:
    template <class RowOf>
    MadeRows rows(const std::vector<SimplificationTask>& tasks, const fs::path& folder, const std::string& file,
                  const RowOf& row_of) {
        return stage_rows(folder, file,
                          asked_rows(folder.filename().string() + ", " + policy_name(policy_), "sentences", tasks.size(),
                                     [&](size_t i) { return Json::array({row_of(tasks[i])}); }),
                          asking_);
    }

    bool follows(const FoundOutput& output, const PrincipleSources& sources) const {
        return output.failure.empty() && follows_policy(policy_, output.source, output.text, sources);
    }

    FoundOutput found(const SimplificationTask& task) const {
        const Simplification made = simplifier_.simplify(task);
        FoundOutput output{task.id, task.text, made.text, made.failure};
        output.follows = follows(output, parts_.judge);
        output.follows_other_judge = follows(output, parts_.other_judge);
        return output;
    }

    SimplificationPolicy policy_;
    const SimplifyJobParts& parts_;
    UnrecordedAsking asking_;
    mutable ComputedSystem model_;
    ModelSimplifier simplifier_;
};

}  // namespace

SariSets read_sari_sets(const fs::path& data, int64_t items) {
    const DataFolder folder(data);
    return {read_dev("asset", folder, items), read_dev("turk", folder, items)};
}

EvaluationStage evaluation_stage(const Student& student, size_t shots, const EvaluationInputs& inputs,
                                 SimplificationPolicy policy, const SimplifyJobOptions& options,
                                 const SimplifyJobParts& parts, const fs::path& folder) {
    Evaluation evaluation(student, shots, policy, options, parts);
    const MadeRows made = evaluation.outputs(inputs.test, folder / "test");
    std::vector<FoundOutput> outputs;
    for (const Json& row : made.rows)
        outputs.push_back(found_output_from_json(row, (folder / "test" / "outputs.jsonl").string()));
    EvaluationStage stage{policy_figures_of(outputs), made.seconds};
    if (!inputs.sari) return stage;
    stage.figures.sari_asset = evaluation.sari(inputs.sari->asset, folder / "asset", stage.seconds);
    stage.figures.sari_turk = evaluation.sari(inputs.sari->turk, folder / "turk", stage.seconds);
    return stage;
}

}  // namespace craft

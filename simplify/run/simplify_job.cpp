#include "simplify/run/simplify_job.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/process_memory.h"
#include "core/rng.h"
#include "data/revised_text.h"
#include "simplify/run/candidate_stages.h"
#include "simplify/run/evaluation_stage.h"
#include "simplify/run/training_stage.h"

namespace craft {

namespace fs = std::filesystem;

SimplifyJobOptions::SimplifyJobOptions() {
    preference.loss = default_loss_options(LossName::arpo_simpo);
    preference.lr = 1e-3;
    preference.batch_size = 8;
    preference.epochs = 1;
    preference.lora.rank = 16;
    preference.lora.alpha = 32;
    sft = preference;
    sft.loss = default_loss_options(LossName::sft);
}

namespace {

class PolicyRun {
public:
    PolicyRun(Student& student, SimplificationPolicy policy, const EvaluationInputs& inputs,
              const SimplifyJobOptions& options, const SimplifyJobParts& parts, fs::path folder)
        : student_(student),
          policy_(policy),
          inputs_(inputs),
          options_(options),
          parts_(parts),
          folder_(std::move(folder)) {}

    PolicySummary run(const std::vector<SimplificationTask>& sentences) {
        student_.forget_adapter();
        const std::vector<Pair> pairs = make_pairs(sentences);
        evaluate(kZeroShot, 0);
        evaluate(kFewShot, PolicyPrompt::kMaxShots);
        train_and_evaluate("sft", pairs, options_.sft);
        train_and_evaluate("trained", pairs, options_.preference);
        train_and_evaluate("random", with_drawn_sides(pairs, options_.seed), options_.preference);
        return std::move(summary_);
    }

private:
    void took(const std::string& stage, double seconds, const Json& facts = Json::object()) {
        summary_.stages.emplace_back(stage, seconds);
        Json fields = {{"policy", policy_name(policy_)}, {"seconds", seconds}};
        fields.update(facts);
        log_info(stage, fields);
    }

    std::vector<Pair> make_pairs(const std::vector<SimplificationTask>& sentences) {
        CandidateStage candidates = candidate_stage(student_, sentences, policy_, options_, parts_, folder_ / "candidates");
        took("candidates", candidates.seconds, {{"sentences", sentences.size()}});
        JudgementStage judgements = judgement_stage(candidates.groups, policy_, options_, parts_, folder_ / "judgements");
        took("judgements", judgements.seconds);
        PairStage pairs = pair_stage(candidates.groups, judgements.judged, policy_, options_, parts_, folder_ / "pairs");
        took("pairs", pairs.seconds, pairs.counts);
        summary_.counts = {{"candidates", candidates.counts}, {"pairs", pairs.counts}, {"trainings", Json::object()}};
        return std::move(pairs.pairs);
    }

    void train_and_evaluate(const std::string& name, const std::vector<Pair>& pairs, TrainOptions options) {
        give_freed_memory_back();
        options.seed = Rng(options_.seed, policy_name(policy_) + "." + name).next();
        const StudentTraining trained = training_stage(student_, pairs, options, folder_ / name);
        took(name + " training", trained.seconds, {{"examples", trained.examples}});
        summary_.counts["trainings"][name] = {
            {"examples", trained.examples}, {"tokens", trained.tokens}, {"dropped", trained.dropped}};
        evaluate(name, 0);
    }

    void evaluate(const std::string& name, size_t shots) {
        give_freed_memory_back();
        const EvaluationStage found =
            evaluation_stage(student_, shots, inputs_, policy_, options_, parts_, folder_ / "evaluation" / name);
        Json facts = Json::object();
        if (found.figures.follows) facts["follows"] = *found.figures.follows;
        if (found.figures.follows_other_judge) facts["follows_other_judge"] = *found.figures.follows_other_judge;
        took(name + " evaluation", found.seconds, facts);
        summary_.systems.emplace_back(name, found.figures);
    }

    Student& student_;
    SimplificationPolicy policy_;
    const EvaluationInputs& inputs_;
    const SimplifyJobOptions& options_;
    const SimplifyJobParts& parts_;
    fs::path folder_;
    PolicySummary summary_;
};

// The first `most` sentences of a file; 0: all.
std::vector<SimplificationTask> read_sentences(const fs::path& file, int64_t most) {
    std::vector<SimplificationTask> tasks;
    for (RevisedText& text : read_revised_texts(file.string())) {
        if (most > 0 && static_cast<int64_t>(tasks.size()) == most) break;
        tasks.push_back({text.id, std::move(text.text), tasks.size()});
    }
    return tasks;
}

}  // namespace

SimplifySummary run_simplify_job(const SimplifyJobOptions& options, const SimplifyJobParts& parts, at::ScalarType dtype,
                                 const at::Device& device, const fs::path& folder,
                                 const std::function<void()>& inputs_are_fit) {
    Student student = Student::open(options.model, options.chat_template, dtype, device);
    const std::vector<SimplificationTask> sentences = read_sentences(options.sentences / "train.jsonl", options.limit);
    EvaluationInputs inputs;
    inputs.test = read_sentences(options.sentences / "test.jsonl", options.test);
    if (!options.data.empty()) inputs.sari = read_sari_sets(options.data, options.items);
    if (inputs_are_fit) inputs_are_fit();
    SimplifySummary summary;
    for (const SimplificationPolicy policy : options.policies) {
        const std::string name = policy_name(policy);
        PolicyRun run(student, policy, inputs, options, parts, folder / name);
        summary.policies.emplace_back(name, run.run(sentences));
    }
    write_file_atomic(folder / "summary.json", to_json(summary).dump(2) + "\n");
    write_file_atomic(folder / "table.txt", summary_table(summary));
    return summary;
}

}  // namespace craft

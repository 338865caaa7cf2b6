// Rounds of self-training (CRAFT §5.1.2, Algorithm 1).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "align/environment.h"
#include "align/instruction_making.h"
#include "align/sample_judging.h"
#include "align/summary.h"
#include "core/flow.h"
#include "core/run_folder.h"
#include "data/constraints/generator.h"
#include "judge/pairs.h"
#include "rollout/text_feedback.h"
#include "train/examples.h"
#include "train/options.h"
#include "train/parallel/process_group.h"

namespace craft {

struct AlignOptions {
    int64_t rounds = 3;  // at most; fewer when two rounds in a row improve by less than epsilon
    // Of a round's instructions; seed, stage, split and sentences are the round's to say.
    GeneratorOptions generator = {.count = 2000};
    int64_t samples = 4;        // K responses a history
    int64_t history_steps = 5;  // the response that is sampled is step 1 to this one, drawn for each instruction
    double epsilon = 0.5;       // points (0-100) of tool F1 or S_a on the selection set that count as improving
    bool mean = false;          // a round's planner is the mean of the adapters that it and the rounds before it trained
    bool control = false;       // also train SFT on the preferred responses alone, with as many training tokens
    int64_t test = 300;         // instructions of the sealed test set, which ends the run and decides nothing; 0: left out
    SamplingOptions sampling = {.temperature = 1.0, .top_p = 0.95};
    PairOptions pairs;
    // Absent: a round learns from pairs. Else from groups, all usable samples of a history with their rewards: without a
    // judge, whose verdicts are none, and without `mean`, since what samples has to be what is trained.
    std::optional<Advantage> method;
    PolicyOptions
        policy;  // of groups; advantage and max_length are the round's to say, and train.loss.reference is its reference
    std::optional<RoundJudge> judge;  // whom pairs.rank_by asks; absent: the reward alone ranks
    InstructionAuthors authors;       // of a round's instructions, unless these are ready
    // Whose suggestions the observations of histories have, as those of a search do (CRAFT App. E.8); null: nobody's.
    const TextFeedbackGiver* text_feedback = nullptr;
    TrainOptions train;  // of one round; its epochs are what GRPO calls iterations over a sampled batch
    ExampleOptions examples;
    uint64_t seed = 1;
    // Where the reviser answers from outside: a round's histories are its items, so that the slowest answer stalls no other.
    // Null: they go step by step together.
    Flow* flow = nullptr;
};

struct AlignInputs {
    std::vector<SourceText> texts;        // to make training instructions from
    std::vector<Instruction> selection;   // chooses the best round and tells when to stop
    std::vector<Instruction> dev;         // reported; no round, epoch or stop depends on it
    std::vector<Instruction> ready = {};  // where there are some, rounds train on these, and texts are not needed
};

// Trains the planner's adapter in place through the rounds. Writes to `folder`: round-1/ ... (instructions, histories,
// responses, pairs or groups, training, adapter, mean, evaluations), control/, adapter/ (the best round's) and, when all of
// these are done, test/ (the sealed set). Each part is a stage, so that a stopped run resumes where it was. `start` names
// the planner as it comes ("base" or "sft") in the first row of the summary. A round that gives no pair or group changes
// nothing and is the last. Several ranks share sampling, judging, evaluation and training (all of them must see `folder`);
// rank 0 makes instructions and pairs and writes the files. Throws what generation, judging and training throw.
Summary align(Planner& planner, RevisionEnvironment& environment, const AlignInputs& inputs, const AlignOptions& options,
              const std::filesystem::path& folder, const std::string& start, ProcessGroup& group = ProcessGroup::alone());

// One evaluation as a stage: greedy responses, items.jsonl and the means. The ranks share the instructions out; seconds of
// generation are those of rank 0.
PlannerEvaluation evaluate_stage(const Planner& planner, RevisionEnvironment& environment,
                                 const std::vector<Instruction>& instructions, const SamplingOptions& sampling,
                                 const std::filesystem::path& folder, Ranks& ranks = Ranks::alone());

}  // namespace craft

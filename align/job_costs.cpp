#include "align/job_costs.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "align/work_estimate.h"
#include "core/process_memory.h"
#include "core/run_folder.h"
#include "model/generate/generate.h"
#include "model/generate/prompt_tree.h"
#include "model/steps/steps.h"
#include "rollout/responder.h"

namespace craft {

namespace {

constexpr size_t kAskedPrompts = 8, kAskedSamples = 6;
constexpr int64_t kAskedTokens = 12;

std::vector<int64_t> prompt_tokens(const Planner& planner, const RevisionEnvironment& environment,
                                   const Instruction& instruction) {
    const Conversation conversation(Trajectory{instruction, environment.prompt().render(instruction), {}}.messages());
    return planner.chat->encode(*planner.tokenizer, conversation, {.generation_prompt = true}).tokens;
}

// Tokens that are computed for these prompts, what they share once.
double computed_tokens(const Planner& planner, const RevisionEnvironment& environment,
                       const std::vector<Instruction>& instructions) {
    std::vector<std::vector<int64_t>> prompts;
    for (const Instruction& instruction : instructions) prompts.push_back(prompt_tokens(planner, environment, instruction));
    std::vector<const std::vector<int64_t>*> views;
    for (const auto& prompt : prompts) views.push_back(&prompt);
    double tokens = 0;
    for (const PrefixSegment& stretch : prompt_tree(views)) tokens += static_cast<double>(stretch.to - stretch.from);
    return tokens;
}

// Tokens a second, of prompts and of new ones.
struct Rates {
    double prompt = 1, answer = 1;
};

// Of three calls with other prompts each: what is packed or kept at the first counts for none.
Rates measured_rates(const Planner& planner, RevisionEnvironment& environment,
                     const std::vector<Instruction>& instructions) {
    const auto system = planner.system(0);
    size_t next = 0;
    const auto some = [&] {
        std::vector<Instruction> asked;
        for (size_t i = 0; i < std::min(kAskedPrompts, instructions.size()); ++i)
            asked.push_back(instructions[next++ % instructions.size()]);
        return asked;
    };
    const auto seconds_of = [&](const std::vector<Instruction>& asked, int64_t new_tokens) {
        std::vector<Trajectory> histories;
        for (const Instruction& one : asked) histories.push_back({one, environment.prompt().render(one), {}});
        std::vector<StepRequest> asks;
        for (const Trajectory& history : histories)
            for (uint64_t sample = 0; sample < kAskedSamples; ++sample) asks.push_back({&history, sample});
        SystemResponder responder(*system, {.max_new_tokens = new_tokens, .temperature = 1});
        const auto began = std::chrono::steady_clock::now();
        responder.respond(asks);
        return seconds_since(began);
    };
    seconds_of(some(), 1);
    const std::vector<Instruction> read = some(), answered = some();
    const double reading = seconds_of(read, 1), all = seconds_of(answered, kAskedTokens);
    Rates rates;
    rates.prompt = computed_tokens(planner, environment, read) / reading;
    rates.answer = static_cast<double>(answered.size() * kAskedSamples * (kAskedTokens - 1)) /
                   std::max(1e-3, all - computed_tokens(planner, environment, answered) / rates.prompt);
    return rates;
}

// What keys and values of these prompts and of answers to as many as are asked at once take.
int64_t history_bytes(const Planner& planner, const RevisionEnvironment& environment,
                      const std::vector<Instruction>& instructions, double answer) {
    const auto positions = static_cast<int64_t>(computed_tokens(planner, environment, instructions) +
                                                static_cast<double>(GenerateOptions().max_batch_rows) * answer);
    return row_bytes(planner.base, positions);
}

double mean_answer(const std::vector<TokenTree>& trees) {
    int64_t tokens = 0, answers = 0;
    for (const TokenTree& tree : trees)
        for (const MaskedTokens& branch : tree.branches) {
            tokens += std::accumulate(branch.counted.begin(), branch.counted.end(), int64_t{0});
            ++answers;
        }
    return static_cast<double>(tokens) / static_cast<double>(std::max<int64_t>(1, answers));
}

}  // namespace

JobCosts job_costs(const MainJobOptions& options, const Planner& planner, RevisionEnvironment& environment,
                   const JobData& data, const std::filesystem::path& folder) {
    const ProbedModel model{planner.base.config(), {}, planner.base.dtype(), planner.base.device(), Quantization::none};
    // First, before a probe's model stands beside the planner's.
    forget_peak_memory();
    const Rates rates = measured_rates(planner, environment, data.dev);
    const int64_t asked_memory = peak_resident_bytes();
    const Estimate training = estimate_training(planner.folder, model, data.sft, options.sft, {.seconds = 4});
    const double sft = training.seconds_per_step * static_cast<double>(training.steps);
    const double train_rate =
        static_cast<double>(training.epoch_tokens) / (training.seconds_per_step * static_cast<double>(training.epoch_steps));
    const double answer = mean_answer(data.sft),
                 longest = static_cast<double>(options.align.sampling.max_new_tokens.value_or(4096));

    JobCosts costs;
    costs.peak_memory = training.peak_memory;
    if (planner.base.device().is_cpu())
        costs.peak_memory =
            std::max(costs.peak_memory, asked_memory + history_bytes(planner, environment, data.dev, answer));
    const auto add = [&](const std::string& name, double seconds) {
        std::error_code code;
        const bool is_done = std::filesystem::exists(folder / name, code) && Stage(folder / name).complete();
        costs.parts.push_back({name, is_done ? 0 : seconds});
        costs.seconds += costs.parts.back().seconds;
    };
    const auto asking = [&](double prompts, double answers, double length) {
        return prompts / rates.prompt + answers * length / rates.answer;
    };
    const auto evaluation = [&](const std::vector<Instruction>& set, double length) {
        return asking(computed_tokens(planner, environment, set), static_cast<double>(set.size()), length);
    };
    const double dev = evaluation(data.dev, answer), selection = evaluation(data.selection, answer);
    // Of an instruction that is not made yet: what dev's take, and all that a pair of such takes.
    const double items = static_cast<double>(std::max<size_t>(1, data.dev.size()));
    const double shared = computed_tokens(planner, environment, data.dev) / items;
    const double whole = static_cast<double>(prompt_tokens(planner, environment, data.dev.front()).size());
    const double instructions = static_cast<double>(options.align.generator.count);
    const double sampling = asking(instructions * shared, instructions * static_cast<double>(options.align.samples), answer);
    // A control computes as many tokens as the rounds, whose log-probabilities come first, at the same rate.
    TrainedWork rounds = round_trainings(options.align, whole, answer);
    rounds.model = planner.folder;
    rounds.train.lora = options.sft.lora;
    const double control = options.align.rounds > 0 ? rounds.tokens() / rounds.trainings / train_rate : 0;
    const double round_training = control * rounds.operations() / rounds.trained_operations();
    if (options.align.rounds > 0 && rounds.example.size() > training.largest_micro_batch)
        costs.peak_memory =
            std::max(costs.peak_memory,
                     estimate_training(planner.folder, model, {rounds.example}, rounds.train, {.seconds = 4}).peak_memory);

    add("base/dev", evaluation(data.base, longest));
    add("sft", sft);
    add("align/start/dev", dev);
    add("align/start/selection", selection);
    for (int64_t round = 1; round <= options.align.rounds; ++round) {
        const std::string name = "align/round-" + std::to_string(round) + "/";
        add(name + "pairs", sampling);
        add(name + "train", round_training);
        add(name + "dev", dev);
        add(name + "selection", selection);
    }
    if (options.align.control) {
        for (int64_t round = 1; round <= options.align.rounds; ++round)
            add("align/control/round-" + std::to_string(round), control);
        add("align/control/dev", dev);
    }
    const double others = static_cast<double>(options.others), test = static_cast<double>(options.align.test);
    // All that may be asked: where SFT is best it is asked alone.
    if (test > 0) {
        std::vector<std::string> asked = {"sft", "best"};
        if (options.align.control) asked.emplace_back("control");
        for (const std::string& name : asked) add("align/test/" + name, asking(test * shared, test, answer));
    }
    if (others > 0)
        for (const char* name : {"others/c0", "others/c4"}) add(name, asking(others * shared, others, answer));
    return costs;
}

std::string told(const JobCosts& costs) {
    std::array<char, 64> text{};
    const bool is_short = costs.seconds < 90;
    std::snprintf(text.data(), text.size(), "about %.0f %s and %.1f GB",
                  std::ceil(is_short ? costs.seconds : costs.seconds / 60), is_short ? "seconds" : "minutes",
                  static_cast<double>(costs.peak_memory) / 1e9);
    return text.data();
}

}  // namespace craft

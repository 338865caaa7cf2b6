// Random trajectories for the tests of files and stores.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/trajectory.h"

namespace craft::test {

// Text with what files trip over: quotes, line breaks, headings, fences, other scripts, zero bytes.
inline std::string random_text(Rng& rng, int64_t max_pieces) {
    static const std::vector<std::string> pieces = {
        "a",  "The river rose. ", "\"quoted\" ", "\n",   "\\",        "###PLAN:\n", "```",          "naïve ",
        "雨", "\U0001F980",       "\t",          "\r\n", "{\"a\":1}", "'",          "Sentence: \"", std::string(1, '\0')};
    std::string text;
    for (int64_t i = rng.between(0, max_pieces); i > 0; --i) text += rng.pick(pieces);
    return text;
}

inline std::vector<std::vector<ToolCall>> random_gold(Rng& rng) {
    const std::vector<std::vector<ToolCall>> known = {
        {WordCountCheck{rng.between(0, 5000), Relation::less_than}, WordCountCheck{rng.between(0, 90), Relation::more_than}},
        {SentenceModificationCheck{{1, 4, 9}, false}},
        {KeywordFrequencyCheck{"say \"so\" \\ naïve", rng.between(0, 9), Relation::equal}},
        {KeywordKeepRemovalCheck{"it's", rng.below(2) == 0}},
        {SentenceLengthCheck{rng.between(1, 40), Relation::equal}}};  // none of the 19 shapes
    std::vector<std::vector<ToolCall>> gold;
    for (int64_t i = rng.between(0, 4); i > 0; --i) gold.push_back(rng.pick(known));
    return gold;
}

inline std::optional<double> random_score(Rng& rng, double scale) {
    return rng.below(4) == 0 ? std::nullopt : std::optional(scale * rng.uniform());
}

inline Trajectory random_trajectory(Rng& rng, int64_t max_pieces = 40) {
    Trajectory trajectory;
    Instruction& instruction = trajectory.instruction;
    instruction.id = "item-" + std::to_string(rng.below(1000000));
    instruction.instruction = random_text(rng, 10);
    instruction.text = random_text(rng, max_pieces);
    instruction.wording = rng.below(2) == 0 ? "" : "template";
    instruction.gold = random_gold(rng);
    instruction.domain = static_cast<int>(instruction.gold.size());
    if (rng.below(2) == 0)
        for (size_t i = 0; i < instruction.gold.size(); ++i) instruction.phrases.push_back(random_text(rng, 3));
    trajectory.prompt = random_text(rng, max_pieces);
    for (int64_t i = rng.between(0, 5); i > 0; --i) {
        Step step{random_text(rng, max_pieces), random_text(rng, max_pieces), random_text(rng, 5), random_text(rng, 20), {}};
        step.scores = {random_score(rng, 1), random_score(rng, 1), random_score(rng, 100), 100 * rng.uniform()};
        if (step.scores.s_r)
            step.scores.quality = {{"perplexity", rng.below(4) == 0 ? INFINITY : 40 * rng.uniform(), 40 * rng.uniform()}};
        trajectory.steps.push_back(std::move(step));
    }
    return trajectory;
}

// All that a trajectory holds, as one string for comparing: JSON of it with numbers in full.
inline std::string everything(const Trajectory& trajectory) {
    Json all{{"instruction", to_json(trajectory.instruction)}, {"prompt", trajectory.prompt}};
    for (const Constraint& constraint : trajectory.instruction.constraints)
        all["constraints"].push_back(shape_name(constraint.shape));
    for (const Step& step : trajectory.steps) {
        const auto shown = [](const std::optional<double>& score) { return score ? Json(*score) : Json("absent"); };
        all["steps"].push_back(Json{{"response", step.response},
                                    {"revision", step.revision},
                                    {"feedback", step.feedback},
                                    {"observation", step.observation},
                                    {"s_v", shown(step.scores.s_v)},
                                    {"s_c", shown(step.scores.s_c)},
                                    {"s_r", shown(step.scores.s_r)},
                                    {"s_a", step.scores.s_a},
                                    {"raw_quality", to_json(step.scores.quality)}});
    }
    return all.dump(1);
}

}  // namespace craft::test

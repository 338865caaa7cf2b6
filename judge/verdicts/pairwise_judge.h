// Which of two revisions is better, by a judge (CRAFT Table 5 right, Table 15, App. D.7 and E.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "judge/verdicts/choice_asking.h"
#include "judge/verdicts/duel.h"
#include "judge/verdicts/pairwise_items.h"
#include "systems/prompt_files.h"

namespace craft {

// "fluency", "grammaticality", "coherence": each has a prompt pairwise.NAME.txt.
const std::vector<std::string>& pairwise_criteria();

// Which revision the judge is shown first, as its candidate A.
enum class PairOrders {
    random,  // drawn by seed, item and criterion (CRAFT App. D.7)
    both,    // asked twice, each way once
    fixed,   // A's
};

struct PairwiseOptions {
    PairOrders orders = PairOrders::random;
    uint64_t seed = 1;  // of the draws of orders
    ChoiceAsking asking = {};
};

// One question: which text stood first, and what came.
struct PairQuestion {
    bool a_first = true;
    ChoiceAnswer answer;
    std::optional<bool> chose_first() const;  // absent where the answer could not be read
    std::optional<bool> chose_a() const;
};

// One item under one criterion, the verdict being A's. A tie: the revisions are the same text, so that nobody was asked; or
// of both orders the judge chose one revision in one and the other one in the other. No verdict: an answer could not be
// read.
struct PairJudgement {
    std::optional<PairVerdict> verdict;
    std::vector<PairQuestion> questions;  // none about equal texts
};

// As they are kept until a run's result is there.
Json to_json(const PairJudgement& judgement);
PairJudgement pair_judgement_from_json(const Json& row);

class PairwiseJudge {
public:
    // The system must outlive the judge. Throws Error on a prompt that is missing or lacks {source}, {a} or {b}, or on an
    // unknown criterion.
    PairwiseJudge(System& system, const PromptFiles& prompts, const std::string& criterion, PairwiseOptions options);
    // Throws what the system throws.
    PairJudgement judge(const PairwiseItem& item) const;

private:
    System& system_;
    PairwiseOptions options_;
    std::string criterion_, prompt_;
};

// One row an attempt, with the answer as it came: {"id","criterion","order" ("ab": A's revision first),"attempt","reply",
// "verdict" ("a", "b" or null),"reason" (why there is none, or null),"let_pass"}.
std::vector<Json> judgement_rows(const std::string& id, const std::string& criterion, const PairJudgement& judgement);

}  // namespace craft

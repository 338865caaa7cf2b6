// Whether revisions meet constraints that no program can check, by a judge (CRAFT App. B.1, Table 9).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/revised_text.h"
#include "judge/verdicts/choice_asking.h"
#include "judge/verdicts/easy_items.h"
#include "systems/prompt_files.h"

namespace craft {

// A text, its revision, and the constraints that it is to meet.
struct EasyQuestion {
    EasyItem item;
    std::string revision;
};

struct EasyQuestions {
    std::vector<EasyQuestion> questions;  // of items with a revision, by id: the order in files changes nothing
    int64_t missing = 0;                  // items without one
    int64_t empty_outputs = 0;            // revisions that hold nothing
};
// Throws Error on an output of an id that no item has.
EasyQuestions join_easy(std::vector<EasyItem> items, const std::vector<RevisedText>& outputs);

class EasyJudge {
public:
    // Prompts are easy.style.txt and easy.semantic.txt. The system must outlive the judge. Throws Error on a prompt that is
    // missing or lacks {source}, {revision} or {constraint}.
    EasyJudge(System& system, const PromptFiles& prompts, ChoiceAsking asking);
    // One answer a constraint, choice 0 where it is met and 1 where it is not. Throws what the system throws.
    std::vector<ChoiceAnswer> judge(const EasyQuestion& question) const;

private:
    System& system_;
    ChoiceAsking asking_;
    std::map<EasyKind, std::string> prompts_;
};

// As they are kept until a run's result is there.
Json to_json(const std::vector<ChoiceAnswer>& answers);
std::vector<ChoiceAnswer> choice_answers_from_json(const Json& rows);

// One row an attempt: {"id","constraint" (its number, from 1 on),"kind","attempt","reply","met" (a flag or null),"reason",
// "let_pass"}.
std::vector<Json> easy_rows(const EasyItem& item, const std::vector<ChoiceAnswer>& answers);

// What was found, in any order of the items.
class EasyTotals {
public:
    // Throws Error if the item was added before.
    void add(const EasyItem& item, const std::vector<ChoiceAnswer>& answers);
    // {"corpus":{"accuracy","items","missing","empty_outputs","unjudged","by_domain":{"style":{"accuracy","items",
    // "constraints","met","unjudged"},"semantic":{...}},"answers"},"items":[{"id","accuracy","style","semantic","met":[true,
    // false or null...]}
    // ...]}. An item's accuracy (0-1) is the share of its judged constraints that are met, of all and of each kind; the
    // corpus's figures are means over the items that have one. null: none has.
    Json to_json(int64_t missing, int64_t empty_outputs) const;
    const ChoiceCounts& counts() const { return counts_; }

private:
    struct Verdicts {
        std::vector<EasyKind> kinds;
        std::vector<std::optional<bool>> met;  // one a constraint
    };
    std::map<std::string, Verdicts> items_;  // by id
    ChoiceCounts counts_;
};

}  // namespace craft

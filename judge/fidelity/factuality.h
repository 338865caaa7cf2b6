// `eval factuality`: names that a revision adds, and sentences that do not follow from the text (CRAFT App. B.2, Table 10;
// Lee et al. 2022).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/process/json_command.h"
#include "judge/fidelity/keyword_preservation.h"
#include "text/sentences.h"

namespace craft {

struct FactualityOptions {
    JsonCommandOptions
        entailment;          // {"id","premise","hypothesis"} -> {"id","entailed"} or {"id","score"}; empty: not measured
    double threshold = 0.5;  // from this score on, a sentence is entailed
    SentenceRule sentences = SentenceRule::paper;
};

struct FactualityItem {
    std::string id;
    int64_t entities = 0, unknown_entities = 0;    // different ones of the revision; those that the text does not have
    int64_t sentences = 0;                         // of the revision
    std::optional<int64_t> entailed;               // of them; absent without a command
    int64_t unjudged = 0;                          // of them, whose answers were unfit and skipped
    std::optional<double> ne_er() const;           // 0-1; absent without entities
    std::optional<double> entailed_share() const;  // 0-1; absent without a judged sentence
};

struct FactualityEvaluation {
    std::vector<FactualityItem> items;      // those with a revision, in the order of the originals
    int64_t missing = 0;                    // originals without one
    int64_t empty_outputs = 0;              // revisions that hold nothing, and so neither names nor sentences
    std::optional<double> ne_er, entailed;  // means over the items that have them
    int64_t restarts = 0;                   // of the command
    int64_t unjudged = 0;                   // sentences of all items
};

// Whether an answer calls its sentence entailed: by "entailed", a flag, or by "score", a number from 0 to 1, against the
// threshold. Throws Error(where) where there is neither, or both, which could contradict each other.
bool is_entailed(const Json& answer, double threshold, const std::string& where);

// An entity is known if the text has it, whatever its case, as no part of a longer word. Each sentence of a revision is
// asked about as {"id":"ID#N","premise":the text,"hypothesis":the sentence}, N from 1 on. Throws Error as ask_json_command()
// does.
FactualityEvaluation evaluate_factuality(const TextPairs& texts, const KeywordFinder& entities,
                                         const FactualityOptions& options);

// {"corpus":{"ne_er","entailed","items","missing","empty_outputs","with_entities","restarts","unjudged"},
// "items":[{"id","ne_er","entailed","entities","unknown_entities","sentences","unjudged"}...]}; null where there is none.
Json to_json(const FactualityEvaluation& evaluation);

}  // namespace craft

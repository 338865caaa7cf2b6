// `eval cord`: constraint adherence of revised texts on CORD-like items (docs/definitions.md, Scores).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/instruction.h"
#include "data/revised_text.h"
#include "text/sentences.h"
#include "tools/craft/check.h"

namespace craft {

// The rows of a file of instructions, in order. Throws Error on a bad row, a repeated id, or no
// row at all.
std::vector<Instruction> read_instructions(const std::string& path, const JsonLinesOptions& options = {});

struct CordItem {
    std::string id;
    int domain = 0;
    std::optional<double> accuracy;          // 0-1; absent without constraints, and left out of the means
    std::vector<bool> met;                   // one a constraint
    std::optional<int64_t> touched_besides;  // "only change": other sentences touched; absent without such a constraint
    std::optional<bool> only_kept;           // none was; absent likewise
};

struct CordMean {
    int64_t items = 0;  // with constraints
    std::optional<double> accuracy;
};

// The mean over items, in which each item weighs alike, beside their constraints, in which each constraint does.
struct CordFigures {
    CordMean mean;
    int64_t met = 0, constraints = 0;     // of all these items
    std::optional<double> micro() const;  // 0-1: met / constraints; absent without constraints
};

// The corpus's figures under one scoring.
struct CordScoring {
    CordFigures overall;
    std::map<std::string, CordFigures> by_domain;  // "c2"
};

struct CordEvaluation {
    Scoring scoring = Scoring::strict;  // of all but `scorings`
    SentenceRule sentences = SentenceRule::paper;
    std::vector<CordItem> items;               // those with an output, in the order of the instructions
    int64_t missing = 0;                       // instructions without one, left out of the means
    int64_t empty_outputs = 0;                 // outputs that hold nothing, scored like others
    int64_t failed_outputs = 0;                // texts that `revise` could not revise, scored as they are
    std::map<Scoring, CordScoring> scorings;   // strict and, with the paper's sentences, published
    std::optional<double> touched_besides;     // mean over the items that have it
    std::optional<double> only_kept;           // share, 0-1, of these items in which no other sentence was touched
    std::map<std::string, CordMean> by_shape;  // share of a shape's constraints met; `items` counts constraints; "other":
                                               // none of the 19

    const CordScoring& figures() const { return scorings.at(scoring); }
};

// Throws Error on an output whose id no instruction has, and if the published scoring is asked for with other sentences than
// the paper's, with which it was made.
CordEvaluation evaluate_cord(const std::vector<Instruction>& instructions, const std::vector<RevisedText>& outputs,
                             Scoring scoring, SentenceRule sentences = SentenceRule::paper);

// The figures of a scoring after each round (CRAFT Fig. 3), by the round's number; the outputs have rounds
// (read_revised_rounds()). Throws Error as evaluate_cord() does.
Json evaluate_cord_rounds(const std::vector<Instruction>& instructions, const std::vector<RevisedText>& outputs,
                          Scoring scoring, SentenceRule sentences = SentenceRule::paper);

// {"scoring","sentences","missing","empty_outputs","failed_outputs","corpus":{"accuracy","items","micro","met","constraints",
// "missing","empty_outputs","failed_outputs","touched_besides","only_kept","by_domain","by_shape","scorings":{"strict":{"accuracy","items","micro","met",
// "constraints","by_domain"},"published":{...}}},"items":[{"id","domain","accuracy","met","touched_besides",
// "only_kept"}...]}. A domain has the figures of a scoring. accuracy and micro are null without constraints, touched_besides
// and only_kept without sentences to change.
Json to_json(const CordEvaluation& evaluation);

}  // namespace craft

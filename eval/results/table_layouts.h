// Which figures stand where in the tables of CRAFT: Tables 1-13, Figures 3 and 8, and the scores of App. E.5.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "eval/results/table.h"

namespace craft {

enum class TableLayout {
    t1,   // perplexity, SOME and BARTScore over C0-C4, of revisions with and without plans
    t2,   // accuracy on C1-C4, of the first system and others, and what these gain over it
    t3,   // accuracy on C1-C4; perplexity, SOME and BARTScore over C1-C4
    t4,   // perplexity, SOME and BARTScore on C0
    t5,   // scores of a judge: fluency, coherence, grammaticality (errors, less is better); beside them in how many cases a
          // judge that compares called the system the better one
    t6,   // as t4, for ablations
    t7,   // accuracy on C1-C4 alone
    t8,   // errors of LaTeX, perplexity, SOME, BARTScore
    t9,   // easy constraints of style and semantic ones: accuracy by a judge, perplexity, SOME, BARTScore
    t10,  // NE_ER and entailment
    t11,  // cost of revisions by domain, as factors of a baseline's
    t12,  // of a set of instructions: texts, sentences and words by domain (eval/results/instruction_tables.h)
    t13,  // and how many constraints of each sub-type it has
    f3,   // perplexity, SOME, BARTScore and accuracy after each round (eval/results/round_figure.h)
    f8,   // F1 of tools by domain
    e5,   // all scores of a judge: of refinement fluency, coherence, consistency; of correction semantics, grammaticality
          // (errors left) and over-correction (none to substantial), of which less is better
};

// A file of a system: "NAME=FILE", or "NAME:c2=FILE" for one that does not say its domain by itself; in t9, where the kinds
// of constraints stand in the place of domains, "NAME:style=FILE" or "NAME:semantic=FILE".
struct TableSource {
    std::string system;
    std::string domain;  // "c0" to "c4", "style", "semantic", or empty
    std::string file;
};
// Throws Error on another form, and on domains like "c9" that CORD does not have.
TableSource table_source(const std::string& written);

struct TableInput {
    TableSource source;
    Json document;  // a result of `eval`, the marks of `judge`, or in t11 the manifest of `revise`
};

// What a file says of its system: its corpus or, of a file of several systems, that of the one by whose name it was given.
// Throws Error where it has none.
const Json& corpus_of(const TableInput& input);

// Files of one cell, which are runs, are averaged. Systems stand in the order in which they come first, and a figure that no
// file gives is absent; a file whose figure is null (errors of LaTeX without a compiler) gives none. A column of one domain
// takes no figure without one. SOME and shares, which results have from 0 to 1, are shown in percent, as in the paper. Text
// quality "over C1-C4" is the mean of the four domains' figures, or the figure of a file without a domain. A note counts the
// cells without a figure, others name the commands that make them. t12 and t13 are not made here.
// Throws Error if figures of a column come from different scorers, if a file has no figure of the
// layout, if some but not all of the four domains are there, or if t11 lacks the baseline, which is the system of that name.
Table make_table(TableLayout layout, const std::vector<TableInput>& inputs, const std::string& baseline = "Iter");

}  // namespace craft

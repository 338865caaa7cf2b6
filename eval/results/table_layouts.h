// Which figures stand where in the tables of CRAFT: Tables 3-11, Fig. 8, and the scores of App. E.5.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "eval/results/table.h"

namespace craft {

enum class TableLayout {
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
    Json document;  // a result of `eval`, or in t11 the manifest of `revise`
};

// Files of one cell, which are runs, are averaged. Systems stand in the order in which they come first, and a figure that no
// file gives is absent; a file whose figure is null (errors of LaTeX without a compiler) gives none. A column of one domain
// takes no figure without one. SOME and shares, which results have from 0 to 1, are shown in percent, as in the paper. Text
// quality "over C1-C4" is the mean of the four domains' figures, or the figure of a file without a domain. A note counts the
// cells without a figure. Throws Error if figures of a column come from different scorers, if a file has no figure of the
// layout, if some but not all of the four domains are there, or if t11 lacks the baseline, which is the system of that name.
Table make_table(TableLayout layout, const std::vector<TableInput>& inputs, const std::string& baseline = "Iter");

}  // namespace craft

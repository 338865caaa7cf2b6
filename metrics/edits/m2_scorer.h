// MaxMatch, the M2 scorer of grammatical error correction (Dahlmeier and Ng 2012; nusnlp/m2scorer, commit cb874a7): of the
// edits that turn a source into a hypothesis those are counted that match gold most.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "metrics/edits/edit_lattice.h"
#include "metrics/edits/m2_file.h"
#include "text/text_lines.h"

namespace craft {

struct M2Options {
    double beta = 0.5;                      // weight of recall in F, above 0
    bool ignore_whitespace_casing = false;  // leave out edits of the hypothesis that change white space or case alone
    LatticeLimits limits;                   // max_unchanged_words, and what a sentence may take
};

struct M2Counts {
    int64_t correct = 0, proposed = 0, gold = 0;
    bool operator==(const M2Counts&) const = default;
};

// 0 to 1; precision and recall are 1 where nothing was proposed, or nothing was gold.
struct M2Scores {
    double precision = 1, recall = 1, f = 1;
};
M2Scores m2_scores(const M2Counts& counts, double beta);

struct M2SentenceScore {
    M2Counts counts;
    int64_t annotator = 0;  // whose edits were taken
    int64_t spans = 0;      // proposed edits whose span is one of his, each of which is met once
};

struct M2Evaluation {
    M2Counts total;
    M2Counts spans;  // `correct`: spans that are met, whatever was made of them
    std::vector<M2SentenceScore> sentences;
    int64_t empty_hypotheses = 0;  // lines without a token beside a sentence that has some
    // Gold edits by their types, and how many of them are correct: of the annotators that were taken. The scorer itself has
    // no types; an edit that was proposed has none, so that there is no precision.
    std::map<std::string, M2Counts> by_type;
};

// A gold edit that an annotator lists twice is one, and an edit of the hypothesis meets one gold edit at most.
// nusnlp/m2scorer has it otherwise: it counts both as correct for one proposed edit, so that its precision can be 2. Nor
// does it matter in which order an annotator's edits are listed, but for insertions at one place, which follow each other as
// listed; m2scorer passes over a gold edit that is listed after one further right.
// Sentence by sentence, in their order, the annotator is taken with whom the F of all sentences so far is highest, of equal
// ones that with more correct edits, then with fewer edits; annotators are tried by their number. Gold edits that reach
// beyond their sentence (M2File::outside) are left out. Throws Error if the numbers of lines and sentences differ, if there
// are none, or if a sentence passes the limits; Stopped between sentences if a signal came.
M2Evaluation score_m2(const SentenceFile& hypotheses, const M2File& gold, const M2Options& options);

}  // namespace craft

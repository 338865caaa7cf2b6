// How far the edits of two M2 files agree, as ERRANT's errant_compare counts it (errant 3.0.2, commands/compare_m2.py):
// listed spans and strings are compared, no text is aligned.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "metrics/edits/m2_file.h"

namespace craft {

// When an edit of the hypothesis is one of the reference.
enum class EditMatch {
    correction,       // same span, same correction: ERRANT's default, -cs; alternatives "a||b" are one string
    correction_type,  // and same type: -cse
    span_detection,   // same span: -ds
    token_detection   // each token of its span is one that the reference edits: -dt; an insertion touches the token on its
                      // right
};

enum class EditLength { any, single_token, multi_token };  // single: at most one token on both sides

struct ErrantOptions {
    double beta = 0.5;  // weight of recall in F, above 0
    EditMatch match = EditMatch::correction;
    EditLength length = EditLength::any;      // which edits are counted
    std::vector<std::string> filtered_types;  // edits that are left out
};

struct EditCounts {
    int64_t true_positives = 0, false_positives = 0, false_negatives = 0;
    EditCounts& operator+=(const EditCounts& other);
    bool operator==(const EditCounts&) const = default;
};

// 0 to 1, rounded to four digits, as ERRANT compares and prints them.
struct EditScores {
    double precision = 1, recall = 1, f = 1;
};
// ERRANT's definition: precision is 1 without false positives and recall 1 without false negatives, also where nothing is
// true.
EditScores edit_scores(const EditCounts& counts, double beta);

using TypeCounts = std::map<std::string, EditCounts, std::less<>>;

struct ErrantComparison {
    EditCounts total;
    std::vector<EditCounts> sentences;  // of the pair of annotators that was taken
    TypeCounts by_type;                 // "R:VERB:TENSE"; a true positive counts by the reference's type
};

// Throws Error if the files differ in their number of sentences, with the last one of the hypothesis or the first that is
// too many, or if they have none.
void check_as_many(const M2File& hypothesis, const M2File& reference);

// Where a sentence has several annotators, the pair of hypothesis and reference is taken with which the F of all sentences
// so far is highest; then that with more true positives, fewer false positives, fewer false negatives. An UNK edit is
// counted in detection only. Throws as check_as_many() does, and Stopped between sentences if a signal came.
ErrantComparison compare_edits(const M2File& hypothesis, const M2File& reference, const ErrantOptions& options);

// ERRANT's tiers of types: 1 the operation (R, M, U), 2 what is after it (VERB:TENSE), 3 the whole type.
TypeCounts by_category(const TypeCounts& by_type, int tier);

}  // namespace craft

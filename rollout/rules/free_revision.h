// A revised version of any text, from which the values of constraints are read (docs/constraints.md).
#pragma once

#include <string>

#include "core/rng.h"
#include "rollout/rules/rules.h"
#include "text/sentences.h"

namespace craft {

// Share of the sentences that a free revision changes at least.
constexpr double kChangedShare = 0.2;

// A revision with tendencies drawn from `rng`: shorter or longer (5-25 % of the words), sentences split or merged, some
// words swapped everywhere, a share of the sentences left alone. At least 20 % of the sentences (by bare sentences that no
// longer occur) are changed; empty if the rules cannot do that (a text of one word, say).
std::string free_revision(const Rules& rules, const std::string& text, Rng& rng, SentenceRule rule = SentenceRule::paper);

// How many sentences of `original` no longer occur, as bare sentences, in `revision`.
int64_t changed_sentences(const std::string& original, const std::string& revision, SentenceRule rule = SentenceRule::paper);

}  // namespace craft

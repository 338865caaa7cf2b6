// The options of word alignments, of commands whose judges look at them, and the aligner that they name.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cli/common.h"
#include "core/json.h"
#include "judge/scorers/word_aligner.h"

namespace craft {

struct WordAlignmentSettings {
    std::filesystem::path encoder;  // empty: nothing is aligned
    WordAlignerOptions options;
    std::filesystem::path centre_from;  // judge's input (data/candidates.h), over whose pairs the mean is taken; empty: over
                                        // those that are aligned together
};

// --aligner, and under the key `aligner` what configurations set.
void bind_word_alignment(OptionTable& table, WordAlignmentSettings& settings);
// Null without --aligner. Opens the encoder where the common options say. Throws Error as open_word_aligner() does, and on a
// bad line of centre_from; UsageError as open_placement() does.
std::unique_ptr<WordAligner> open_word_alignment(const WordAlignmentSettings& settings, const CommonOptions& common);
// What a manifest says: {"encoder","layer","tau","threshold",...} with the encoder's hash; null without --aligner.
Json word_alignment_record(const WordAlignmentSettings& settings);

}  // namespace craft

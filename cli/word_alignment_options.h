// The options of word alignments, of commands whose judges look at them.
#pragma once

#include "core/options.h"
#include "judge/run/judging_materials.h"

namespace craft {

// --aligner, and under the key `aligner` what configurations set.
void bind_word_alignment(OptionTable& table, WordAlignmentSettings& settings);

}  // namespace craft

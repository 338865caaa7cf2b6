// One run of `gec traces`: what the agent does with sentences whose correction is known, as data to train on.
#pragma once

#include <cstdint>
#include <string>

#include "core/run_folder.h"
#include "gec/run/corrector.h"
#include "gec/trace_conversation.h"
#include "gec/training_rows.h"

namespace craft {

struct TraceRunOptions {
    GecOptions gec;
    std::string pairs, scratchpads;  // files of preference pairs and of all traces; empty: none
    int64_t samples = 1;             // traces of a sentence, of which the best is kept
    TraceForm form = TraceForm::react;
    TrainingRowOptions rows;
};

// As correct_texts() (gec/run/correction_run.h).
void make_traces(const TraceRunOptions& options, const PlacementOptions& placing, uint64_t seed, const RunIdentity& identity,
                 bool overwrite);

}  // namespace craft

// How much must speak for a correction before it is made, for each kind of them (share/gec/correction_thresholds.json,
// fitted by benchmarks/fit_corrections.py).
#pragma once

#include <filesystem>
#include <map>

#include "gec/rules/correction_kind.h"

namespace craft {

class CorrectionThresholds {
public:
    // Of every kind a number: the nats that a model's gain and the rule's evidence must come to, together. Throws Error
    // naming the file and the kind that is missing, unknown or no number.
    static CorrectionThresholds load(const std::filesystem::path& file);
    static CorrectionThresholds shipped();
    double of(CorrectionKind kind) const { return nats_.at(kind); }

private:
    std::map<CorrectionKind, double> nats_;
};

}  // namespace craft

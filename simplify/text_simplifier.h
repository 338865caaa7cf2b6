// Who makes a text simpler: a model that is asked, or rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simplify/correction_round.h"

namespace craft {

// A text to be simplified, and its number among them, which keys random streams of systems that draw.
struct SimplificationTask {
    std::string id, text;
    uint64_t item = 0;
};

struct Simplification {
    std::string text;     // empty where there is none
    std::string failure;  // why there is none: Reply::problem() (systems/system.h), "empty", "not_utf8"
    Leniency noted;       // as SimplificationReply::noted; "unchanged" of rules, too
    // Where the text went through rounds of feedback (feedback_rounds.h): what it was before them, and each of them.
    std::string first = {};
    std::vector<CorrectionRound> rounds = {};
    bool operator==(const Simplification&) const = default;
};

class TextSimplifier {
public:
    virtual ~TextSimplifier() = default;
    virtual std::string name() const = 0;  // its specification: "local:MODEL", "rules:split"
    // May be called by several threads at once. Throws what a system throws.
    virtual Simplification simplify(const SimplificationTask& task) const = 0;
};

}  // namespace craft

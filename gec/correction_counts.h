// What is told of many corrected texts together, for manifests: read off their rows, whoever made them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/json.h"
#include "gec/corrected_text.h"

namespace craft {

class CorrectionCounts {
public:
    void add(const CorrectedText& corrected);
    int64_t texts() const { return texts_; }
    // How many sentences a model was asked about, and of how many nothing but failures came.
    // {"texts","changed","sentences","edits":{operation:n},"ended","not_asked","failures","model_calls":{"sum","mean","by_count"},
    // "calls":{action:n},"usage_rate":{action: calls / model
    // calls},"tool_errors":{tool:n},"tool_seconds":{tool:s},"refused","unread","let_pass","unnamed_changes","noted","seconds"}.
    // `model_calls` and `ended` are of sentences that a model was asked about.
    Json to_json() const;

private:
    using Counts = std::map<std::string, int64_t>;
    void add(const AgentTrace& trace);

    int64_t texts_ = 0, changed_ = 0, sentences_ = 0, asked_ = 0, model_calls_ = 0, unnamed_ = 0;
    double seconds_ = 0;
    std::map<std::string, double> tool_seconds_;
    Counts tool_errors_, edits_, ended_, not_asked_, failures_, calls_, refused_, unread_, let_pass_, noted_;
    std::map<size_t, int64_t> by_count_;
};

}  // namespace craft

// What a planner's calls ask of a revision, as counts that add up over sentences: an edit of one sentence is judged without
// measuring the rest of the text again. The counts are those of tools/check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/sentences.h"
#include "tools/craft/tool_call.h"

namespace craft {

// What one sentence (or a whole text: their sum) contributes: [sentences, words, one entry a goal].
using Counts = std::vector<int32_t>;

struct Goal {
    enum class Kind { words, sentences, length, keyword, keep, change } kind = Kind::words;
    Relation relation = Relation::equal;
    int64_t n = 0;
    std::string text;      // the keyword in lower case, or the bare sentence of keep and change
    int64_t id = 0;        // of the sentence, from 1
    double scale = 1;      // distance that counts as one
    double weight = 1;     // raised while a search is stuck on it
    std::string spelling;  // the keyword as the call has it
};

class Goals {
public:
    // Calls that ask for nothing (text_eval, detect_keyword) and ids beyond the text are left out.
    Goals(const std::vector<ToolCall>& calls, const std::string& original, SentenceRule rule);

    const std::vector<Goal>& all() const { return goals_; }
    const std::vector<std::string>& original_sentences() const { return originals_; }
    bool empty() const { return goals_.empty(); }

    Counts measure(const std::string& sentence) const;
    Counts zero() const { return Counts(goals_.size() + 2, 0); }
    // Distances are brought to about one at the start, so that no goal drowns another.
    void set_scales(const Counts& totals);
    void raise_unmet(const Counts& totals, double factor);
    void reset_weights();

    int64_t distance(size_t goal, const Counts& totals) const;  // 0: met
    double violation(const Counts& totals) const;               // weighted sum over the goals; 0: all met
    int64_t unmet(const Counts& totals) const;                  // number of goals

private:
    std::vector<Goal> goals_;
    std::vector<std::string> originals_;
    bool needs_words_ = false, needs_lower_ = false;
};

}  // namespace craft

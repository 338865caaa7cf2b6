// What the tools measure on a revision (docs/definitions.md, Tools).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/sentences.h"
#include "tools/tool_call.h"

namespace craft {

enum class Scoring {
    strict,     // docs/definitions.md as it stands
    published,  // the paper's Table 3 from the authors' released outputs, defects included
};

// Sentences and counts of a text, computed once and used by many checks. Not to be shared between threads: even the const
// functions fill it in.
class MeasuredText {
public:
    explicit MeasuredText(std::string text, SentenceRule rule = SentenceRule::paper);
    const std::string& text() const { return text_; }
    const std::string& lower() const;  // lower-cased text, for keyword counts; lazily computed
    const std::vector<std::string>& sentences() const { return sentences_; }
    int64_t word_count() const;                            // Treebank tokens, summed over the sentences; lazily computed
    const std::vector<int64_t>& sentence_lengths() const;  // white-space words of each bare sentence; lazily computed

private:
    std::string text_;
    std::vector<std::string> sentences_;
    mutable std::optional<std::string> lower_;
    mutable std::optional<int64_t> word_count_;
    mutable std::optional<std::vector<int64_t>> lengths_;
};

struct CheckResult {
    bool met = false;
    std::optional<int64_t> measured;  // words, sentences, occurrences; for lengths the worst sentence's; absent for others
    std::string detail;               // one clause for feedback: which sentences or counts miss the condition; empty if met
};

// `original` is the text before revision. text_eval and detect_keyword are not conditions: met = true. In the published
// mode a word_count_check is taken as a lone one (it passes); a range is the caller's to refuse (constraints/adherence.h).
CheckResult check(const ToolCall& call, const MeasuredText& original, const MeasuredText& revision,
                  Scoring scoring = Scoring::strict);

// "only change" constraints: sentences of the original outside `ids` whose bare form is gone from the revision (a figure of
// its own, outside S_c).
std::vector<int64_t> sentences_touched_besides(const std::vector<int64_t>& ids, const MeasuredText& original,
                                               const MeasuredText& revision);

}  // namespace craft

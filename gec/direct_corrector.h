// Sentences corrected by one answer of a model, without steps and tools: the baselines (GEC-Agent §4).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/message.h"
#include "gec/agent_trace.h"
#include "systems/prompt_files.h"
#include "systems/system.h"
#include "text/wording_table.h"

namespace craft {

struct DirectOptions {
    bool thinks = false;      // chain of thought: the answer begins with a thought
    int64_t shots = 0;        // worked examples: those of the prompt, or the nearest pairs
    int64_t max_words = 300;  // as AgentOptions has it
    SamplingOptions sampling = {.temperature = 0, .top_p = .3, .stop = {"\nSentence:"}, .stage = "gec"};
};

// The pairs {source, target} that are nearest to a sentence, the nearest first, at most this many.
using NearestPairs =
    std::function<std::vector<std::pair<std::string, std::string>>(const std::string& sentence, int64_t most)>;

struct WorkedExample {
    std::string source, thought, target;
};

// What a model is asked with: the system's message, the examples as turns that went before, and the sentence. `wordings` are
// those of share/prompts/gec.direct.json; `thinks`: as DirectOptions has it.
std::vector<Message> direct_messages(const WordingTable& wordings, const std::string& sentence, bool thinks = false,
                                     const std::vector<WorkedExample>& examples = {});

class DirectCorrector {
public:
    // `system` must outlive it; `nearest` null: the prompt's own examples. Throws Error as WordingTable::load() does, and
    // where the prompt has fewer examples, or lists of them that do not go together.
    DirectCorrector(System& system, const PromptFiles& prompts, const DirectOptions& options,
                    NearestPairs nearest = nullptr);
    // A trace of one step. A reply without "Final Answer:" is the sentence itself, unless it should have begun with a
    // thought: then it cannot be read, and the sentence stays. Throws what the system throws.
    AgentTrace correct(const std::string& sentence, uint64_t item, uint64_t sample) const;

private:
    std::vector<WorkedExample> examples_for(const std::string& sentence) const;

    System& system_;
    WordingTable wordings_;
    DirectOptions options_;
    NearestPairs nearest_;
    std::vector<WorkedExample> examples_;
};

}  // namespace craft

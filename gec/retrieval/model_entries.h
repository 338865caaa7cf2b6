// Entries of sentence pairs by a model that is asked for them (GEC-Agent Appendix D).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gec/retrieval/entry_answer.h"
#include "systems/prompt_files.h"
#include "systems/system.h"

namespace craft {

struct ModelEntryCounts {
    int64_t asked = 0, read = 0;
    std::map<std::string, int64_t> unread;  // by EntryAnswer::problem, or by the failure's name
};
Json to_json(const ModelEntryCounts& counts);

class ModelEntries {
public:
    // The prompt is gec_entries.txt, with {source} and {target}. `system` must outlive it. Throws Error as PromptFiles does.
    ModelEntries(System& system, const PromptFiles& prompts,
                 SamplingOptions sampling = {.keep_histories = false, .stage = "gec entries"});

    // One answer a pair, in order; what cannot be read is counted. Entries have the keys of their words' first place in the
    // sentence. Throws what the system throws.
    std::vector<EntryAnswer> ask(const std::vector<const SentencePair*>& pairs);
    const ModelEntryCounts& counts() const { return counts_; }

private:
    System& system_;
    std::string prompt_;
    SamplingOptions sampling_;
    ModelEntryCounts counts_;
    uint64_t item_ = 0;
};

}  // namespace craft

// Prompts on their way into rows: computed a pass at a time, what they share once, what is kept not again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/generate/prompt_tree.h"
#include "model/steps/history_store.h"
#include "model/steps/steps.h"

namespace craft {

class Prefill {
public:
    // The prompts live as long as this. `kept` may be null. `next` is the prompt that comes after them, later: what it
    // shares with the last one is kept for it; null: none.
    Prefill(std::vector<const std::vector<int64_t>*> prompts, Steps& steps, HistoryStore* kept,
            const std::vector<int64_t>* next = nullptr);

    struct Ready {
        size_t prompt = 0;  // its number among those given
        Extended computed;
        int64_t cached_tokens = 0;  // of the prompt's: were kept before
    };
    // Computes at most this many tokens, at least one, of Steps that are not exact at least a prompt; returns the prompts
    // that are complete with them.
    std::vector<Ready> advance(int64_t max_tokens);
    bool is_done() const { return next_ == tree_.size(); }

private:
    struct Progress {
        std::shared_ptr<const History> history;  // of what is computed up to `end`, from the prompt's first token on
        int64_t end = 0;
        int64_t cached = 0;      // of these tokens: were kept before
        int64_t extension = -1;  // of the pass under way that computes the rest of the stretch
        bool is_begun = false;
    };
    void begin(size_t stretch);

    std::vector<const std::vector<int64_t>*> prompts_;
    Steps& steps_;
    HistoryStore* kept_;
    std::vector<PrefixSegment> tree_;
    std::vector<Progress> progress_;  // of each stretch
    size_t next_ = 0;                 // the first stretch that is not complete
};

}  // namespace craft

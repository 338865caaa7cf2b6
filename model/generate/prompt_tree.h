// Prompts that begin alike: what they share is computed once.
#pragma once

#include <cstdint>
#include <vector>

namespace craft {

// Tokens [from, to) of a prompt, which continue after its parent's: what several prompts have in common, or the rest of one.
struct PrefixSegment {
    int64_t parent = -1;  // earlier in the list; -1: the prompt begins here
    int64_t prompt = 0;   // one of those that have these tokens
    int64_t from = 0, to = 0;
    bool is_rest = false;
};

// All prompts, cut into stretches: each prompt has one rest, of at least one token. In an order by their tokens, prompts
// that begin alike are neighbours; only neighbours share. A stretch that is shared ends after a multiple of 16 tokens, the
// pages in which keys and values are kept, and has at least 64: fewer are not worth a pass of their own.
std::vector<PrefixSegment> prompt_tree(const std::vector<const std::vector<int64_t>*>& prompts);

}  // namespace craft

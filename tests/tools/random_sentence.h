// Random walks through a grammar.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "tools/grammar.h"

namespace craft::test {

class RandomSentences {
public:
    // Of the bytes that may come next, those of `often` are drawn every other time.
    RandomSentences(const Grammar& grammar, std::string_view often) : grammar_(grammar), often_(often) { find_ways(); }

    // Now and then the walk makes for the end for some steps, so that what must be written before it is; where a sentence
    // may end, it does once in `ends` times.
    std::string next(Rng& rng, uint64_t ends = 4) const {
        std::string text;
        GrammarState state = grammar_.start();
        int64_t hurry = 0;
        while (!state.may_end() || rng.below(ends) != 0) {
            if (hurry == 0 && rng.below(12) == 0) hurry = rng.between(1, 60);
            std::vector<uint8_t> all, preferred, nearer;
            for (int byte = 0; byte < 256; ++byte) {
                GrammarState after = state;
                if (!after.advance(static_cast<uint8_t>(byte))) continue;
                all.push_back(static_cast<uint8_t>(byte));
                if (often_.find(static_cast<char>(byte)) != std::string_view::npos) preferred.push_back(all.back());
                if (steps_.at(after.number()) < steps_.at(state.number())) nearer.push_back(all.back());
            }
            if (all.empty()) break;
            const bool hurries = hurry > 0 && !nearer.empty();
            hurry = hurries ? hurry - 1 : 0;
            const bool prefers = !preferred.empty() && rng.below(2) == 0;
            const uint8_t byte = rng.pick(hurries ? nearer : prefers ? preferred : all);
            state.advance(byte);
            text += static_cast<char>(byte);
        }
        return text;
    }

private:
    // Bytes from each state to the nearest end.
    void find_ways() {
        std::vector<GrammarState> states = {grammar_.start()};
        std::map<int32_t, std::vector<int32_t>> before;
        std::vector<int32_t> ends;
        steps_[states[0].number()] = -1;
        for (size_t i = 0; i < states.size(); ++i) {
            const GrammarState from = states[i];
            if (from.may_end()) ends.push_back(from.number());
            for (int byte = 0; byte < 256; ++byte) {
                GrammarState after = from;
                if (!after.advance(static_cast<uint8_t>(byte))) continue;
                before[after.number()].push_back(from.number());
                if (steps_.emplace(after.number(), -1).second) states.push_back(after);
            }
        }
        for (const int32_t end : ends) steps_[end] = 0;
        for (size_t i = 0; i < ends.size(); ++i)
            for (const int32_t from : before[ends[i]])
                if (steps_[from] < 0) {
                    steps_[from] = steps_[ends[i]] + 1;
                    ends.push_back(from);
                }
    }

    const Grammar& grammar_;
    std::string often_;
    std::map<int32_t, int64_t> steps_;
};

// The text with one change: a byte more, less or another.
inline std::string changed_somewhere(std::string text, Rng& rng, std::string_view bytes) {
    const size_t at = rng.below(text.size() + 1);
    const char byte = bytes[rng.below(bytes.size())];
    const uint64_t kind = at == text.size() ? 0 : rng.below(3);
    if (kind == 0)
        text.insert(at, 1, byte);
    else if (kind == 1)
        text.erase(at, 1);
    else
        text[at] = byte;
    return text;
}

}  // namespace craft::test

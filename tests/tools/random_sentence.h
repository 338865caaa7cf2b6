// Random walks through a grammar.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/rng.h"
#include "tools/grammar.h"

namespace craft::test {

// A sentence of the grammar. Each byte is drawn from those that may come, every other time from the given ones among them,
// so that strings and lines come to an end; where a sentence may end, it does with one in `ends`.
inline std::string random_sentence(const Grammar& grammar, Rng& rng, std::string_view often, uint64_t ends = 4) {
    std::string text;
    GrammarState state = grammar.start();
    while (!state.may_end() || rng.below(ends) != 0) {
        std::vector<uint8_t> all, preferred;
        for (int byte = 0; byte < 256; ++byte) {
            GrammarState next = state;
            if (!next.advance(static_cast<uint8_t>(byte))) continue;
            all.push_back(static_cast<uint8_t>(byte));
            if (often.find(static_cast<char>(byte)) != std::string_view::npos) preferred.push_back(all.back());
        }
        if (all.empty()) break;
        const uint8_t byte = !preferred.empty() && rng.below(2) == 0 ? rng.pick(preferred) : rng.pick(all);
        state.advance(byte);
        text += static_cast<char>(byte);
    }
    return text;
}

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

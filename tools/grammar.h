// A grammar that follows a text byte by byte: after each byte it is known whether the text can still become one of its
// sentences, and whether it is one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tools/grammar_rules.h"

namespace craft {

class Grammar;

// Where in a grammar a text is. To be copied freely; the grammar must outlive it.
class GrammarState {
public:
    // Takes the text's next byte. False: no sentence begins so; the state is then dead and takes no byte any more.
    bool advance(uint8_t byte);
    bool may_end() const;  // the text so far is a sentence
    bool is_live() const { return at_ >= 0; }
    // Of states with equal numbers the same texts may follow; from 0 and below Grammar::states(), -1 if dead.
    int32_t number() const { return at_; }

private:
    friend class Grammar;
    GrammarState(const Grammar& grammar, int32_t at) : grammar_(&grammar), at_(at) {}
    const Grammar* grammar_;
    int32_t at_;
};

// The rules as the smallest deterministic automaton on bytes. Its texts are well-formed UTF-8.
class Grammar {
public:
    // Throws std::logic_error as check_grammar_rules() does.
    explicit Grammar(GrammarRules rules);
    Grammar(const Grammar&) = delete;
    Grammar& operator=(const Grammar&) = delete;

    const GrammarRules& rules() const { return rules_; }
    GrammarState start() const { return {*this, start_}; }
    int32_t states() const { return static_cast<int32_t>(may_end_.size()); }

private:
    friend class GrammarState;
    int32_t next(int32_t state, uint8_t byte) const { return next_[static_cast<size_t>(state) * kinds_ + kind_of_[byte]]; }
    GrammarRules rules_;
    std::array<uint8_t, 256> kind_of_{};  // bytes that no state tells apart are of one kind
    size_t kinds_ = 0;
    std::vector<int32_t> next_;     // [state, kind of byte]; -1: none
    std::vector<uint8_t> may_end_;  // [state]
    int32_t start_ = 0;
};

inline bool GrammarState::advance(uint8_t byte) {
    if (at_ >= 0) at_ = grammar_->next(at_, byte);
    return at_ >= 0;
}
inline bool GrammarState::may_end() const {
    return at_ >= 0 && grammar_->may_end_[static_cast<size_t>(at_)] != 0;
}

}  // namespace craft

// What a grammar leaves of a vocabulary: which tokens may come next in a text that shall be one of its sentences.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "model/tokenizer/tokenizer.h"
#include "tools/grammar.h"

namespace craft {

// A grammar over the tokens of one tokenizer. To be shared between threads and calls: what is found of a state is kept, a
// bit a token of the vocabulary.
class GrammarMask {
public:
    // Throws Error if what a token adds to a text depends on its neighbours, as with WordPiece.
    GrammarMask(std::shared_ptr<const Grammar> grammar, const Tokenizer& tokenizer);

    // Where a text is that grows token by token.
    struct Place {
        GrammarState state;
        bool is_begun = false;  // many tokenizers drop a blank at the beginning of a text
    };
    Place begin() const { return {grammar_->start()}; }
    // Takes a token that was allowed; others, those that end a text among them, change nothing.
    void advance(Place& place, int64_t token) const;

    // Tokens that may come next, token i in bit i % 64 of word i / 64: none that is special, unknown or without bytes.
    const std::vector<uint64_t>& allowed(const Place& place) const;
    // Of a row of logits, minus infinity for all tokens but those that may come next. `ends`: tokens that end the text; they
    // may come where it is a sentence, and nowhere else. False if no token is left.
    bool apply(std::span<float> logits, const Place& place, std::initializer_list<std::span<const int64_t>> ends) const;

private:
    // Of the bytes of all tokens, each before those that continue from it: what does not fit is passed over with all after
    // it.
    struct Node {
        uint32_t behind = 0;                       // the node after all that continue from this one
        uint32_t first_token = 0, last_token = 0;  // that end here: order_[first_token, last_token)
        uint16_t depth = 0;                        // bytes before this one's
        uint8_t byte = 0;
    };
    void add_token(const std::string& bytes, int64_t id, const std::string& before);
    std::vector<uint64_t> find_allowed(const Place& place) const;

    std::shared_ptr<const Grammar> grammar_;
    std::vector<std::string> bytes_;  // of each token; empty: never allowed
    std::vector<Node> nodes_;
    std::vector<uint32_t> path_;  // nodes that are open while the others are made
    std::vector<int64_t> order_;  // tokens in the order of their bytes
    bool drops_blank_ = false;    // at the beginning of a text
    mutable std::mutex mutex_;    // of what follows
    mutable std::vector<std::unique_ptr<const std::vector<uint64_t>>> found_;  // by begun or not and state; null: not yet
};

}  // namespace craft

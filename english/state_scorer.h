// Scores of a transition-based parser's moves in a state, which it sees as a few words of the text.
// Reference: spaCy 3.8, TransitionBasedParser.v2: what each word contributes in each place is computed once.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "english/layers.h"
#include "english/thinc_model.h"

namespace craft {

class StateModel {
public:
    // Of a component's weights. Throws Error naming the file if layers are missing or do not fit each other, vectors of
    // `width` numbers, states of `places` words or `moves` moves.
    StateModel(const ThincModel& model, size_t width, size_t places, size_t moves);

private:
    friend class StateScorer;
    size_t places_ = 0, hidden_ = 0, pieces_ = 0;
    AffineLayer narrow_;         // vectors to the parser's own
    AffineLayer places_affine_;  // those to [places, pieces, hidden]
    AffineLayer output_;
    std::vector<float> absent_;  // [places, pieces, hidden]: what no word contributes in each place
    std::vector<float> bias_;    // [pieces, hidden]
};

// Of one text. Remembers what at most kMaxBlocks * kBlock words contribute, so that long texts stay within memory.
class StateScorer {
public:
    // `vectors` is [words, width]; both must outlive the scorer.
    StateScorer(const StateModel& model, const std::vector<float>& vectors);

    // The score of each move; `words` are the words in the places, -1 where there is none. Valid until the next call.
    const std::vector<float>& scores(std::span<const int> words);

private:
    static constexpr size_t kBlock = 32;
    static constexpr size_t kMaxBlocks = 256;
    const float* contribution(int word, size_t place);

    const StateModel& model_;
    const std::vector<float>& vectors_;
    std::vector<std::vector<float>> blocks_;  // by word / kBlock; empty: not computed
    size_t computed_ = 0;
    std::vector<float> sums_, hidden_, scores_;
};

}  // namespace craft

// What a learner of English writes in place of a part of a correct sentence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace craft {

struct LearnerError {
    size_t begin = 0, end = 0;   // bytes of the sentence; equal: something is put in
    std::string written = {};    // what stands there instead
    size_t first = 0, last = 0;  // tokens, both included, that make it wrong: no second error of a sentence touches them
    double weight = 1;           // how often, beside others of its kind; a kind of less than 1 in a sentence is drawn less

    LearnerError because_of(size_t token) && {
        first = std::min(first, token);
        last = std::max(last, token);
        return std::move(*this);
    }
    LearnerError weighing(double how_much) && {
        weight = how_much;
        return std::move(*this);
    }
};

}  // namespace craft

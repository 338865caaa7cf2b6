// Part-of-speech tags: one linear layer on the words' vectors, and its highest output.
// Reference: spaCy 3.8, Tagger.v2 without normalisation.
#pragma once

#include <string>
#include <vector>

#include "english/layers.h"
#include "english/thinc_model.h"

namespace craft {

class Tagger {
public:
    // `labels` are the tags in the order of the layer's outputs. Throws Error naming the file if there are more or fewer
    // outputs than labels, or the layer does not fit vectors of `width` numbers.
    Tagger(const ThincModel& model, std::vector<std::string> labels, size_t width);

    // The tag of each word; `vectors` is [words, width].
    std::vector<std::string> tags(const std::vector<float>& vectors) const;

private:
    std::vector<std::string> labels_;
    AffineLayer output_;
};

}  // namespace craft

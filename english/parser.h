// Heads and labels of words: an arc-eager parser that takes the best move that is allowed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "english/parse_tree.h"
#include "english/state_scorer.h"

namespace craft {

class DependencyParser {
public:
    // `moves` are the bytes of the component's file of that name. Throws Error naming the file if it does not fit the model.
    DependencyParser(const ThincModel& model, std::string_view moves, const std::string& where, size_t width);

    // `vectors` is [words, width]; `is_space`: which words are white space.
    ParseTree parse(const std::vector<float>& vectors, const std::vector<bool>& is_space) const;

private:
    struct LabelledMove {
        int action = 0;
        int label = 0;  // in labels_
    };
    std::vector<LabelledMove> moves_;
    std::vector<std::string> labels_;
    StateModel model_;
};

}  // namespace craft

// The moves that a transition-based parser chooses between.
// Reference: spaCy 3.8, TransitionSystem, whose file `moves` counts how often each was seen in training.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace craft {

struct Move {
    int action = 0;     // the transition system's own number
    std::string label;  // of the arc or entity; empty where an action has none
};

// The moves in the order of the model's outputs: by action, then by count from the highest, then by label backwards. Throws
// Error naming `where` if the file says anything else, or a move is not of the actions 0 to `actions` - 1.
std::vector<Move> read_moves(std::string_view bytes, int actions, const std::string& where);

}  // namespace craft

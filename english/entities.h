// Named entities: each word begins one, continues with it, ends it, is one by itself or is outside.
// Reference: spaCy 3.8, BiluoPushDown, greedy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "english/state_scorer.h"

namespace craft {

struct EntitySpan {
    size_t begin = 0;  // words
    size_t end = 0;
    std::string label;  // "PERSON"
};

class EntityRecogniser {
public:
    // `moves` are the bytes of the component's file of that name. Throws Error naming the file if it does not fit the model.
    EntityRecogniser(const ThincModel& model, std::string_view moves, const std::string& where, size_t width);

    // `vectors` is [words, width]. No entity starts on white space or reaches over the start of a sentence.
    std::vector<EntitySpan> entities(const std::vector<float>& vectors, const std::vector<bool>& is_space,
                                     const std::vector<bool>& sentence_starts) const;

private:
    enum Action { missing, begin, inside, last, unit, outside, actions };
    struct LabelledAction {
        Action action = outside;
        std::string label;
    };
    std::vector<LabelledAction> moves_;
    StateModel model_;
};

}  // namespace craft

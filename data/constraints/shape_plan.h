// Which shapes each instruction gets, laid down before any text is looked at, so that the mix holds whatever the texts are.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/instruction.h"

namespace craft {

const std::array<std::vector<Shape>, kSubTypes>& shapes_of_sub_types();

class ShapePlan {
public:
    // `mix`: requested shares of the sub-types, up to a factor; some must be positive. The stream is keyed by seed and
    // stage.
    ShapePlan(const std::array<double, kSubTypes>& mix, uint64_t seed, const std::string& stage);

    // The shapes of the next instruction, of different sub-types. None where too few sub-types have a shape that is not
    // among `refused`.
    std::vector<Shape> next(int constraints, const std::set<Shape>& refused);
    // Takes back shapes that no text allowed: they no longer count as made, and their turn comes after the others of their
    // sub-types.
    void put_back(const std::vector<Shape>& shapes);

private:
    size_t most_owed(const std::array<bool, kSubTypes>& used);
    Shape next_shape(size_t type, const std::set<Shape>& refused);
    void refill(std::vector<Shape>& deck, size_t type);

    Rng rng_;
    std::array<double, kSubTypes> share_{};
    std::array<int64_t, kSubTypes> made_{};
    std::array<std::vector<Shape>, kSubTypes> decks_;
    int64_t drawn_ = 0;
};

// Shapes that all texts refused for four instructions in a row: they rest for 16, and twice as long each time that they are
// refused again, up to 2^14. Trying a shape on every text in vain takes longer than anything else.
class RestingShapes {
public:
    std::set<Shape> at(int64_t item) const;
    void given(const std::vector<Shape>& shapes);
    // True if it rests from the next instruction on.
    bool refused(Shape shape, int64_t item);

private:
    std::array<int64_t, kShapes> refused_{};  // times in a row
    std::array<int64_t, kShapes> until_{};    // the instruction from which it is asked for again
};

}  // namespace craft

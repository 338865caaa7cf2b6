// Which reference of each item a draw of JFLEG's script takes (eval/gleu.py, run_iterations).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "metrics/options.h"

namespace craft {

class GleuReferenceDraws {
public:
    static constexpr int kDraws = 500;

    void add(size_t references);  // of the next item, at least one
    size_t items() const { return items_; }
    bool has_choice() const;  // whether any item has several references

    // Calls on_draw(the number of each item's reference) for the draws first to end - 1. Draw j takes the generator seeded
    // with 101 j and one number an item, in the order in which they were added. Several threads may call it at once.
    void drawn(GleuDraws draws, int first, int end, const std::function<void(std::span<const uint32_t>)>& on_draw) const;

private:
    struct Run {  // items one after the other that have as many references
        size_t items = 0, references = 0;
    };
    std::vector<Run> runs_;
    size_t items_ = 0;
};

}  // namespace craft

// Sentences worked on side by side within a flow, in which a local model answers for all that wait for it together.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/flow.h"
#include "core/progress.h"

namespace craft {

// work(i) of the items [begin, end), in order; `progress` is advanced by each. Throws what `work` throws, Stopped after a
// signal.
template <class Out>
std::vector<Out> work_side_by_side(Flow& flow, size_t begin, size_t end, Progress& progress,
                                   const std::function<Out(size_t)>& work) {
    std::vector<Out> all;
    size_t next = begin;
    flow.run<size_t, Out>([&] { return next < end ? std::optional(next++) : std::nullopt; },
                          [&](size_t& i) { return work(i); },
                          [&](size_t&, Out& out) {
                              all.push_back(std::move(out));
                              progress.advance();
                          });
    return all;
}

}  // namespace craft

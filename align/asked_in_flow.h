// Items of a flow that each ask for something, all of which is wanted.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/flow.h"
#include "core/progress.h"
#include "systems/asked_rows.h"

namespace craft {

// What `ask` makes of each item, in their order. Throws what it throws; AwaitedAnswer once all items have asked.
template <class In, class Out>
std::vector<Out> asked_in_flow(Flow& flow, const Doing& doing, const std::vector<In>& ins,
                               const std::function<Out(const In&)>& ask) {
    std::vector<Out> outs;
    size_t next = 0;
    bool all = true;
    Progress progress(doing.doing, static_cast<int64_t>(ins.size()), doing.unit);
    flow.run<const In*, std::optional<Out>>(
        [&]() -> std::optional<const In*> { return next < ins.size() ? std::optional(&ins[next++]) : std::nullopt; },
        [&](const In*& in) -> std::optional<Out> {
            try {
                return ask(*in);
            } catch (const AwaitedAnswer&) {
                return std::nullopt;
            }
        },
        [&](const In*&, std::optional<Out>& out) {
            all = all && out.has_value();
            if (out) outs.push_back(std::move(*out));
            progress.advance();
        });
    progress.finish();
    if (!all) throw AwaitedAnswer();
    return outs;
}

}  // namespace craft

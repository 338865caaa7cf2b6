#include "cli/evaluation_options.h"

#include <algorithm>

#include "core/log.h"

namespace craft {

void warn_of_empty_revisions(const Json& counts) {
    if (std::any_of(counts.begin(), counts.end(), [](const Json& count) { return count != 0; }))
        log_warning("empty revisions are scored like others", counts);
}

Option& bind_rounds_of_outputs(OptionTable& table, bool& rounds) {
    return table.add("rounds", rounds, "also figures after each round; the outputs are those of `revise --method iter`")
        .flag("--rounds");
}

}  // namespace craft

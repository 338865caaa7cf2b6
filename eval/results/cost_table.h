// CRAFT's Table 11: what revisions cost beside a baseline's, from the manifests of `revise`.
#pragma once

#include <string>
#include <vector>

#include "eval/results/table.h"
#include "eval/results/table_layouts.h"

namespace craft {

// Rows are measures (iterations, seconds, tokens in, tokens out, each a mean over the revised texts), of each system but the
// baseline; columns are domains, which a manifest tells apart where its texts said theirs. Seconds are those of the whole
// run, whatever computed (a local model, a server, a record), so that a run over several domains has none of each. Throws
// Error where a manifest holds no totals, nothing says a file's domain, or the baseline is absent.
Table make_cost_table(const std::vector<TableInput>& inputs, const std::string& baseline);

}  // namespace craft

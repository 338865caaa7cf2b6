// A search tree as an indented outline.
#pragma once

#include "view/page.h"
#include "view/record_fields.h"

namespace craft {

// A node a line, its children under it: N, V, its own reward R of R_g and R_c, what it changed; the best one is marked, and
// its way from the root is in bold. Of the fields of docs/search.md "The tree as JSON".
void write_tree(PageWriter& page, RecordFields& fields);

}  // namespace craft

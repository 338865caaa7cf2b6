// A search tree as JSON, from which a search resumes (docs/search.md "The tree as JSON").
#pragma once

#include <string>

#include "rollout/tree/search_tree.h"

namespace craft {

// {"format", "options", "iterations", "diverted", "nodes"}; the same tree always gives the same bytes.
Json to_json(const SearchTree& tree);
// The way back without loss. The tree is rebuilt from revisions and rewards, and what the file says besides (depths,
// visits, means, rewards) must be what comes of them. Throws Error naming `where` and the field, or the node in which it
// stands.
SearchTree search_tree_from_json(const Json& object, const std::string& where);

}  // namespace craft

// libFuzzer target: a stored search tree. It is refused with an error, or the tree keeps its invariants, gives its leaves,
// and is written and read again as the same. Run as `search_tree_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/json.h"
#include "rollout/tree/leaf_choice.h"
#include "rollout/tree/search.h"
#include "rollout/tree/tree_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        const std::string text(reinterpret_cast<const char*>(data), size);
        const craft::SearchTree tree = craft::search_tree_from_json(craft::parse_json(text, "fuzz"), "fuzz");
        tree.check_invariants();
        if (craft::choose_leaves(tree, 2).empty() && !craft::search_end(tree)) std::abort();
        const craft::Json written = craft::to_json(tree);
        if (craft::to_json(craft::search_tree_from_json(written, "again")) != written) std::abort();
    } catch (const craft::Error&) {}
    return 0;
}

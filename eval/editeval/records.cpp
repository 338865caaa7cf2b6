#include "eval/editeval/records.h"

#include <algorithm>
#include <numeric>

#include "text/utf8.h"

namespace craft {

void keep_item(EditItem item, EditItems& into) {
    const size_t blank = std::erase_if(item.references, [](const std::string& text) { return trim_view(text).empty(); });
    const bool is_empty = trim_view(item.input).empty();
    if (is_empty || item.references.empty()) {
        ++into.dropped[is_empty ? "empty input" : "no edits"];
        into.dropped_ids.insert(std::move(item.id));
    } else {
        if (blank > 0) into.noted["blank reference left out"] += static_cast<int64_t>(blank);
        into.items.push_back(std::move(item));
    }
}

void draw_items(std::vector<EditItem>& items, int64_t most, Rng& rng) {
    if (most >= static_cast<int64_t>(items.size())) return;
    std::vector<size_t> chosen(items.size());
    std::iota(chosen.begin(), chosen.end(), size_t{0});
    rng.shuffle(chosen);
    chosen.resize(static_cast<size_t>(most));
    std::sort(chosen.begin(), chosen.end());
    std::vector<EditItem> drawn;
    for (const size_t i : chosen) drawn.push_back(std::move(items[i]));
    items = std::move(drawn);
}

}  // namespace craft

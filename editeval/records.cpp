#include "editeval/records.h"

#include "text/utf8.h"

namespace craft {

void keep_item(EditItem item, EditItems& into) {
    const size_t blank = std::erase_if(item.references, [](const std::string& text) { return trim_view(text).empty(); });
    if (trim_view(item.input).empty()) {
        ++into.dropped["empty input"];
    } else if (item.references.empty()) {
        ++into.dropped["no edits"];
    } else {
        if (blank > 0) into.noted["blank reference left out"] += static_cast<int64_t>(blank);
        into.items.push_back(std::move(item));
    }
}

}  // namespace craft

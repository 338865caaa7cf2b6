#include "cli/kept_rows.h"

#include <optional>

#include "core/error.h"
#include "core/progress.h"

namespace craft {

bool KeptRows::add(const Json& row) {
    if (!partial_.keeps()) {
        rows_.push_back(row);
        return false;
    }
    partial_.add({row});
    return partial_.sync_now_and_then();
}

void KeptRows::for_each(const std::function<void(const Json&)>& on_row) {
    for (const Json& row : rows_) on_row(row);
    partial_.for_each(on_row);
}

bool make_rows(const RowItems& items, AskingRun& asking, KeptRows& rows, const std::function<void()>& kept) {
    auto next = static_cast<size_t>(rows.earlier());
    Progress progress(items.doing, static_cast<int64_t>(items.count), items.unit, rows.earlier());
    bool all = true;
    const auto keep = [&] {
        rows.keep();
        kept();
    };
    asking.run<size_t, Json>([&] { return next < items.count ? std::optional(next++) : std::nullopt; },
                             [&](size_t& item) { return items.row(item); },
                             [&](size_t&, std::optional<Json>& row) {
                                 all = all && row;
                                 if (!all) return;  // a run goes on behind the rows that stand in a line
                                 if (rows.add(*row)) kept();
                                 progress.advance();
                             },
                             keep);
    progress.finish();
    if (!all) keep();
    asking.report(all);
    return all;
}

}  // namespace craft

#include "cli/asked_rows.h"

#include <utility>

#include "core/log.h"
#include "core/progress.h"

namespace craft {

AskedRows asked_rows(std::string doing, std::string unit, size_t count, std::function<Json(size_t item)> row) {
    auto next = [row = std::move(row), count, item = size_t{0}]() mutable -> std::optional<RowMaker> {
        if (item == count) return std::nullopt;
        return [row, number = item++] { return row(number); };
    };
    return {std::move(doing), std::move(unit), count, std::move(next)};
}

bool make_rows(const AskedRows& items, AskingRun& asking, PartialRows& partial, const std::function<void()>& kept,
               const std::function<void(const Json&)>& write) {
    if (partial.earlier() > 0) log_info("going on where the command stopped", {{"rows", partial.earlier()}});
    Progress progress(items.doing, static_cast<int64_t>(items.count), items.unit, partial.earlier());
    struct Item {
        size_t number;
        RowMaker make;
    };
    size_t next = 0;
    const auto keep = [&] {
        partial.sync();
        kept();
    };
    const bool all = asking.run<Item, Json>(
        [&]() -> std::optional<Item> {
            while (auto make = items.next())
                if (const size_t number = next++; !partial.has(number)) return Item{number, std::move(*make)};
            return std::nullopt;
        },
        [&](Item& item) { return item.make(); },
        [&](Item& item, std::optional<Json>& row) {
            if (!row) return;
            if (partial.add(item.number, *row)) kept();
            if (!partial.keeps()) partial.for_each(write);
            progress.advance();
        },
        keep);
    progress.finish();
    if (!all) keep();
    asking.report(all);
    if (all) partial.for_each(write);
    return all;
}

}  // namespace craft

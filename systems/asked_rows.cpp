#include "systems/asked_rows.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/option_files.h"
#include "core/output_place.h"
#include "core/signals.h"

namespace craft {

bool Asking::ask(const std::function<bool()>& work, const std::function<void()>& kept) {
    bool all = false;
    try {
        try {
            all = work();
        } catch (const AwaitedAnswer&) {
            all = false;
        }
        finish();
    } catch (...) {
        kept();
        throw;
    }
    if (!all) kept();
    report(all);
    return all;
}

void Asking::require_answers(const UsableAnswers& answers, const std::string& hint, int64_t earlier) const {
    if (const std::string line = unanswered(); earlier == 0 && !line.empty())
        throw Error(line.substr(0, line.find(':')), "answers", "none" + line.substr(line.find(':')), hint);
    answers.require_any("answers", hint);
}

std::string rows_give_reasons(const std::string& output) {
    const std::string again = "; " + std::string(kRerunHint);
    if (is_written_directly(output)) return "warnings and the rows say why" + again;
    return "warnings and the rows in " + partial_path(output).string() + " say why" + again;
}

AskedRows asked_rows(std::string doing, std::string unit, size_t count, std::function<Json(size_t item)> row) {
    auto next = [row = std::move(row), count, item = size_t{0}]() mutable -> std::optional<RowMaker> {
        if (item == count) return std::nullopt;
        return [row, number = item++] { return row(number); };
    };
    return {std::move(doing), std::move(unit), count, std::move(next)};
}

namespace {

void say_where_rows_go_on(const PartialRows& rows) {
    if (rows.earlier() > 0) log_info("resuming where the command stopped", {{"rows", rows.earlier()}});
}

bool ask_for_rows(const AskedRows& items, Asking& asking, PartialRows& rows, const std::function<void()>& note,
                  const std::function<void(const Json&)>& write) {
    struct Item {
        size_t number;
        RowMaker make;
    };
    say_where_rows_go_on(rows);
    size_t next = 0;
    return asking.run<Item, Json>(
        {items.doing, items.unit, items.count, rows.earlier()},
        [&]() -> std::optional<Item> {
            while (auto make = items.next())
                if (const size_t number = next++; !rows.has(number)) return Item{number, std::move(*make)};
            return std::nullopt;
        },
        [](Item& item) { return item.make(); },
        [&](Item& item, std::optional<Json>& row) {
            if (row && rows.add(item.number, *row)) note();
            if (row && !rows.keeps()) rows.for_each(write);
        },
        [&] {
            rows.sync();
            note();
        });
}

}  // namespace

bool write_rows(const AskedRows& items, Asking& asking, KeptOutput& kept, const RowsOutput& output) {
    PartialRows& rows = kept.rows;
    OutputManifest& manifest = kept.manifest;
    const auto write_manifest = [&](bool finished) {
        manifest.note("usage", asking.usage());
        output.note(manifest);
        manifest.write(finished);
    };
    const auto note = [&] { write_manifest(false); };
    if (!ask_for_rows(items, asking, rows, note, output.write)) return false;
    rows.for_each(output.write);
    const Json totals = output.totals();
    manifest.note(output.told, totals);
    note();
    log_info(output.told, totals);
    output.flush();
    rows.check(output.check);
    output.close();
    write_manifest(true);
    rows.remove();
    return true;
}

std::function<RowBatch(size_t next)> batches_of_items(size_t count) {
    constexpr size_t kMax = 256;
    return [count](size_t next) { return RowBatch(next, std::min(count, next + kMax)); };
}

void make_rows(const ComputedRows& items, PartialRows& partial, const std::function<void(const Json&)>& write) {
    say_where_rows_go_on(partial);
    Progress progress(items.doing, static_cast<int64_t>(items.count), items.unit, partial.earlier());
    const auto done = [&](size_t item, const Json& row) {
        if (partial.has(item)) return;
        partial.add(item, row);
        if (!partial.keeps()) partial.for_each(write);
        progress.advance();
    };
    try {
        for (size_t next = 0; next < items.count;) {
            if (partial.has(next)) {
                ++next;
                continue;
            }
            throw_if_stopped();
            const auto [begin, end] = items.batch(next);
            items.rows(begin, end, done);
            next = end;
        }
    } catch (...) {
        partial.sync();
        throw;
    }
    partial.for_each(write);
    progress.finish();
}

}  // namespace craft

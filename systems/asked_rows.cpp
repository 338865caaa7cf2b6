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
        add_other_ranks();
    } catch (...) {
        kept();
        throw;
    }
    if (!all) kept();
    report(all);
    return all;
}

void Asking::add_other_ranks() {
    const std::vector<std::string> used = ranks().exchange(dump_line(usage()));
    for (size_t rank = 1; rank < used.size() && ranks().is_first(); ++rank) add(Json::parse(used[rank]));
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

// Of so many items, those that have a row and this rank's part of the others; 0: not known.
size_t own_share(size_t count, const PartialRows& rows) {
    const auto earlier = static_cast<size_t>(rows.earlier()), ranks = static_cast<size_t>(rows.ranks().size());
    return count <= earlier ? count : earlier + (count - earlier + ranks - 1) / ranks;
}

}  // namespace

bool ask_for_rows(const AskedRows& items, Asking& asking, PartialRows& rows, const std::function<void()>& note,
                  const std::function<void(const Json&)>& write) {
    struct Item {
        size_t number;
        RowMaker make;
    };
    say_where_rows_go_on(rows);
    const Ranks& ranks = rows.ranks();
    size_t next = 0, dealt = 0;
    const bool all = asking.run<Item, Json>(
        {items.doing, items.unit, own_share(items.count, rows), rows.earlier()},
        [&]() -> std::optional<Item> {
            while (auto make = items.next())
                if (const size_t number = next++; !rows.has(number) && ranks.is_own(dealt++))
                    return Item{number, std::move(*make)};
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
        },
        /*skips_failed=*/rows.keeps());
    if (!all) return false;
    if (rows.gather()) rows.for_each(write);
    return true;
}

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
    if (!rows.ranks().is_first()) return true;
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

std::vector<std::vector<size_t>> each_by_itself(size_t count) {
    std::vector<std::vector<size_t>> groups;
    for (size_t item = 0; item < count; ++item) groups.push_back({item});
    return groups;
}

namespace {

// This rank's items that have no row, with those that belong to them, by calls of about the same size: of a large call and
// a small one, the small one would waste what a model computes at once.
std::vector<std::vector<size_t>> own_calls(const ComputedRows& items, const PartialRows& rows) {
    std::vector<const std::vector<size_t>*> own;
    size_t dealt = 0, count = 0;
    for (const auto& group : items.groups) {
        const bool is_done = std::all_of(group.begin(), group.end(), [&](size_t item) { return rows.has(item); });
        if (is_done || !rows.ranks().is_own(dealt++)) continue;
        own.push_back(&group);
        count += group.size();
    }
    const size_t number = (count + items.at_once - 1) / items.at_once;
    std::vector<std::vector<size_t>> calls;
    size_t taken = 0;
    for (const auto* group : own) {
        if (items.at_once == 1 || taken * number >= calls.size() * count) calls.emplace_back();
        calls.back().insert(calls.back().end(), group->begin(), group->end());
        taken += group->size();
    }
    return calls;
}

}  // namespace

bool make_rows(const ComputedRows& items, PartialRows& partial, const std::function<void(const Json&)>& write) {
    say_where_rows_go_on(partial);
    const std::vector<std::vector<size_t>> calls = own_calls(items, partial);
    int64_t count = partial.earlier();
    for (const auto& call : calls)
        count += std::count_if(call.begin(), call.end(), [&](size_t item) { return !partial.has(item); });
    Progress progress(items.doing, count, items.unit, partial.earlier());
    const auto done = [&](size_t item, const Json& row) {
        if (partial.has(item)) return;
        partial.add(item, row);
        if (!partial.keeps()) partial.for_each(write);
        progress.advance();
        partial.ranks().check();
    };
    try {
        for (const auto& call : calls) {
            throw_if_stopped();
            items.rows(call, done);
        }
    } catch (...) {
        partial.sync();
        throw;
    }
    progress.finish();
    if (!partial.gather()) return false;
    partial.for_each(write);
    return true;
}

}  // namespace craft

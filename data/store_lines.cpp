// Stores from and to JSON Lines.
#include "core/error.h"
#include "core/signals.h"
#include "data/store.h"

namespace craft {

namespace {

// Rows consumed by an earlier process; progress of another command means that the store is not from this file.
int64_t rows_done(const StoreWriter& store) {
    const auto rows = store.progress().find("rows");
    if (rows != store.progress().end() && rows->is_number_unsigned()) return rows->get<int64_t>();
    if (store.sealed() > 0)
        throw Error("trajectory store", "a new store, or one that an import began", "one that another command writes");
    return 0;
}

// The row as a trajectory; a bad one is a bad line like one that does not parse.
std::optional<Trajectory> trajectory_of(const Json& row, JsonLinesReader& reader, UnknownKeys* unknown) {
    try {
        return trajectory_from_json(row, reader.where(), unknown);
    } catch (const Error& error) {
        reader.reject(error.what());
        return std::nullopt;
    }
}

[[noreturn]] void throw_none(const std::string& json_lines, int64_t rows) {
    throw Error(json_lines, "at least one trajectory", "none out of " + std::to_string(rows) + " rows");
}

}  // namespace

void check_trajectories(const std::string& json_lines, const JsonLinesOptions& options) {
    JsonLinesReader reader(json_lines, options);
    int64_t rows = 0;
    bool any = false;
    while (const auto row = reader.next()) {
        ++rows;
        any = trajectory_of(*row, reader, nullptr).has_value() || any;
        if (any && options.skip_bad) return;  // whatever follows
        throw_if_stopped();
    }
    if (!any) throw_none(json_lines, rows);
}

int64_t import_trajectories(const std::string& json_lines, StoreWriter& store, const JsonLinesOptions& options,
                            UnknownKeys* unknown) {
    if (store.finished()) return store.sealed();
    const int64_t done = rows_done(store);
    JsonLinesReader reader(json_lines, options);
    int64_t rows = 0;
    try {
        while (const auto row = reader.next()) {
            ++rows;
            const auto trajectory = trajectory_of(*row, reader, unknown);
            const bool sealed_before = rows <= done;
            if (!trajectory || sealed_before) continue;
            store.append(*trajectory, Json{{"rows", rows}, {"bad_lines", reader.bad_lines()}});
            throw_if_stopped();
        }
    } catch (const Stopped&) {
        store.keep();
        throw;
    }
    store.seal();
    if (store.sealed() == 0) throw_none(json_lines, rows);
    store.finish(Json{{"rows", rows}, {"bad_lines", reader.bad_lines()}});
    return store.sealed();
}

int64_t export_trajectories(StoreReader& store, const std::string& json_lines) {
    JsonLinesWriter writer(json_lines);
    int64_t written = 0;
    while (const auto trajectory = store.next()) {
        writer.write(to_json(*trajectory));
        throw_if_stopped();
        ++written;
    }
    writer.close();
    return written;
}

}  // namespace craft

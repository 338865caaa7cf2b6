// Rows that a command makes item by item, by asking systems or by computing them, and keeps until all are there: one order,
// one rule when they reach the disk, one ending.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/flow.h"
#include "core/output_manifest.h"
#include "core/partial_rows.h"
#include "core/progress.h"
#include "systems/system.h"
#include "systems/usable_answers.h"

namespace craft {

// What a progress says of items.
struct Doing {
    std::string doing, unit;  // "correcting", "texts"
    size_t count = 0;         // 0: not known
    int64_t earlier = 0;      // that an earlier process did
};

// The systems of a command that asks item by item, with their records and budgets, for the items of its flow.
class Asking {
public:
    virtual ~Asking() = default;
    virtual Flow& flow() = 0;
    // To be called when nothing more will be asked: keeps what could not be kept. Throws Error.
    virtual void finish() = 0;
    virtual Json usage() const = 0;  // for manifests
    // A line for a role that asked and no request of which reached a model; empty: there is none.
    virtual std::string unanswered() const = 0;
    // Logs what was asked, by role; and, unless `all` have a result, which answers the command waits for.
    virtual void report(bool all) const = 0;

    // Does work that asks, which says whether all of it has a result; where it throws AwaitedAnswer, not all has. Whatever
    // ends it, the systems keep what they were answered. kept() is called where it ends by another exception, which then
    // continues, and where not all has a result. Reports.
    bool ask(const std::function<bool()>& work, const std::function<void()>& kept);
    // Works on items as Flow::run() does. An item's result is absent where an answer to it is in a batch file. Otherwise
    // as ask(). Returns whether every item has a result.
    template <class In, class Out>
    bool run(const Doing& doing, const std::function<std::optional<In>()>& next, const std::function<Out(In&)>& work,
             const std::function<void(In&, std::optional<Out>&)>& done, const std::function<void()>& kept) {
        const auto run_flow = [&] {
            bool all = true;
            Progress progress(doing.doing, static_cast<int64_t>(doing.count), doing.unit, doing.earlier);
            flow().run<In, std::optional<Out>>(
                next,
                [&](In& one) -> std::optional<Out> {
                    try {
                        return work(one);
                    } catch (const AwaitedAnswer&) {
                        return std::nullopt;
                    }
                },
                [&](In& one, std::optional<Out>& result) {
                    all = all && result;
                    done(one, result);
                    progress.advance();
                });
            progress.finish();
            return all;
        };
        return ask(run_flow, kept);
    }
    // Throws Error if no item had an answer that can be used, or a role asked and no request of it reached a model;
    // `earlier` rows of another process, whose requests nobody knows here, excuse that. To be called before the output is
    // replaced.
    void require_answers(const UsableAnswers& answers, const std::string& hint, int64_t earlier = 0) const;
};

// Of a run that failed, after where its rows are.
inline constexpr const char* kRerunHint = "rerun to retry what is not recorded";
// The hint of a run that had no answer that can be used, and whose rows are in `output`'s OUTPUT.partial.
std::string rows_give_reasons(const std::string& output);

// What a command keeps beside its output until that is complete: its rows, and what says how they were made.
struct KeptOutput {
    // Throws Error as PartialRows and OutputManifest do.
    KeptOutput(const std::string& output, const RunIdentity& identity, bool overwrite)
        : rows(output, identity, overwrite), manifest(output, identity, rows.earlier() > 0) {}
    Json earlier_usage() const { return manifest.earlier().value("usage", Json()); }
    PartialRows rows;
    OutputManifest manifest;
};

// Makes an item's row, on a thread of the item's own.
using RowMaker = std::function<Json()>;

struct AskedRows {
    std::string doing, unit;  // as Doing
    size_t count = 0;
    // The items one after another, those that have a row among them; they may be read as they are asked for.
    std::function<std::optional<RowMaker>()> next;
};
// Items that are all there; `row` makes the row of each.
AskedRows asked_rows(std::string doing, std::string unit, size_t count, std::function<Json(size_t item)> row);

// What is made of a command's rows, whoever made them.
struct RowsOutput {
    std::string told;                                // what their totals are called: "corrected"
    std::function<void(const Json&)> write = {};     // takes a row; all of them, in the items' order
    std::function<Json()> totals = {};               // of what write() took, for the manifest and the log
    std::function<void(OutputManifest&)> note = {};  // what else the manifest says; called whenever it is written
    std::function<void()> flush = {};                // what was written down a stream reaches its reader
    std::function<void()> check = {};                // throws Error where the rows can be no output
    std::function<void()> close = {};                // the output takes its place
};

// Makes the rows that an earlier process did not leave, side by side, keeps each as it is made, and calls output.write()
// once the last one is; where nothing can be kept, as soon as those before it are done. Says so where it resumes. Then the
// output is told of, checked and closed, and what was kept goes. Returns false where rows wait for a batch: they stay.
// Throws what Asking::run() and the parts do; the rows stay then, too.
bool write_rows(const AskedRows& rows, Asking& asking, KeptOutput& kept, const RowsOutput& output);

// Runs [begin, end) of items that are computed together.
using RowBatch = std::pair<size_t, size_t>;
// Told of an item's row, of each in any order.
using RowSink = std::function<void(size_t item, const Json& row)>;

struct ComputedRows {
    std::string doing, unit;  // as Doing
    size_t count = 0;
    // The batch that item `next` is computed in; it may begin before, where results depend on what is computed together.
    std::function<RowBatch(size_t next)> batch;
    // Makes the rows of a batch; may leave out those of items that have one.
    std::function<void(size_t begin, size_t end, const RowSink& done)> rows;
};

// Batches of a few hundred items, for items whose results do not depend on what is computed beside them and which are told
// of one by one.
std::function<RowBatch(size_t next)> batches_of_items(size_t count);

// The same as write_rows() for rows that are computed on the calling thread. Throws Stopped between batches, and whatever
// rows() throws; what was done is kept.
void make_rows(const ComputedRows& items, PartialRows& partial, const std::function<void(const Json&)>& write);

}  // namespace craft

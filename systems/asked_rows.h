// Rows that a command makes item by item, by asking systems or by computing them, and keeps until all are there: one order,
// one rule when they reach the disk, one ending.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/flow.h"
#include "core/output_manifest.h"
#include "core/partial_rows.h"
#include "core/progress.h"
#include "core/ranks.h"
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
    // Counts what another rank was told by usage(), for usage(), unanswered() and report().
    virtual void add(const Json& usage) = 0;
    virtual Ranks& ranks() const { return Ranks::alone(); }  // that share the items
    // A line for a role that asked and no request of which reached a model; empty: there is none.
    virtual std::string unanswered() const = 0;
    // Logs what was asked, by role; and, unless `all` have a result, which answers the command waits for.
    virtual void report(bool all) const = 0;

    // To be called by every rank after finish(): rank 0 counts what the others asked as well.
    void add_other_ranks();

    // Does work that asks, which says whether all of it has a result; where it throws AwaitedAnswer, not all has. Whatever
    // ends it, the systems keep what they were answered. kept() is called where it ends by another exception, which then
    // continues, and where not all has a result. Then add_other_ranks() and report().
    bool ask(const std::function<bool()>& work, const std::function<void()>& kept);
    // Works on items as Flow::run() does. An item's result is absent where an answer to it is in a batch file. Otherwise
    // as ask(). `skips_failed` as Flow::run() has it. Returns whether every item has a result.
    template <class In, class Out>
    bool run(const Doing& doing, const std::function<std::optional<In>()>& next, const std::function<Out(In&)>& work,
             const std::function<void(In&, std::optional<Out>&)>& done, const std::function<void()>& kept,
             bool skips_failed = false) {
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
                    ranks().check();
                },
                skips_failed);
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

// Systems that keep no records and cost nothing, for work that computes side by side.
class UnrecordedAsking : public Asking {
public:
    explicit UnrecordedAsking(const FlowOptions& options, Ranks& ranks = Ranks::alone()) : flow_(options), ranks_(ranks) {}
    Flow& flow() override { return flow_; }
    void finish() override {}
    Json usage() const override { return Json::object(); }
    void add(const Json&) override {}
    Ranks& ranks() const override { return ranks_; }
    std::string unanswered() const override { return ""; }
    void report(bool) const override {}

private:
    Flow flow_;
    Ranks& ranks_;
};

// What a command keeps beside its output until that is complete: its rows, and what says how they were made.
struct KeptOutput {
    // Throws Error as PartialRows and OutputManifest do.
    KeptOutput(const std::string& output, const RunIdentity& identity, bool overwrite, Ranks& ranks = Ranks::alone())
        : rows(output, identity, overwrite, ranks), manifest(own_output(output, ranks), identity, rows.earlier() > 0) {}
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

// Makes the rows that an earlier process did not leave, side by side, and keeps each as it is made; several ranks share them
// out item by item. `note` is called when rows have reached the disk. Calls write() with each row in order once the last one
// is there, in rank 0 alone; where nothing can be kept, as soon as those before it are done. Says so where it resumes.
// Returns false where rows wait for a batch. Throws what Asking::run() and the parts do; the rows stay then, too.
bool ask_for_rows(const AskedRows& items, Asking& asking, PartialRows& rows, const std::function<void()>& note,
                  const std::function<void(const Json&)>& write);
// The same for a command's output, which is then told of, checked and closed by rank 0, and what was kept goes; it stays
// where rows wait for a batch.
bool write_rows(const AskedRows& rows, Asking& asking, KeptOutput& kept, const RowsOutput& output);

// Told of an item's row, of each in any order.
using RowSink = std::function<void(size_t item, const Json& row)>;

struct ComputedRows {
    std::string doing, unit;  // as Doing
    // Every item, with those that it is computed together with, since its result may depend on them: these are made by one
    // rank, in one call, all of them where one has no row.
    std::vector<std::vector<size_t>> groups;
    // Makes the rows of one or several groups.
    std::function<void(const std::vector<size_t>& items, const RowSink& done)> rows;
    size_t at_once = 256;  // items of one call, more or less; 1: each group has a call of its own
};

// Items whose results do not depend on what is computed beside them.
std::vector<std::vector<size_t>> each_by_itself(size_t count);

// The same as ask_for_rows() for rows that are computed on the calling thread; the ranks share the groups out. Returns
// whether this is rank 0, which has told write() of all rows. Throws Stopped between calls of rows(), and whatever that
// throws; what was done is kept.
bool make_rows(const ComputedRows& items, PartialRows& partial, const std::function<void(const Json&)>& write);

}  // namespace craft

#include "metrics/runner.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "core/id_set.h"
#include "core/log.h"
#include "core/other_cpu_load.h"
#include "core/rows.h"
#include "core/signals.h"
#include "core/utf8.h"
#include "text/utf8.h"

namespace craft {

namespace {

// A row on its way from the file to the result.
struct Measured {
    MetricItem item;
    std::string where;  // "file:line"
    std::vector<MetricGroup> groups = {};
    bool is_of_corpus = true;
    ItemScore score = {};
    int64_t empty_predictions = 0, empty_references = 0;
    std::string row = {};                  // what the result says of it
    std::string problem = {};              // what the item lacks
    std::exception_ptr failure = nullptr;  // anything else
};
using MeasuredBlock = std::vector<Measured>;

std::string row_text(const Metric& metric, const std::string& id, const ItemScore& score) {
    Json row = Json::object();
    row["id"] = id;
    row[metric.name()] = value_or_null(score.value);
    row.update(score.parts);
    if (metric.has_summands()) row["summands"] = score.counts;
    return dump_line(row);
}

int64_t empty(const std::string& text) {
    return trim_view(text).empty() ? 1 : 0;
}

void count_empty(const MetricNeeds& needs, Measured& measured) {
    if (needs.prediction) measured.empty_predictions = empty(measured.item.prediction);
    if (!needs.references) return;
    for (const std::string& reference : measured.item.references) measured.empty_references += empty(reference);
}

void measure_one(const Metric& metric, Measured& measured) {
    try {
        measured.score = metric.measure(measured.item);
        measured.row = row_text(metric, measured.item.id, measured.score);
    } catch (const SetupError&) {
        measured.failure = std::current_exception();
    } catch (const Error& error) {
        measured.problem = measured.where + ": " + error.what();
    } catch (...) {
        measured.failure = std::current_exception();
    }
}

// Measures a block by several threads, of which the first one calls `meanwhile` before it takes part. Which thread takes
// which item is left to chance: no item knows of another. What `meanwhile` throws is thrown when all threads have ended.
template <class Meanwhile>
void measure_block(const Metric& metric, MeasuredBlock& block, int64_t threads, Meanwhile meanwhile) {
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i = next++; i < block.size(); i = next++) measure_one(metric, block[i]);
    };
    std::vector<std::thread> others;
    for (int64_t i = 1; i < std::min<int64_t>(threads, static_cast<int64_t>(block.size())); ++i) others.emplace_back(work);
    std::exception_ptr failure;
    try {
        meanwhile();
        work();
    } catch (...) {
        failure = std::current_exception();
    }
    for (std::thread& thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

// For metrics that need all items in one call.
void measure_together(Metric& metric, MeasuredBlock& block) {
    std::vector<MetricItem> items;
    for (Measured& measured : block) items.push_back(std::move(measured.item));
    std::vector<ItemScore> scores = metric.measure_all(items);
    for (size_t i = 0; i < block.size(); ++i) {
        block[i].score = std::move(scores.at(i));
        block[i].row = row_text(metric, items[i].id, block[i].score);
    }
}

// The rows of a file, block by block. What ends the reading is kept until the rows before it are through, one of which may
// be the first that is bad.
class MetricRows {
public:
    MetricRows(const std::string& input, const MetricRunOptions& options, const MetricNeeds& needs)
        : reader_(input, options.lines),
          needs_(needs),
          read_(options.read),
          block_items_(needs.all_items ? std::numeric_limits<int64_t>::max() : options.block_items) {}
    MeasuredBlock next() {
        MeasuredBlock block;
        try {
            while (!ended_ && static_cast<int64_t>(block.size()) < block_items_) read_one(block);
        } catch (...) {
            failure_ = std::current_exception();
            ended_ = true;
        }
        return block;
    }
    void throw_failure() const {
        if (failure_) std::rethrow_exception(failure_);
    }
    const std::string& name() const { return reader_.name(); }
    int64_t bad() const { return reader_.bad_lines(); }
    bool any() const { return any_; }

private:
    void read_one(MeasuredBlock& block) {
        const auto row = reader_.next();
        ended_ = !row;
        if (!row) return;
        const std::string where = reader_.where();
        try {
            std::vector<GroupedItem> items;
            if (read_)
                items = read_(*row, where);
            else
                items.push_back({read_metric_item(*row, needs_, where)});
            if (!items.empty() && !ids_.insert(items[0].item.id))
                throw Error(where + ": field 'id'", "each id once", "'" + shortened(items[0].item.id, 80) + "' again");
            for (GroupedItem& one : items) {
                block.push_back({std::move(one.item), where, std::move(one.groups), one.is_of_corpus});
                count_empty(needs_, block.back());
            }
            any_ = true;
        } catch (const Error& error) {
            reader_.reject(error.what());
        }
    }

    JsonLinesReader reader_;
    MetricNeeds needs_;
    std::function<std::vector<GroupedItem>(const Json&, const std::string&)> read_;
    int64_t block_items_;
    IdSet ids_;
    bool ended_ = false, any_ = false;
    std::exception_ptr failure_;
};

class Run {
public:
    Run(Metric& metric, const MetricRunOptions& options, const std::function<void(const std::string&)>& on_row)
        : metric_(metric), options_(options), on_row_(on_row) {}
    void finish(const MeasuredBlock& block) {
        for (const Measured& measured : block) {
            if (measured.failure) std::rethrow_exception(measured.failure);
            measured.problem.empty() ? finish_item(measured) : bad_item(measured.problem);
        }
    }
    const MetricRun& result() const { return result_; }
    // Adds the figures of groups to the corpus's, by kind and name.
    void add_groups(Json& corpus, int64_t threads) {
        for (const auto& [kind, metrics] : groups_) {
            for (const auto& [name, metric] : metrics) {
                metric->use_threads(threads);
                corpus[kind][name] = metric->corpus();
            }
        }
    }

private:
    void finish_item(const Measured& measured) {
        for (const MetricGroup& group : measured.groups) {
            std::unique_ptr<Metric>& metric = groups_[group.kind][group.name];
            if (metric == nullptr) metric = options_.make();
            metric->add(measured.score);
        }
        if (!measured.is_of_corpus) return;
        metric_.add(measured.score);
        ++result_.items;
        if (!measured.score.value) ++result_.without;
        result_.empty_predictions += measured.empty_predictions;
        result_.empty_references += measured.empty_references;
        on_row_(measured.row);
    }
    // Found only when the reader has gone on: its own counting is for the row that it read last.
    void bad_item(const std::string& problem) {
        if (!options_.lines.skip_bad) throw Error(problem);
        ++result_.bad_lines;
        if (options_.lines.bad_lines != nullptr) ++*options_.lines.bad_lines;
        log_warning("skipped " + problem);
    }

    Metric& metric_;
    const MetricRunOptions& options_;
    const std::function<void(const std::string&)>& on_row_;
    std::map<std::string, std::map<std::string, std::unique_ptr<Metric>>> groups_;
    MetricRun result_;
};

std::string text_of(const Json& row, const std::string& name, bool needed, const std::string& where) {
    if (needed) return string_field(row, name, where);
    return optional_string_field(row, name, where).value_or("");
}

std::vector<std::string> references_of(const Json& row, bool needed, const std::string& where) {
    const std::string field = where + ": field 'references'";
    if (!has_value(row, "references")) {
        if (needed) throw Error(field, "a list of texts", "none");
        return {};
    }
    const Json& list = row.at("references");
    if (!list.is_array()) throw Error(field, "a list of texts", shortened(dump_line(list), 80));
    std::vector<std::string> references;
    for (const Json& reference : list) {
        if (!reference.is_string()) throw Error(field, "a list of texts", shortened(dump_line(reference), 80) + " in it");
        references.push_back(reference.get<std::string>());
    }
    if (needed && references.empty()) throw Error(field, "at least one text", "an empty list");
    return references;
}

void warn(const Metric& metric, const MetricRun& run) {
    if (run.empty_predictions + run.empty_references > 0)
        log_warning("empty texts are measured like others",
                    {{"empty_predictions", run.empty_predictions}, {"empty_references", run.empty_references}});
    if (const std::string warning = metric.warning(); !warning.empty()) log_warning(warning);
}

}  // namespace

MetricItem read_metric_item(const Json& row, const MetricNeeds& needs, const std::string& where) {
    MetricItem item;
    item.id = id_text(row, where);
    item.source = text_of(row, "source", needs.source, where);
    item.prediction = text_of(row, "prediction", needs.prediction, where);
    item.references = references_of(row, needs.references, where);
    return item;
}

MetricRun run_metric(Metric& metric, const std::string& input, const MetricRunOptions& options,
                     const std::function<void(const std::string&)>& on_row) {
    MetricRows rows(input, options, metric.needs());
    Run run(metric, options, on_row);
    WorkerThreads threads(options.threads);
    MeasuredBlock measured;  // the block before, which waits for being added
    for (MeasuredBlock block = rows.next(); !block.empty();) {
        MeasuredBlock following;
        if (metric.needs().all_items) {
            rows.throw_failure();  // before a model computes for hours
            measure_together(metric, block);
        } else {
            measure_block(metric, block, threads.now(), [&] {
                run.finish(measured);
                following = rows.next();
            });
        }
        throw_if_stopped();  // nothing was written yet, so that a stop may not look like an end
        measured = std::move(block);
        block = std::move(following);
    }
    run.finish(measured);
    rows.throw_failure();
    if (!rows.any()) throw Error(rows.name(), "at least one row", "none");
    MetricRun result = run.result();
    if (result.items == 0) throw Error(rows.name(), "at least one row that can be measured", "none");
    result.bad_lines += rows.bad();
    metric.use_threads(threads.now());
    result.corpus = metric.corpus();
    run.add_groups(result.corpus, threads.now());
    warn(metric, result);
    throw_if_stopped();
    return result;
}

}  // namespace craft

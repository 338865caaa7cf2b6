#include "metrics/runner.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <unordered_set>
#include <vector>

#include "core/log.h"
#include "core/rows.h"
#include "core/utf8.h"

namespace craft {

namespace {

struct Measured {
    MetricItem item;
    std::string where;  // "file:line"
    ItemScore score = {};
    std::string problem = {};              // what the item lacks
    std::exception_ptr failure = nullptr;  // anything else
};

void measure_one(const Metric& metric, Measured& measured) {
    try {
        measured.score = metric.measure(measured.item);
    } catch (const SetupError&) {
        measured.failure = std::current_exception();
    } catch (const Error& error) {
        measured.problem = measured.where + ": " + error.what();
    } catch (...) {
        measured.failure = std::current_exception();
    }
}

// Which thread takes which item is left to chance: no item knows of another.
void measure_block(const Metric& metric, std::vector<Measured>& block, int64_t threads) {
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i = next++; i < block.size(); i = next++) measure_one(metric, block[i]);
    };
    std::vector<std::thread> others;
    for (int64_t i = 1; i < std::min<int64_t>(threads, static_cast<int64_t>(block.size())); ++i) others.emplace_back(work);
    work();
    for (std::thread& thread : others) thread.join();
}

// For metrics that need all items in one call.
void measure_together(Metric& metric, std::vector<Measured>& block) {
    std::vector<MetricItem> items;
    for (Measured& measured : block) items.push_back(std::move(measured.item));
    std::vector<ItemScore> scores = metric.measure_all(items);
    for (size_t i = 0; i < block.size(); ++i) {
        block[i].item = std::move(items[i]);
        block[i].score = std::move(scores.at(i));
    }
}

class Run {
public:
    Run(Metric& metric, const MetricRunOptions& options, const std::function<void(const Json&)>& on_row)
        : metric_(metric), options_(options), on_row_(on_row), threads_(options.threads) {
        if (threads_ == 0) threads_ = std::max<int64_t>(1, std::thread::hardware_concurrency());
    }
    void take(MetricItem item, const std::string& where) {
        block_.push_back({std::move(item), where});
        if (together_ || static_cast<int64_t>(block_.size()) < options_.block_items) return;
        try {
            finish_block();
        } catch (const SetupError&) {
            throw;
        } catch (const Error& error) {  // a full disk: not the fault of the row that is being read
            throw SetupError(error);
        }
    }
    void finish_block() {
        if (together_ && !block_.empty())
            measure_together(metric_, block_);
        else
            measure_block(metric_, block_, threads_);
        for (const Measured& measured : block_) finish_item(measured);
        block_.clear();
    }
    MetricRun result() const { return result_; }

private:
    void finish_item(const Measured& measured) {
        if (measured.failure) std::rethrow_exception(measured.failure);
        if (!measured.problem.empty()) return bad_item(measured.problem);
        metric_.add(measured.score);
        ++result_.items;
        if (!measured.score.value) ++result_.without;
        Json row = Json::object();
        row["id"] = measured.item.id;
        row[metric_.name()] = value_or_null(measured.score.value);
        row.update(measured.score.parts);
        on_row_(row);
    }
    // Found only when the reader has gone on: its own counting is for the row that it read last.
    void bad_item(const std::string& problem) {
        if (!options_.lines.skip_bad) throw SetupError(Error(problem));
        ++result_.bad_lines;
        if (options_.lines.bad_lines != nullptr) ++*options_.lines.bad_lines;
        log_warning("skipped " + problem);
    }

    Metric& metric_;
    const MetricRunOptions& options_;
    const std::function<void(const Json&)>& on_row_;
    bool together_ = metric_.needs().all_items;
    int64_t threads_;
    std::vector<Measured> block_;
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
                     const std::function<void(const Json&)>& on_row) {
    Run run(metric, options, on_row);
    std::unordered_set<std::string> ids;
    const int64_t bad = for_each_row(input, options.lines, [&](const Json& row, const std::string& where) {
        MetricItem item = read_metric_item(row, metric.needs(), where);
        if (!ids.insert(item.id).second)
            throw Error(where + ": field 'id'", "each id once", "'" + shortened(item.id, 80) + "' again");
        run.take(std::move(item), where);
    });
    run.finish_block();
    MetricRun result = run.result();
    if (result.items == 0) throw Error(input == "-" ? "stdin" : input, "at least one row that can be measured", "none");
    result.bad_lines += bad;
    result.corpus = metric.corpus();
    return result;
}

}  // namespace craft

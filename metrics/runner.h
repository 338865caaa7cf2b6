// A metric over the items of a JSON Lines file: measured in blocks by several threads, added in the items' order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "metrics/metric.h"

namespace craft {

// A part of the items that has figures of its own: {"by_domain","c1"} stands in corpus.by_domain.c1.
struct MetricGroup {
    std::string kind, name;
};

// A text to be measured, and what it counts in.
struct GroupedItem {
    MetricItem item;
    std::vector<MetricGroup> groups = {};
    bool is_of_corpus = true;  // false: it has no row, and counts in its groups alone
};

struct MetricRunOptions {
    int64_t threads = 1;  // that measure; 0: one for each core that other programs leave
    int64_t block_items =
        1024;                // that are measured side by side, while as many are read; all where the metric needs all items
    JsonLinesOptions lines;  // how bad rows are treated
    // What a row gives, none where it is left out; throws Error on a bad one. Null: the item of read_metric_item() alone.
    std::function<std::vector<GroupedItem>(const Json& row, const std::string& where)> read = nullptr;
    std::function<std::unique_ptr<Metric>()> make = nullptr;  // what is run once more; needed where there are groups
};

struct MetricRun {
    Json corpus;
    int64_t items = 0;      // that were measured
    int64_t without = 0;    // of them, those whose value is null
    int64_t bad_lines = 0;  // rows that were left out (JsonLinesOptions::skip_bad)
    // Texts without a character that is no white space, of those that the metric needs. They are measured like others.
    int64_t empty_predictions = 0, empty_references = 0;
};

// An item of a row {"id","source","prediction","references"}; fields that are not needed may be absent. Throws Error(where,
// field) otherwise, also for fields of a wrong type and an empty list of references.
MetricItem read_metric_item(const Json& row, const MetricNeeds& needs, const std::string& where);

// Measures the items of a file (- is stdin), calls on_row with {"id", NAME: value, parts, "summands"} of each in the file's
// order, as one line of JSON, and gives the corpus figures. An id that occurs twice and what an item lacks are bad rows.
// Throws Error for the first bad row unless they are to be skipped, or if there is no good one; Stopped after a block
// during which a signal came. Warns at the end of empty texts, and of what the metric warns of.
//
// Three blocks of rows are in memory at a time, and 32 to 64 bytes for each id (core/id_set.h); besides that only what the
// metric itself keeps (GLEU: counts of each reference).
MetricRun run_metric(Metric& metric, const std::string& input, const MetricRunOptions& options,
                     const std::function<void(const std::string&)>& on_row);

}  // namespace craft

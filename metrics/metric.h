// What every metric of revised texts is: an item is measured by itself, and the corpus figure is made of what the items were
// measured to be. `eval metric`, EditEval and comparisons of systems go through this interface alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "metrics/statistics/corpus_sums.h"

namespace craft {

struct MetricItem {
    std::string id;
    std::string source;                   // the text before revision; empty where the metric does not need it
    std::string prediction;               // what a system made of it
    std::vector<std::string> references;  // what people made of it; items may have different numbers of them
};

// Which fields of an item a metric reads. Those must be there (a text may be empty, the list of references may not); others
// may be absent.
struct MetricNeeds {
    bool source = false;
    bool prediction = true;
    bool references = false;
    bool all_items = false;  // measure_all() takes every item of a file at once; measure() is a file of one item
};

struct ItemScore {
    std::optional<double> value;    // stands under the metric's name in the item's row; absent: null there, and counted
    Json parts = Json::object();    // further keys of the item's row
    std::vector<int64_t> counts;    // what the corpus figure is made of, in the metric's own order
    std::vector<double> numbers{};  // the same, where it is no count; kept out of the row
};

// What a result's rows say of the counts of its items.
struct SummedItems {
    std::vector<std::vector<int64_t>> counts;  // ItemScore::counts of each
    std::vector<size_t> places;                // where each stands in its file, of which any order may be given here
};

class Metric {
public:
    Metric() = default;
    Metric(const Metric&) = delete;
    Metric& operator=(const Metric&) = delete;
    virtual ~Metric() = default;

    virtual std::string name() const = 0;  // "sari": the key of the main figure
    // All that a figure depends on, for tables and papers: name|version|options|tokeniser|normalisation.
    virtual std::string signature() const = 0;
    virtual Json options() const = 0;  // every option by its name, defaults filled in
    virtual MetricNeeds needs() const = 0;

    // Depends on nothing but the item, so that several threads may call it at once, also while another one adds earlier
    // items. Throws Error with a field of the item as `where` if nothing can be measured.
    virtual ItemScore measure(const MetricItem& item) const = 0;
    // What measure() gives of each item, in order. Metrics that need all items compute them here: a model computes many at
    // once, and what an item is worth may depend on all of them. One thread calls it. Throws Error where nothing can be
    // measured.
    virtual std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) {
        std::vector<ItemScore> scores;
        for (const MetricItem& item : items) scores.push_back(measure(item));
        return scores;
    }
    // Takes an item into the corpus figure; one thread, in the items' order. The figure must not depend on that order: sums
    // of counts do not, and for numbers ExactSum (metrics/exact_sum.h) does not. GLEU alone does, by the draws of JFLEG's
    // script, which takes references by the places of items.
    virtual void add(const ItemScore& score) = 0;
    // {NAME: the main figure, parts}, of all items added so far; null where there is none.
    virtual Json corpus() const = 0;
    // How many threads corpus() may use, 1 at first; no digit depends on it.
    virtual void use_threads(int64_t /*threads*/) {}
    // What one should know of the items added so far before one believes the figures, as a line; empty where nothing is odd.
    virtual std::string warning() const { return ""; }

    // Whether corpus figures follow from the items' counts and not from their values. The counts then stand in the items'
    // rows as "summands", and comparisons make the figures of any selection of items from them (metrics/corpus_sums.h).
    virtual bool has_summands() const { return summand_count() > 0; }
    // How many an item has where corpus() is a function of the counts' sums: that of one item with the sums as its counts.
    virtual size_t summand_count() const { return 0; }
    // Where it is another function of them: `figure` of selections of these items; nullptr if no corpus figure of that name
    // is made of them. Throws Error for counts that are none of this metric's.
    virtual std::unique_ptr<CorpusSums> sums(const std::string& /*figure*/, const SummedItems& /*items*/) const {
        return nullptr;
    }
};

}  // namespace craft

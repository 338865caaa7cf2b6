#include "metrics/edits/errant_compare.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <tuple>

#include "core/error.h"
#include "core/signals.h"
#include "text/code_points.h"
#include "text/words.h"

namespace craft {

namespace {

// What edits are compared by; the fields that the kind of match does not look at stay as they are here.
struct EditKey {
    int64_t start = 0, end = 0;
    std::string_view type, correction;
    bool operator==(const EditKey&) const = default;
    bool operator<(const EditKey& other) const {
        return std::tie(start, end, type, correction) < std::tie(other.start, other.end, other.type, other.correction);
    }
};

struct KeyedEdit {
    EditKey key;
    std::string_view type;
};

struct Annotator {
    int64_t id = 0;
    std::vector<KeyedEdit> edits;  // in the order of their keys; of one key, in that of the file
};

// The annotators of a sentence, in the order in which they first appear. Kept from sentence to sentence for the memory they
// hold.
struct Annotators {
    std::vector<Annotator> all;
    size_t count = 0;

    Annotator& of(int64_t id) {
        for (size_t i = 0; i < count; ++i) {
            if (all[i].id == id) return all[i];
        }
        if (count == all.size()) all.emplace_back();
        all[count].id = id;
        all[count].edits.clear();
        return all[count++];
    }
};

bool is_counted(const M2Edit& edit, const ErrantOptions& options) {
    const bool detection = options.match == EditMatch::span_detection || options.match == EditMatch::token_detection;
    if (!detection && edit.type == "UNK") return false;
    if (options.length != EditLength::any) {
        const bool multi = edit.end - edit.start >= 2 || count_whitespace_words(edit.correction) >= 2;
        if (multi != (options.length == EditLength::multi_token)) return false;
    }
    return std::find(options.filtered_types.begin(), options.filtered_types.end(), edit.type) ==
           options.filtered_types.end();
}

void add_keyed(const M2Edit& edit, EditMatch match, std::vector<KeyedEdit>& edits) {
    const auto add = [&](const EditKey& key) { edits.push_back({key, edit.type}); };
    switch (match) {
        case EditMatch::correction:
            return add({edit.start, edit.end, {}, edit.correction});
        case EditMatch::correction_type:
            return add({edit.start, edit.end, edit.type, edit.correction});
        case EditMatch::span_detection:
            return add({edit.start, edit.end, {}, {}});
        case EditMatch::token_detection:
            if (edit.start < 0) return add({edit.start, edit.start, {}, {}});
            for (int64_t i = edit.start; i < std::max(edit.end, edit.start + 1); ++i) add({i, i + 1, {}, {}});
    }
}

// One without an edit that counts is an annotator, too.
void read_annotators(const M2Sentence& sentence, const ErrantOptions& options, Annotators& annotators) {
    static const M2Edit kNoop = {-1, -1, "noop", "-NONE-"};
    annotators.count = 0;
    const auto add = [&](const M2Edit& edit) {
        Annotator& annotator = annotators.of(edit.annotator);
        if (is_counted(edit, options)) add_keyed(edit, options.match, annotator.edits);
    };
    if (sentence.edits.empty()) add(kNoop);
    for (const M2Edit& edit : sentence.edits) add(edit);
    for (size_t i = 0; i < annotators.count; ++i) {
        auto& edits = annotators.all[i].edits;
        const auto before = [](const KeyedEdit& a, const KeyedEdit& b) { return a.key < b.key; };
        if (!std::is_sorted(edits.begin(), edits.end(), before)) std::stable_sort(edits.begin(), edits.end(), before);
    }
}

// The edits of one key, [begin, end). ERRANT asks only the first of them whether it is a noop.
struct SameKey {
    const KeyedEdit *begin, *end;
    SameKey(const KeyedEdit* first, const KeyedEdit* last) : begin(first), end(first == last ? last : first + 1) {
        while (end != last && end->key == begin->key) ++end;
    }
    bool noop() const { return begin->type == "noop"; }
};

// on_count(edits of one key, which of the counts) for all that are counted.
template <typename OnCount>
void count_pair(const Annotator& hypothesis, const Annotator& reference, OnCount on_count) {
    const KeyedEdit *h = hypothesis.edits.data(), *r = reference.edits.data();
    const KeyedEdit *h_end = h + hypothesis.edits.size(), *r_end = r + reference.edits.size();
    SameKey ours(h, h_end), theirs(r, r_end);
    while (h != h_end || r != r_end) {
        const bool only_reference = h == h_end || (r != r_end && r->key < h->key);
        const bool only_hypothesis = !only_reference && (r == r_end || h->key < r->key);
        if (only_reference) {
            if (!theirs.noop()) on_count(theirs, &EditCounts::false_negatives);
        } else if (!ours.noop()) {
            only_hypothesis ? on_count(ours, &EditCounts::false_positives) : on_count(theirs, &EditCounts::true_positives);
        }
        if (!only_reference) ours = SameKey(h = ours.end, h_end);
        if (!only_hypothesis) theirs = SameKey(r = theirs.end, r_end);
    }
}

// Python's round(x, 4): the exact value, correctly rounded.
double rounded(double value) {
    // Far from the middle between two results the product's own rounding cannot matter, and the quotient is the nearest
    // double.
    const double scaled = value * 1e4, whole = std::floor(scaled), rest = scaled - whole;
    if (std::abs(rest - 0.5) > 1e-6) return (rest < 0.5 ? whole : whole + 1) / 1e4;
    char text[64];
    const auto written = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 4);
    std::from_chars(text, written.ptr, value);
    return value;
}

struct Choice {
    EditCounts counts;
    double f = -1;
    const Annotator *hypothesis = nullptr, *reference = nullptr;
};

bool better(const EditCounts& counts, double f, const Choice& best) {
    if (f != best.f) return f > best.f;
    if (counts.true_positives != best.counts.true_positives) return counts.true_positives > best.counts.true_positives;
    if (counts.false_positives != best.counts.false_positives) return counts.false_positives < best.counts.false_positives;
    return counts.false_negatives < best.counts.false_negatives;
}

class Comparer {
public:
    Comparer(const ErrantOptions& options, ErrantComparison& comparison) : options_(options), comparison_(comparison) {}

    void add(const M2Sentence& hypothesis, const M2Sentence& reference) {
        read_annotators(hypothesis, options_, hypotheses_);
        read_annotators(reference, options_, references_);
        Choice best;
        for (size_t h = 0; h < hypotheses_.count; ++h) {
            for (size_t r = 0; r < references_.count; ++r) {
                EditCounts counts;
                count_pair(hypotheses_.all[h], references_.all[r],
                           [&](const SameKey& same, int64_t EditCounts::*which) { counts.*which += same.end - same.begin; });
                EditCounts sum = comparison_.total;
                const double f = edit_scores(sum += counts, options_.beta).f;
                if (better(counts, f, best)) best = {counts, f, &hypotheses_.all[h], &references_.all[r]};
            }
        }
        comparison_.total += best.counts;
        comparison_.sentences.push_back(best.counts);
        count_pair(*best.hypothesis, *best.reference, [&](const SameKey& same, int64_t EditCounts::*which) {
            for (const KeyedEdit* edit = same.begin; edit != same.end; ++edit) ++(of_type(edit->type).*which);
        });
    }

private:
    EditCounts& of_type(std::string_view type) {
        const auto found = comparison_.by_type.find(type);
        return found != comparison_.by_type.end() ? found->second : comparison_.by_type[std::string(type)];
    }

    const ErrantOptions& options_;
    ErrantComparison& comparison_;
    Annotators hypotheses_, references_;
};

}  // namespace

EditCounts& EditCounts::operator+=(const EditCounts& other) {
    true_positives += other.true_positives;
    false_positives += other.false_positives;
    false_negatives += other.false_negatives;
    return *this;
}

EditScores edit_scores(const EditCounts& counts, double beta) {
    const auto share = [&](int64_t wrong) {
        return wrong == 0 ? 1.0
                          : static_cast<double>(counts.true_positives) / static_cast<double>(counts.true_positives + wrong);
    };
    const double precision = share(counts.false_positives), recall = share(counts.false_negatives);
    const double squared = beta * beta;
    const double f = precision + recall == 0 ? 0 : (1 + squared) * precision * recall / (squared * precision + recall);
    return {rounded(precision), rounded(recall), rounded(f)};
}

void check_as_many(const M2File& hypothesis, const M2File& reference) {
    const size_t ours = hypothesis.sentences.size(), theirs = reference.sentences.size();
    if (theirs == 0) throw Error(reference.name, "at least one sentence", "none");
    if (ours == theirs) return;
    std::string place = hypothesis.name;
    if (ours > 0) place += ":" + std::to_string(hypothesis.sentences[ours < theirs ? ours - 1 : theirs].line);
    throw Error(place, std::to_string(theirs) + " sentences, as in " + reference.name, std::to_string(ours));
}

ErrantComparison compare_edits(const M2File& hypothesis, const M2File& reference, const ErrantOptions& options) {
    check_as_many(hypothesis, reference);
    ErrantComparison comparison;
    Comparer comparer(options, comparison);
    for (size_t i = 0; i < reference.sentences.size(); ++i) {
        throw_if_stopped();
        comparer.add(hypothesis.sentences[i], reference.sentences[i]);
    }
    return comparison;
}

TypeCounts by_category(const TypeCounts& by_type, int tier) {
    TypeCounts categories;
    for (const auto& [type, counts] : by_type) {
        std::string category = type;
        if (tier < 3 && type != "UNK") {
            const std::u32string points = decode_utf8(type);
            category.clear();
            for (size_t i = tier == 1 ? 0 : 2; i < (tier == 1 ? std::min<size_t>(1, points.size()) : points.size()); ++i) {
                append_utf8(category, points[i]);
            }
        }
        categories[category] += counts;
    }
    return categories;
}

}  // namespace craft

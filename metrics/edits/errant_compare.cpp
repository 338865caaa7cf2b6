#include "metrics/edits/errant_compare.h"

#include <algorithm>
#include <charconv>
#include <compare>
#include <string_view>

#include "core/error.h"
#include "text/code_points.h"
#include "text/words.h"

namespace craft {

namespace {

// What edits are compared by; the fields that the kind of match does not look at stay as they are here.
struct EditKey {
    int64_t start = 0, end = 0;
    std::string_view type, correction;
    auto operator<=>(const EditKey&) const = default;
};

// All edits of one annotator that have one key.
struct KeyedEdits {
    EditKey key;
    std::vector<std::string_view> types;
    // ERRANT asks the first of them only.
    bool noop() const { return types.front() == "noop"; }
};

struct Annotator {
    int64_t id = 0;
    std::vector<KeyedEdits> edits;  // in the order of their keys
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

void add_keys(const M2Edit& edit, EditMatch match, std::vector<EditKey>& keys) {
    switch (match) {
        case EditMatch::correction:
            keys.push_back({edit.start, edit.end, {}, edit.correction});
            break;
        case EditMatch::correction_type:
            keys.push_back({edit.start, edit.end, edit.type, edit.correction});
            break;
        case EditMatch::span_detection:
            keys.push_back({edit.start, edit.end, {}, {}});
            break;
        case EditMatch::token_detection:
            if (edit.start < 0) {
                keys.push_back({edit.start, edit.start, {}, {}});
            } else {
                const int64_t end = std::max(edit.end, edit.start + 1);
                for (int64_t i = edit.start; i < end; ++i) keys.push_back({i, i + 1, {}, {}});
            }
            break;
    }
}

// In the order in which the annotators first appear; one without an edit that counts is there too.
std::vector<Annotator> annotators_of(const M2Sentence& sentence, const ErrantOptions& options) {
    static const M2Edit kNoop = {-1, -1, "noop", "-NONE-"};
    std::vector<Annotator> annotators;
    std::vector<EditKey> keys;
    const auto add = [&](const M2Edit& edit) {
        auto found =
            std::find_if(annotators.begin(), annotators.end(), [&](const Annotator& a) { return a.id == edit.annotator; });
        if (found == annotators.end()) found = annotators.insert(annotators.end(), Annotator{edit.annotator, {}});
        if (!is_counted(edit, options)) return;
        keys.clear();
        add_keys(edit, options.match, keys);
        for (const EditKey& key : keys) found->edits.push_back({key, {edit.type}});
    };
    if (sentence.edits.empty()) add(kNoop);
    for (const M2Edit& edit : sentence.edits) add(edit);
    for (Annotator& annotator : annotators) {
        auto& edits = annotator.edits;
        std::stable_sort(edits.begin(), edits.end(), [](const KeyedEdits& a, const KeyedEdits& b) { return a.key < b.key; });
        size_t kept = 0;
        for (size_t i = 1; i < edits.size(); ++i) {
            if (edits[kept].key == edits[i].key) {
                edits[kept].types.push_back(edits[i].types.front());
            } else if (++kept != i) {
                edits[kept] = std::move(edits[i]);
            }
        }
        if (!edits.empty()) edits.resize(kept + 1);
    }
    return annotators;
}

// on_count(types, which of the counts) for every edit that is counted, with all types that it has.
template <typename OnCount>
void count_pair(const Annotator& hypothesis, const Annotator& reference, OnCount on_count) {
    auto h = hypothesis.edits.begin();
    auto r = reference.edits.begin();
    while (h != hypothesis.edits.end() || r != reference.edits.end()) {
        const bool only_reference = h == hypothesis.edits.end() || (r != reference.edits.end() && r->key < h->key);
        if (only_reference) {
            if (!r->noop()) on_count(r->types, &EditCounts::false_negatives);
            ++r;
        } else if (r == reference.edits.end() || h->key < r->key) {
            if (!h->noop()) on_count(h->types, &EditCounts::false_positives);
            ++h;
        } else {
            if (!h->noop()) on_count(r->types, &EditCounts::true_positives);
            ++h;
            ++r;
        }
    }
}

// Python's round(x, 4): the exact value, correctly rounded.
double rounded(double value) {
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

void add_sentence(const M2Sentence& hypothesis, const M2Sentence& reference, const ErrantOptions& options,
                  ErrantComparison& comparison) {
    const std::vector<Annotator> hypotheses = annotators_of(hypothesis, options);
    const std::vector<Annotator> references = annotators_of(reference, options);
    Choice best;
    for (const Annotator& h : hypotheses) {
        for (const Annotator& r : references) {
            EditCounts counts;
            count_pair(h, r, [&](const auto& types, int64_t EditCounts::*which) {
                counts.*which += static_cast<int64_t>(types.size());
            });
            EditCounts sum = comparison.total;
            const double f = edit_scores(sum += counts, options.beta).f;
            if (better(counts, f, best)) best = {counts, f, &h, &r};
        }
    }
    comparison.total += best.counts;
    comparison.sentences.push_back(best.counts);
    count_pair(*best.hypothesis, *best.reference, [&](const auto& types, int64_t EditCounts::*which) {
        for (const std::string_view type : types) ++(comparison.by_type[std::string(type)].*which);
    });
}

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

ErrantComparison compare_edits(const M2File& hypothesis, const M2File& reference, const ErrantOptions& options) {
    if (hypothesis.sentences.size() != reference.sentences.size()) {
        throw Error(hypothesis.name, std::to_string(reference.sentences.size()) + " sentences, as in " + reference.name,
                    std::to_string(hypothesis.sentences.size()));
    }
    if (reference.sentences.empty()) throw Error(reference.name, "at least one sentence", "none");
    ErrantComparison comparison;
    for (size_t i = 0; i < reference.sentences.size(); ++i) {
        add_sentence(hypothesis.sentences[i], reference.sentences[i], options, comparison);
    }
    return comparison;
}

std::map<std::string, EditCounts> by_category(const std::map<std::string, EditCounts>& by_type, int tier) {
    std::map<std::string, EditCounts> categories;
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

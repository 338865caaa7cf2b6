#include "metrics/edits/m2_scorer.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>

#include "core/error.h"
#include "core/signals.h"
#include "metrics/edits/m2_remarks.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

// What an edit that no annotator made costs beside its steps, so that of ways of one length that with fewer edits is taken.
constexpr double kEditCost = 0.001;

struct GoldEdit {
    int64_t start = 0, end = 0;
    std::vector<std::string> corrections;
    std::string_view type;
};
using GoldEdits = std::vector<GoldEdit>;  // by their spans; in the order of the file those at one place

// Tokens joined by single blanks, and where each begins.
class JoinedTokens {
public:
    explicit JoinedTokens(const std::vector<std::string>& tokens) {
        for (const std::string& token : tokens) {
            starts_.push_back(text_.size());
            text_.append(token).append(" ");
        }
        starts_.push_back(text_.size());
    }
    std::string_view span(int64_t from, int64_t to) const {
        if (from >= to) return {};
        const size_t start = starts_[static_cast<size_t>(from)];
        return std::string_view(text_).substr(start, starts_[static_cast<size_t>(to)] - 1 - start);
    }

private:
    std::string text_;
    std::vector<size_t> starts_;
};

std::map<int64_t, GoldEdits> gold_by_annotator(const M2Sentence& sentence, int64_t tokens) {
    std::map<int64_t, GoldEdits> gold;
    for (size_t i = 0; i < sentence.edits.size(); ++i) {
        const M2Edit& edit = sentence.edits[i];
        GoldEdits& edits = gold[edit.annotator];  // there, also if all that he says is that nothing is wrong
        if (edit.noop() || edit.end > tokens || is_repeated(sentence, i)) continue;
        edits.push_back({edit.start, edit.end, edit.alternatives(), edit.type});
    }
    for (auto& [annotator, edits] : gold)
        std::stable_sort(edits.begin(), edits.end(), [](const GoldEdit& a, const GoldEdit& b) {
            return std::pair(a.start, a.end) < std::pair(b.start, b.end);
        });
    if (gold.empty()) gold[0];
    return gold;
}

// One sentence: its lattice, and the best way through it by an annotator's edits.
class SentenceMatcher {
public:
    SentenceMatcher(const std::vector<std::string>& source, const std::vector<std::string>& hypothesis,
                    const M2Options& options, const std::string& where)
        : options_(options), source_(source), hypothesis_(hypothesis) {
        std::unordered_map<std::string_view, int32_t> numbers;
        const auto numbered = [&](const std::vector<std::string>& tokens) {
            std::vector<int32_t> result;
            for (const std::string& token : tokens) {
                result.push_back(numbers.emplace(token, static_cast<int32_t>(numbers.size())).first->second);
            }
            return result;
        };
        const auto source_numbers = numbered(source), hypothesis_numbers = numbered(hypothesis);
        lattice_ = edit_lattice(source_numbers, hypothesis_numbers, options.limits, where);
        for (const int32_t arc : lattice_.order) {
            if (start(arc) == end(arc)) insertions_.push_back(arc);
        }
        std::sort(insertions_.begin(), insertions_.end(),
                  [&](int32_t a, int32_t b) { return std::pair(at(a).from, at(a).to) < std::pair(at(b).from, at(b).to); });
    }

    // `correct` gets the gold edits that are met, `spans` the number of proposed edits that are where gold ones are.
    M2Counts counts(const GoldEdits& gold, std::vector<const GoldEdit*>& correct, int64_t& spans) {
        set_weights(gold);
        const std::vector<int32_t> proposed = best_way();
        spans = shared_spans(proposed, gold);
        M2Counts counts = {0, static_cast<int64_t>(proposed.size()), static_cast<int64_t>(gold.size())};
        size_t next = 0;
        for (const int32_t arc : proposed) {
            // One gold edit at most: the reference counts all that it meets, and its precision can pass 1.
            for (size_t g = next; g < gold.size(); ++g) {
                if (!matches(arc, gold[g])) continue;
                ++counts.correct;
                correct.push_back(&gold[g]);
                next = g + 1;
                break;
            }
        }
        return counts;
    }

private:
    const LatticeArc& at(int32_t arc) const { return lattice_.arcs[static_cast<size_t>(arc)]; }
    const LatticeVertex& vertex(int32_t index) const { return lattice_.vertices[static_cast<size_t>(index)]; }
    int64_t start(int32_t arc) const { return vertex(at(arc).from).source; }
    int64_t end(int32_t arc) const { return vertex(at(arc).to).source; }
    std::string_view correction(int32_t arc) const {
        return hypothesis_.span(vertex(at(arc).from).target, vertex(at(arc).to).target);
    }
    bool matches(int32_t arc, const GoldEdit& gold) const {
        if (start(arc) != gold.start || end(arc) != gold.end) return false;
        return std::find(gold.corrections.begin(), gold.corrections.end(), correction(arc)) != gold.corrections.end();
    }
    int64_t shared_spans(const std::vector<int32_t>& proposed, const GoldEdits& gold) const {
        std::map<std::pair<int64_t, int64_t>, int64_t> left;
        for (const GoldEdit& edit : gold) ++left[{edit.start, edit.end}];
        const auto take = [&](const std::pair<int64_t, int64_t>& span) {
            const auto found = left.find(span);
            return found != left.end() && found->second-- > 0;
        };
        return std::count_if(proposed.begin(), proposed.end(), [&](int32_t arc) {
            return take({start(arc), end(arc)}) || take(changed_span(arc));
        });
    }
    // Without the words at its ends that stay as they are: of an edit that is not gold it is chance whether it has some.
    std::pair<int64_t, int64_t> changed_span(int32_t arc) const {
        int64_t first = start(arc), last = end(arc), from = vertex(at(arc).from).target, to = vertex(at(arc).to).target;
        for (; first < last && from < to && source_.span(first, first + 1) == hypothesis_.span(from, from + 1); ++first)
            ++from;
        for (; first < last && from < to && source_.span(last - 1, last) == hypothesis_.span(to - 1, to); --last) --to;
        return {first, last};
    }
    double& weight(int32_t arc) { return weights_[static_cast<size_t>(arc)]; }

    void set_weights(const GoldEdits& gold) {
        weights_.resize(lattice_.arcs.size());
        for (size_t a = 0; a < weights_.size(); ++a) weights_[a] = lattice_.arcs[a].steps;
        gold_weight_ = -static_cast<double>(lattice_.order.size());
        std::map<int64_t, std::vector<const GoldEdit*>> by_start;
        for (const GoldEdit& edit : gold) by_start[edit.start].push_back(&edit);
        std::vector<char> has_gold(static_cast<size_t>(lattice_.vertices.back().source) + 1, 0);
        for (const auto& [first, edits] : by_start) has_gold[static_cast<size_t>(first)] = 1;
        for (const int32_t arc : lattice_.order) {
            if (start(arc) == end(arc)) continue;
            const bool met = has_gold[static_cast<size_t>(start(arc))] != 0 &&
                             std::any_of(by_start[start(arc)].begin(), by_start[start(arc)].end(),
                                         [&](const GoldEdit* edit) { return matches(arc, *edit); });
            if (met) {
                weight(arc) = gold_weight_;
            } else if (!at(arc).noop) {
                weight(arc) += kEditCost;
            }
        }
        for (size_t first = 0; first < insertions_.size();) {
            size_t last = first;
            while (last < insertions_.size() && start(insertions_[last]) == start(insertions_[first])) ++last;
            std::vector<const GoldEdit*> here;
            for (const GoldEdit* edit : by_start[start(insertions_[first])]) {
                if (edit->end == edit->start) here.push_back(edit);
            }
            weigh_insertions({insertions_.data() + first, last - first}, here);
            first = last;
        }
    }

    struct Insertions {
        const int32_t* arcs = nullptr;
        size_t size = 0;
    };

    // At one place several insertions may follow each other, and gold ones count once and in their order: the arcs are taken
    // in turns from the left and from the right, each side with the gold edits that are left on it.
    void weigh_insertions(const Insertions& here, const std::vector<const GoldEdit*>& gold) {
        auto left = std::ptrdiff_t{0}, right = static_cast<std::ptrdiff_t>(here.size) - 1, current = left;
        auto gold_left = std::ptrdiff_t{0}, gold_right = static_cast<std::ptrdiff_t>(gold.size()) - 1;
        while (left <= right) {
            const int32_t arc = here.arcs[current];
            const bool from_left = current == left;
            const std::ptrdiff_t met =
                from_left ? first_match(arc, gold, gold_left, gold_right) : last_match(arc, gold, gold_left, gold_right);
            if (met >= 0) {
                weight(arc) = gold_weight_;
                (from_left ? gold_left : gold_right) = from_left ? met + 1 : met - 1;
            } else {
                weight(arc) += kEditCost;
            }
            const std::ptrdiff_t taken = current;
            if (from_left) {
                ++left;
                if (met >= 0) {  // continue after the insertion: what begins elsewhere cannot follow it
                    while (left < static_cast<std::ptrdiff_t>(here.size) &&
                           at(here.arcs[left]).from != at(here.arcs[taken]).to) {
                        weight(here.arcs[left++]) += kEditCost;
                    }
                }
                current = met >= 0 ? left : right;
            } else {
                --right;
                if (met >= 0) {
                    while (right >= 0 && at(here.arcs[right]).to != at(here.arcs[taken]).from)
                        weight(here.arcs[right--]) += kEditCost;
                }
                current = met >= 0 ? right : left;
            }
        }
    }

    std::ptrdiff_t first_match(int32_t arc, const std::vector<const GoldEdit*>& gold, std::ptrdiff_t from,
                               std::ptrdiff_t to) const {
        for (std::ptrdiff_t i = from; i <= to; ++i) {
            if (matches(arc, *gold[static_cast<size_t>(i)])) return i;
        }
        return -1;
    }
    std::ptrdiff_t last_match(int32_t arc, const std::vector<const GoldEdit*>& gold, std::ptrdiff_t from,
                              std::ptrdiff_t to) const {
        for (std::ptrdiff_t i = to; i >= from; --i) {
            if (matches(arc, *gold[static_cast<size_t>(i)])) return i;
        }
        return -1;
    }

    // Bellman and Ford's relaxation in the reference's order until nothing changes; of ways that cost the same, that which
    // it finds first is taken. The edits on it, from left to right.
    std::vector<int32_t> best_way() {
        std::vector<double> cost(lattice_.vertices.size(), std::numeric_limits<double>::infinity());
        std::vector<int32_t> reached_by(lattice_.vertices.size(), -1);
        cost[0] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (const int32_t arc : lattice_.order) {
                const LatticeArc& edge = at(arc);
                const double candidate = cost[static_cast<size_t>(edge.from)] + weight(arc);
                if (candidate < cost[static_cast<size_t>(edge.to)]) {
                    cost[static_cast<size_t>(edge.to)] = candidate;
                    reached_by[static_cast<size_t>(edge.to)] = arc;
                    changed = true;
                }
            }
        }
        std::vector<int32_t> edits;
        for (auto v = static_cast<int32_t>(cost.size()) - 1; reached_by[static_cast<size_t>(v)] >= 0;) {
            const int32_t arc = reached_by[static_cast<size_t>(v)];
            if (!at(arc).noop && !(options_.ignore_whitespace_casing && changes_only_form(arc))) edits.push_back(arc);
            v = at(arc).from;
        }
        std::reverse(edits.begin(), edits.end());
        return edits;
    }

    bool changes_only_form(int32_t arc) const {
        const auto plain = [](std::string_view text) {
            std::string joined(text);
            joined.erase(std::remove(joined.begin(), joined.end(), ' '), joined.end());
            return lowercase(joined);
        };
        return plain(source_.span(start(arc), end(arc))) == plain(correction(arc));
    }

    const M2Options& options_;
    JoinedTokens source_, hypothesis_;
    EditLattice lattice_;
    std::vector<int32_t> insertions_;  // as listed, by their vertices
    std::vector<double> weights_;      // of arcs
    double gold_weight_ = 0;
};

double cumulative_f(const M2Counts& counts, double squared_beta) {
    const double denominator = squared_beta * static_cast<double>(counts.gold) + static_cast<double>(counts.proposed);
    if (denominator == 0) return counts.correct == 0 ? 1 : 0;
    return (1 + squared_beta) * static_cast<double>(counts.correct) / denominator;
}

M2Counts sum(const M2Counts& a, const M2Counts& b) {
    return {a.correct + b.correct, a.proposed + b.proposed, a.gold + b.gold};
}

// The annotator with whom the evaluation so far continues best.
M2SentenceScore best_annotator(const std::map<int64_t, GoldEdits>& gold, SentenceMatcher& matcher, double squared_beta,
                               const M2Counts& so_far, std::vector<const GoldEdit*>& correct) {
    M2SentenceScore best;
    double best_f = -1;
    const auto size = [&](const M2Counts& counts) {
        const M2Counts all = sum(so_far, counts);
        return static_cast<double>(all.proposed) + squared_beta * static_cast<double>(all.gold);
    };
    for (const auto& [annotator, edits] : gold) {
        std::vector<const GoldEdit*> found;
        int64_t spans = 0;
        const M2Counts counts = matcher.counts(edits, found, spans);
        const double f = cumulative_f(sum(so_far, counts), squared_beta);
        const bool fewer = counts.correct == best.counts.correct && size(counts) < size(best.counts);
        if (f > best_f || (f == best_f && (counts.correct > best.counts.correct || fewer))) {
            best = {counts, annotator, spans};
            best_f = f;
            correct = std::move(found);
        }
    }
    return best;
}

}  // namespace

M2Scores m2_scores(const M2Counts& counts, double beta) {
    const auto share = [&](int64_t all) {
        return all == 0 ? 1.0 : static_cast<double>(counts.correct) / static_cast<double>(all);
    };
    const double precision = share(counts.proposed), recall = share(counts.gold);
    const double squared = beta * beta, denominator = squared * precision + recall;
    return {precision, recall, denominator == 0 ? 0 : (1 + squared) * precision * recall / denominator};
}

M2Evaluation score_m2(const SentenceFile& hypotheses, const M2File& gold, const M2Options& options) {
    const std::vector<std::string>& lines = hypotheses.sentences;
    check_line_count(hypotheses, gold.sentences.size(), "one per sentence of " + gold.name);
    if (lines.empty()) throw Error(gold.name, "at least one sentence", "none");
    const double squared_beta = options.beta * options.beta;
    M2Evaluation evaluation;
    for (size_t i = 0; i < lines.size(); ++i) {
        throw_if_stopped();
        const M2Sentence& sentence = gold.sentences[i];
        const std::string where = gold.name + ":" + std::to_string(sentence.line);
        const std::vector<std::string> source = sentence.tokens();
        const std::vector<std::string> hypothesis = whitespace_words(lines[i]);
        if (hypothesis.empty() && !source.empty()) ++evaluation.empty_hypotheses;
        SentenceMatcher matcher(source, hypothesis, options, where);
        const auto annotators = gold_by_annotator(sentence, static_cast<int64_t>(source.size()));
        std::vector<const GoldEdit*> correct;
        const M2SentenceScore best = best_annotator(annotators, matcher, squared_beta, evaluation.total, correct);
        for (const GoldEdit& edit : annotators.at(best.annotator)) ++evaluation.by_type[std::string(edit.type)].gold;
        for (const GoldEdit* edit : correct) ++evaluation.by_type[std::string(edit->type)].correct;
        evaluation.total = sum(evaluation.total, best.counts);
        evaluation.spans = sum(evaluation.spans, {best.spans, best.counts.proposed, best.counts.gold});
        evaluation.sentences.push_back(best);
    }
    return evaluation;
}

}  // namespace craft

#include "metrics/edits/alignment.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "core/error.h"
#include "metrics/edits/character_distance.h"
#include "text/code_points.h"

namespace craft {

namespace {

constexpr int64_t kFirstSlack = 32;  // most sentences fit into it whole
constexpr double kOtherLemma = 0.499, kOtherOpenClass = 0.25, kOtherPos = 0.5;

bool is_open_class(const std::string& pos) {
    return pos == "ADJ" || pos == "ADV" || pos == "NOUN" || pos == "VERB";
}

// What a comparison of two tokens needs, as numbers that are equal where the strings are.
struct TokenNumbers {
    int32_t text = 0, lower = 0, lemma = 0, pos = 0;
    bool open_class = false;
    std::u32string letters;
};

class Aligner {
public:
    Aligner(const AnnotatedTokens& source, const AnnotatedTokens& target, int64_t max_steps)
        : source_(numbered(source)), target_(numbered(target)), max_steps_(max_steps) {}

    // Only cells near the diagonal are filled, if the sentences are alike: a way that goes over the border costs an
    // insertion or a deletion for each diagonal that it crosses. The band is twice as wide as the cheapest way asks for, so
    // that also the cells beside it that a search for transpositions looks at have the cost that they have in the whole
    // table.
    std::vector<AlignedTokens> align() {
        const auto n = static_cast<int64_t>(source_.size()), m = static_cast<int64_t>(target_.size());
        for (int64_t slack = kFirstSlack;;) {
            lowest_ = std::max(std::min<int64_t>(0, m - n) - slack, -n);
            highest_ = std::min(std::max<int64_t>(0, m - n) + slack, m);
            width_ = highest_ - lowest_ + 1;
            row_ = std::min(width_, m + 1);
            if ((n + 1) * row_ > kMaxAlignmentCells) {
                throw Error("alignment",
                            "sentences that differ less, or are shorter: a table of at most " +
                                std::to_string(kMaxAlignmentCells) + " cells",
                            std::to_string(n) + " and " + std::to_string(m) + " tokens, which take " +
                                std::to_string((n + 1) * row_) + " or more",
                            "any two of 5,000 tokens fit; the longer they are, the fewer changes do");
            }
            fill();
            const double needed = 2 * cost(source_.size(), target_.size()) + 4;
            if (width_ == n + m + 1 || static_cast<double>(slack) >= needed) return cheapest_way();
            slack = std::max(2 * slack, static_cast<int64_t>(needed) + 1);
        }
    }

private:
    // Steps of the table: a transposition is kept as the number of its tokens, which is 2 at least.
    enum : int32_t { kMatch = 0, kSubstitute = -1, kInsert = -2, kRemove = -3 };

    std::vector<TokenNumbers> numbered(const AnnotatedTokens& tokens) {
        const auto number = [&](const std::string& text) {
            return numbers_.emplace(text, static_cast<int32_t>(numbers_.size())).first->second;
        };
        std::vector<TokenNumbers> result;
        for (const AnnotatedToken& token : tokens) {
            result.push_back({number(token.text), number(token.lower), number(token.lemma), number(token.pos),
                              is_open_class(token.pos), decode_utf8(token.text)});
        }
        return result;
    }

    bool in_band(size_t i, size_t j) const {
        const int64_t diagonal = static_cast<int64_t>(j) - static_cast<int64_t>(i);
        return diagonal >= lowest_ && diagonal <= highest_;
    }
    // Rows begin where the band does, but none before the first token or so late that it would end after the last one.
    size_t place(size_t i, size_t j) const {
        const auto row = static_cast<int64_t>(i), most = static_cast<int64_t>(target_.size()) + 1 - row_;
        const int64_t start = std::clamp<int64_t>(row + lowest_, 0, most);
        return static_cast<size_t>(row * row_ + static_cast<int64_t>(j) - start);
    }
    double& cost(size_t i, size_t j) { return cost_[place(i, j)]; }
    int32_t& step(size_t i, size_t j) { return step_[place(i, j)]; }

    void fill() {
        const size_t cells = (source_.size() + 1) * static_cast<size_t>(row_);
        cost_.assign(cells, 0);
        step_.assign(cells, kMatch);
        last_in_source_.assign(numbers_.size(), -1);
        for (size_t i = 1; i <= source_.size() && in_band(i, 0); ++i) {
            cost(i, 0) = static_cast<double>(i);
            step(i, 0) = kRemove;
        }
        for (size_t j = 1; j <= target_.size() && in_band(0, j); ++j) {
            cost(0, j) = static_cast<double>(j);
            step(0, j) = kInsert;
        }
        for (size_t i = 0; i < source_.size(); ++i) {
            last_in_source_[static_cast<size_t>(source_[i].lower)] = static_cast<int64_t>(i);
            const auto row = static_cast<int64_t>(i);
            const auto end = std::min(static_cast<int64_t>(target_.size()), row + highest_ + 1);
            int64_t last_in_target = -1;  // of this source token
            for (int64_t j = std::max<int64_t>(0, row + lowest_); j < end; ++j) {
                if (source_[i].lower == target_[static_cast<size_t>(j)].lower) last_in_target = j;
                fill_cell(i, static_cast<size_t>(j), last_in_target);
            }
        }
    }

    // The cell after source token i and target token j.
    void fill_cell(size_t i, size_t j, int64_t last_in_target) {
        if (source_[i].text == target_[j].text) {
            cost(i + 1, j + 1) = cost(i, j);
            return;
        }
        double best = cost(i, j) + substitution_cost(source_[i], target_[j]);
        int32_t how = kSubstitute;
        // Tokens in another order can only be where each of these two stands on the other side, too.
        if (last_in_target >= 0 && last_in_source_[static_cast<size_t>(target_[j].lower)] >= 0) {
            const int32_t tokens = transposed_tokens(i, j);
            if (tokens > 0) {
                const auto back = static_cast<size_t>(tokens - 1);
                const double transposed = cost(i - back, j - back) + static_cast<double>(back);
                if (transposed <= best) {
                    best = transposed;
                    how = tokens;
                }
            }
        }
        constexpr double kNever = std::numeric_limits<double>::infinity();
        const double inserted = in_band(i + 1, j) ? cost(i + 1, j) + 1 : kNever;
        const double removed = in_band(i, j + 1) ? cost(i, j + 1) + 1 : kNever;
        if (inserted < best) {
            best = inserted;
            how = kInsert;
        }
        if (removed < best) {
            best = removed;
            how = kRemove;
        }
        cost(i + 1, j + 1) = best;
        step(i + 1, j + 1) = how;
    }

    static double substitution_cost(const TokenNumbers& a, const TokenNumbers& b) {
        if (a.lower == b.lower) return 0;
        const double lemma = a.lemma == b.lemma ? 0 : kOtherLemma;
        const double pos = a.pos == b.pos ? 0 : a.open_class && b.open_class ? kOtherOpenClass : kOtherPos;
        return lemma + pos + normalized_indel_distance(a.letters, b.letters);
    }

    // How many tokens up to i and j are the same in another order; 0 if none are. The search goes back along the diagonal to
    // the next step that costs nothing.
    int32_t transposed_tokens(size_t i, size_t j) {
        difference_.clear();
        size_t unequal = 0;  // numbers with a count other than 0
        const auto add = [&](int32_t number, int change) {
            int& count = difference_[number];
            if (count == 0) ++unequal;
            count += change;
            if (count == 0) --unequal;
        };
        add(source_[i].lower, 1);
        add(target_[j].lower, -1);
        for (size_t k = 1; k <= i && k <= j && cost(i - k + 1, j - k + 1) != cost(i - k, j - k); ++k) {
            if (++taken_ > max_steps_) {
                throw Error("alignment", "sentences with fewer words in another order",
                            std::to_string(source_.size()) + " and " + std::to_string(target_.size()) + " tokens",
                            "they would be compared more than " + std::to_string(max_steps_) + " times");
            }
            add(source_[i - k].lower, 1);
            add(target_[j - k].lower, -1);
            if (unequal == 0) return static_cast<int32_t>(k + 1);
        }
        return 0;
    }

    std::vector<AlignedTokens> cheapest_way() {
        std::vector<AlignedTokens> way;
        auto i = static_cast<int64_t>(source_.size()), j = static_cast<int64_t>(target_.size());
        while (i + j > 0) {
            const int32_t how = step(static_cast<size_t>(i), static_cast<size_t>(j));
            const int64_t from_source = how == kInsert ? 0 : how > 0 ? how : 1;
            const int64_t from_target = how == kRemove ? 0 : how > 0 ? how : 1;
            const AlignmentStep kind = how == kMatch        ? AlignmentStep::match
                                       : how == kSubstitute ? AlignmentStep::substitute
                                       : how == kInsert     ? AlignmentStep::insert
                                       : how == kRemove     ? AlignmentStep::remove
                                                            : AlignmentStep::transpose;
            way.push_back({kind, i - from_source, i, j - from_target, j});
            i -= from_source;
            j -= from_target;
        }
        std::reverse(way.begin(), way.end());
        return way;
    }

    std::unordered_map<std::string_view, int32_t> numbers_;
    std::vector<TokenNumbers> source_, target_;
    int64_t lowest_ = 0, highest_ = 0, width_ = 1;  // of the band: target less source tokens of its cells
    int64_t row_ = 1;                               // cells of a row that are kept: no row has more of the band
    std::vector<double> cost_;
    std::vector<int32_t> step_;
    std::vector<int64_t> last_in_source_;  // by number of a lower-cased text, as far as rows are filled
    std::unordered_map<int32_t, int> difference_;
    int64_t max_steps_, taken_ = 0;
};

}  // namespace

std::vector<AlignedTokens> align_tokens(const AnnotatedTokens& source, const AnnotatedTokens& target, int64_t max_steps) {
    return Aligner(source, target, max_steps).align();
}

}  // namespace craft

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
    Aligner(const AnnotatedTokens& source, const AnnotatedTokens& target)
        : columns_(target.size() + 1),
          source_(numbered(source)),
          target_(numbered(target)),
          cost_((source.size() + 1) * columns_),
          step_(cost_.size(), 0),
          last_in_source_(numbers_.size(), -1) {}

    std::vector<AlignedTokens> align() {
        fill_edges();
        for (size_t i = 0; i < source_.size(); ++i) {
            last_in_source_[static_cast<size_t>(source_[i].lower)] = static_cast<int64_t>(i);
            int64_t last_in_target = -1;  // of this source token
            for (size_t j = 0; j < target_.size(); ++j) {
                if (source_[i].lower == target_[j].lower) last_in_target = static_cast<int64_t>(j);
                fill_cell(i, j, last_in_target);
            }
        }
        return cheapest_way();
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

    double& cost(size_t i, size_t j) { return cost_[i * columns_ + j]; }
    int32_t& step(size_t i, size_t j) { return step_[i * columns_ + j]; }

    void fill_edges() {
        for (size_t i = 1; i <= source_.size(); ++i) {
            cost(i, 0) = static_cast<double>(i);
            step(i, 0) = kRemove;
        }
        for (size_t j = 1; j <= target_.size(); ++j) {
            cost(0, j) = static_cast<double>(j);
            step(0, j) = kInsert;
        }
    }

    // The cell behind source token i and target token j.
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
        const double inserted = cost(i + 1, j) + 1, removed = cost(i, j + 1) + 1;
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
    size_t columns_;
    std::vector<TokenNumbers> source_, target_;
    std::vector<double> cost_;
    std::vector<int32_t> step_;
    std::vector<int64_t> last_in_source_;  // by number of a lower-cased text, as far as rows are filled
    std::unordered_map<int32_t, int> difference_;
};

}  // namespace

std::vector<AlignedTokens> align_tokens(const AnnotatedTokens& source, const AnnotatedTokens& target) {
    const auto cells = static_cast<int64_t>((source.size() + 1) * (target.size() + 1));
    if (cells > kMaxAlignmentCells) {
        throw Error("alignment", "sentences whose lengths multiply to " + std::to_string(kMaxAlignmentCells) + " at most",
                    std::to_string(source.size()) + " and " + std::to_string(target.size()) + " tokens");
    }
    return Aligner(source, target).align();
}

}  // namespace craft

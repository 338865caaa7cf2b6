#include "model/generate/device_sampler.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

#include "model/kernels/cpu_kernels.h"

namespace craft {

namespace {

constexpr int64_t kFirstCandidates = 256, kGrowth = 8;  // of a nucleus: rarely more are in it
constexpr int64_t kBlock = 256;                         // tokens of which a plain draw first sees the sum

// exp((logit - highest) / temperature) of each logit.
at::Tensor weights_of(const at::Tensor& logits, const at::Tensor& highest, double temperature) {
    return logits.sub(highest).mul_(1 / temperature).exp_();
}
std::vector<float> weights_of(std::span<const double> logits, double highest, double temperature) {
    std::vector<float> weights(logits.begin(), logits.end());
    cpu_kernels().exponentials(weights.data(), static_cast<int64_t>(weights.size()), static_cast<float>(highest),
                               static_cast<float>(1 / temperature));
    return weights;
}

// Columns of numbers of each row, which come to the CPU in one copy: in float64, which holds ids and float32 numbers
// exactly.
class Columns {
public:
    explicit Columns(const std::vector<at::Tensor>& parts) {  // each [rows, columns]
        std::vector<at::Tensor> wide;
        for (const at::Tensor& part : parts) {
            begins_.push_back(begins_.back() + part.size(1));
            wide.push_back(part.to(at::kDouble));
        }
        values_ = at::cat(wide, 1).cpu();
    }
    std::span<const double> of(int64_t row, size_t part) const {
        return {values_.const_data_ptr<double>() + row * begins_.back() + begins_[part],
                static_cast<size_t>(begins_[part + 1] - begins_[part])};
    }

private:
    std::vector<int64_t> begins_{0};
    at::Tensor values_;
};

// What is known of the rows' distributions without choosing.
struct Rows {
    at::Tensor logits, highest,
        best;         // [rows, vocab]; [rows, 1]: the largest logit, NaN if one is NaN; where it first stands
    at::Tensor mass;  // [rows, 1] float64: sum of exp(logit - highest); no columns if nobody asks for it

    Rows(const at::Tensor& given, bool logprobs) : logits(given) {
        std::tie(highest, best) = logits.max(1, /*keepdim=*/true);
        mass = logprobs ? weights_of(logits, highest, 1).sum(1, /*keepdim=*/true, at::kDouble) : nothing();
    }
    at::Tensor nothing() const { return at::empty({count(), 0}, logits.options()); }
    int64_t count() const { return logits.size(0); }
    int64_t vocabulary() const { return logits.size(1); }
};

double checked(double highest) {
    if (!std::isfinite(highest)) throw_not_finite(highest);
    return highest;
}

Choice choice_of(int64_t token, double logit, double highest, std::span<const double> mass) {
    return {token, mass.empty() ? 0 : logit - highest - std::log(mass[0])};
}

// f(row) for every row, on several threads.
template <class F>
void for_rows(const Rows& rows, const F& f) {
    at::parallel_for(0, rows.count(), 4, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) f(row);
    });
}

std::vector<Choice> choose_best(const Rows& rows) {
    const Columns columns({rows.highest, rows.best, rows.mass});
    std::vector<Choice> choices;
    for (int64_t row = 0; row < rows.count(); ++row) {
        const double highest = checked(columns.of(row, 0)[0]);
        choices.push_back(choice_of(static_cast<int64_t>(columns.of(row, 1)[0]), highest, highest, columns.of(row, 2)));
    }
    return choices;
}

// A row's largest logits, by falling logit, and their ids; `total` of its weights, where no top-k cuts them off.
struct Largest {
    std::span<const double> logits, ids, total;
    double highest = 0;
    bool are_all = false;  // of the vocabulary
};

// Draws from the `top_k` (0: all) largest logits and their nucleus; false if some of these may be missing: of logits that
// are equal to the last one here, others may not have come.
bool draw_from(const Largest& row, const Sampling& sampling, size_t top_k, double draw, int64_t& token) {
    const double least = top_k > 0 ? row.logits[top_k - 1] : -std::numeric_limits<double>::infinity();
    if (!row.are_all && row.logits.back() == least) return false;
    std::vector<double> logits;
    for (const double logit : row.logits)
        if (logit >= least && (row.are_all || logit > row.logits.back())) logits.push_back(logit);
    const std::vector<float> weights = weights_of(logits, row.highest, sampling.temperature);
    std::vector<TokenCandidate> candidates;
    double sum = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] <= 0) continue;
        candidates.push_back({static_cast<int64_t>(row.ids[i]), weights[i]});
        sum += weights[i];
    }
    double mass = std::numeric_limits<double>::infinity();
    if (sampling.top_p < 1) mass = sampling.top_p * (row.total.empty() || row.are_all ? sum : row.total[0]);
    if (sampling.top_p < 1 && sum < mass) return false;
    token = draw_candidate(std::move(candidates), mass, draw);
    return true;
}

// With top-k or top-p: only the largest logits come to the CPU, more of them until what is drawn from is among them.
std::vector<Choice> choose_among_largest(const Rows& rows, const Sampling& sampling, size_t top_k,
                                         const std::vector<double>& draws) {
    const at::Tensor total =
        top_k > 0 ? rows.nothing()
                  : weights_of(rows.logits, rows.highest, sampling.temperature).sum(1, /*keepdim=*/true, at::kDouble);
    int64_t count = top_k > 0 ? static_cast<int64_t>(top_k) + 1 : kFirstCandidates;
    for (;; count *= kGrowth) {
        count = std::min(count, rows.vocabulary());
        const auto [largest, ids] = rows.logits.topk(count, 1);
        const Columns columns({largest, ids, total, rows.highest, rows.mass});
        std::vector<Choice> choices(draws.size());
        std::vector<uint8_t> is_drawn(draws.size());
        for_rows(rows, [&](int64_t row) {
            const auto at = static_cast<size_t>(row);
            const Largest own{columns.of(row, 0), columns.of(row, 1), columns.of(row, 2), checked(columns.of(row, 3)[0]),
                              count == rows.vocabulary()};
            int64_t token = 0;
            if (!draw_from(own, sampling, top_k, draws[at], token)) return;
            const auto place = std::find(own.ids.begin(), own.ids.end(), static_cast<double>(token)) - own.ids.begin();
            choices[at] = choice_of(token, own.logits[static_cast<size_t>(place)], own.highest, columns.of(row, 4));
            is_drawn[at] = 1;
        });
        if (std::all_of(is_drawn.begin(), is_drawn.end(), [](uint8_t is) { return is != 0; })) return choices;
    }
}

// Of the whole vocabulary: sums of blocks come to the CPU, then of each row the block in which the draw falls.
std::vector<Choice> choose_among_all(const Rows& rows, double temperature, const std::vector<double>& draws) {
    const int64_t blocks = (rows.vocabulary() + kBlock - 1) / kBlock, missing = blocks * kBlock - rows.vocabulary();
    const at::Tensor logits = at::constant_pad_nd(rows.logits, {0, missing}, -std::numeric_limits<double>::infinity())
                                  .view({rows.count(), blocks, kBlock});
    const at::Tensor sums = weights_of(logits, rows.highest.unsqueeze(1), temperature).sum(2, false, at::kDouble);
    const Columns columns({rows.highest, rows.mass, sums});
    std::vector<double> left;
    std::vector<int64_t> chosen;
    for (int64_t row = 0; row < rows.count(); ++row) {
        checked(columns.of(row, 0)[0]);
        const std::span<const double> parts = columns.of(row, 2);
        left.push_back(draws[static_cast<size_t>(row)] * std::accumulate(parts.begin(), parts.end(), 0.0));
        chosen.push_back(static_cast<int64_t>(index_passing(parts, left.back())));
    }
    const at::Tensor index = at::tensor(chosen, at::kLong).to(logits.device()).view({-1, 1, 1});
    const Columns fetched({logits.gather(1, index.expand({-1, 1, kBlock})).squeeze(1)});
    std::vector<Choice> choices(draws.size());
    for_rows(rows, [&](int64_t row) {
        const auto at = static_cast<size_t>(row);
        const std::span<const double> block = fetched.of(row, 0);
        const double highest = columns.of(row, 0)[0];
        const size_t place = index_passing(weights_of(block, highest, temperature), left[at]);
        choices[at] =
            choice_of(chosen[at] * kBlock + static_cast<int64_t>(place), block[place], highest, columns.of(row, 1));
    });
    return choices;
}

// With filters that are rare: the rows as a whole come to the CPU.
std::vector<Choice> choose_on_the_cpu(const at::Tensor& logits, const Sampling& sampling, const std::vector<double>& draws,
                                      bool logprobs) {
    const at::Tensor rows = logits.to(at::kCPU, at::kFloat).contiguous();
    const float* const values = rows.const_data_ptr<float>();
    const int64_t vocabulary = rows.size(1);
    std::vector<Choice> choices(draws.size());
    at::parallel_for(0, rows.size(0), 4, [&](int64_t begin, int64_t end) {
        std::vector<float> scratch;
        for (int64_t row = begin; row < end; ++row) {
            const float* const own = values + row * vocabulary;
            Choice& choice = choices[static_cast<size_t>(row)];
            choice.token = sample_token(own, vocabulary, sampling, draws[static_cast<size_t>(row)], scratch);
            if (logprobs) choice.logprob = token_logprob(own, vocabulary, choice.token, scratch);
        }
    });
    return choices;
}

}  // namespace

std::vector<Choice> choose_tokens(const at::Tensor& logits, const Sampling& sampling, const std::vector<double>& draws,
                                  bool logprobs) {
    const at::NoGradGuard no_gradients;
    if (sampling.temperature > 0 && sampling.has_further_filters())
        return choose_on_the_cpu(logits, sampling, draws, logprobs);
    const Rows rows(logits, logprobs);
    if (sampling.temperature == 0) return choose_best(rows);
    const bool cuts = sampling.top_k > 0 && sampling.top_k < rows.vocabulary();
    if (!cuts && sampling.top_p == 1) return choose_among_all(rows, sampling.temperature, draws);
    return choose_among_largest(rows, sampling, cuts ? static_cast<size_t>(sampling.top_k) : 0, draws);
}

}  // namespace craft

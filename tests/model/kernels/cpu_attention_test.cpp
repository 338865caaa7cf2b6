// Attention of the CPU's kernels over pages, shared and own, in float32 and in bfloat16.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "model/kernels/bfloat16_pages.h"
#include "model/kernels/bfloat16_products.h"
#include "tests/model/kernels/cpu_kernel_sets.h"

namespace craft {
namespace {

using test::noise;

class CpuAttention : public testing::TestWithParam<const CpuKernels*> {};

// Sequences in pages: `lengths` positions each, of which the first `shared` pages are those of all.
struct PagedSequences {
    int64_t dim, block;
    std::vector<std::vector<float>> keys, values;  // [position][dim] of each sequence
    std::vector<std::vector<float>> pages;
    std::vector<std::vector<Page>> tables;  // of each sequence

    PagedSequences(Rng& rng, int64_t head_dim, const std::vector<int64_t>& lengths, int64_t shared)
        : dim(head_dim), block(7), keys(lengths.size()), values(lengths.size()), tables(lengths.size()) {
        const int64_t width = padded(dim);
        std::vector<float*> places;
        for (size_t s = 0; s < lengths.size(); ++s) {
            for (int64_t t = 0; t < lengths[s]; ++t) {
                const bool is_shared = s > 0 && t < 16 * shared;
                const auto from = [&](const std::vector<std::vector<float>>& rows) {
                    return std::vector<float>(rows[0].begin() + t * dim, rows[0].begin() + (t + 1) * dim);
                };
                const auto key = is_shared ? from(keys) : noise(rng, dim),
                           value = is_shared ? from(values) : noise(rng, dim);
                keys[s].insert(keys[s].end(), key.begin(), key.end());
                values[s].insert(values[s].end(), value.begin(), value.end());
                if (t % 16 == 0) {
                    if (is_shared) {
                        tables[s].push_back(tables[0][static_cast<size_t>(t / 16)]);
                        continue;
                    }
                    // What lies beyond must not matter.
                    pages.emplace_back(static_cast<size_t>(block + 16 * (dim + width)), NAN);
                    places.push_back(pages.back().data());
                    tables[s].push_back(places.back());
                }
                if (is_shared) continue;
                float* const at = places.back() + block;
                for (int64_t d = 0; d < dim; ++d) at[d * 16 + t % 16] = key[static_cast<size_t>(d)];
                for (int64_t d = 0; d < width; ++d)
                    at[16 * dim + t % 16 * width + d] = d < dim ? value[static_cast<size_t>(d)] : 0;
            }
        }
    }

    // What a query sees of the first `length` positions of a sequence.
    std::vector<double> attended(const float* query, size_t s, int64_t length) const {
        std::vector<double> out(static_cast<size_t>(dim));
        double total = 0;
        for (int64_t t = 0; t < length; ++t) {
            double score = 0;
            for (int64_t d = 0; d < dim; ++d) score += double(query[d]) * keys[s][static_cast<size_t>(t * dim + d)];
            const double weight = std::exp(score / std::sqrt(double(dim)));
            total += weight;
            for (int64_t d = 0; d < dim; ++d)
                out[static_cast<size_t>(d)] += weight * values[s][static_cast<size_t>(t * dim + d)];
        }
        for (double& value : out) value /= total;
        return out;
    }
};

TEST_P(CpuAttention, AttentionOverSharedAndOwnPages) {
    Rng rng(3, "attention");
    for (const int64_t dim : {8, 64, 20}) {
        for (const auto& [rows, group] :
             std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {4, 3}, {1, 7}, {12, 1}, {1, 12}}) {
            std::vector<int64_t> lengths;
            for (int64_t r = 0; r < rows; ++r) lengths.push_back(33 + 16 * r - r % 5);
            const PagedSequences sequences(rng, dim, lengths, 2);
            const auto queries = noise(rng, rows * group * dim);
            std::vector<float> out(queries.size()), scratch;
            AttentionTask task;
            task.pages = sequences.tables[0].data();
            task.page_count = 2;
            task.block = sequences.block;
            task.group = group;
            task.head_dim = dim;
            for (int64_t r = 0; r < rows; ++r)
                task.rows.push_back({queries.data() + r * group * dim, out.data() + r * group * dim,
                                     sequences.tables[static_cast<size_t>(r)].data() + 2, lengths[static_cast<size_t>(r)]});
            GetParam()->attend(task, scratch);
            for (int64_t q = 0; q < rows * group; ++q) {
                const auto r = static_cast<size_t>(q / group);
                const auto expected = sequences.attended(queries.data() + q * dim, r, lengths[r]);
                for (int64_t d = 0; d < dim; ++d)
                    ASSERT_NEAR(out[static_cast<size_t>(q * dim + d)], expected[static_cast<size_t>(d)], 2e-5)
                        << dim << " " << q;
            }
        }
    }
}

// The pages of `sequences` in bfloat16; what lies after the last position, but for the other value of its pair, is NaN.
struct NarrowPages {
    std::vector<std::vector<float>> held;
    std::vector<std::vector<Page>> tables;

    NarrowPages(const PagedSequences& wide, int64_t block, int64_t shared) : tables(wide.keys.size()) {
        const int64_t dim = wide.dim;
        for (size_t s = 0; s < tables.size(); ++s) {
            const int64_t length = std::ssize(wide.keys[s]) / dim;
            for (int64_t first = 0; first < length; first += 16) {
                if (s > 0 && first < 16 * shared) {
                    tables[s].push_back(tables[0][static_cast<size_t>(first / 16)]);
                    continue;
                }
                held.emplace_back(static_cast<size_t>(block + 16 * dim), NAN);
                auto *const keys = reinterpret_cast<uint16_t*>(held.back().data() + block), *const values = keys + 16 * dim;
                for (int64_t place = 0; place < std::min<int64_t>(16, length - first); ++place)
                    for (int64_t d = 0; d < dim; ++d) {
                        const auto at = static_cast<size_t>((first + place) * dim + d);
                        uint16_t* const pair = values + ((d / 16 * 8 + place / 2) * 16 + d % 16) * 2;
                        round_bfloat16(&wide.keys[s][at], 1, keys + (d / 2 * 16 + place) * 2 + d % 2);
                        round_bfloat16(&wide.values[s][at], 1, pair + place % 2);
                        if (place % 2 == 0) pair[1] = 0;
                    }
                tables[s].push_back(held.back().data());
            }
        }
    }
};

// Beside float64 on what is not rounded: keys, values, queries and weights lose 2^-9 each at most. A row alone has the same
// bits as in a task with others.
TEST(CpuAttentionPages, AttentionOverBfloat16Pages) {
    if (!has_bfloat16_products()) GTEST_SKIP() << "no bfloat16 products of ours here";
    Rng rng(3, "narrow attention");
    for (const int64_t dim : {16, 64, 80})
        for (const auto& [rows, group] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {4, 3}, {1, 7}, {12, 1}, {3, 2}}) {
            std::vector<int64_t> lengths;
            for (int64_t r = 0; r < rows; ++r) lengths.push_back(33 + 16 * r - r % 5);
            const PagedSequences sequences(rng, dim, lengths, 2);
            const NarrowPages pages(sequences, 48, 2);
            const auto queries = noise(rng, rows * group * dim);
            std::vector<float> out(queries.size()), one(static_cast<size_t>(group * dim)), scratch;
            AttentionTask task;
            task.pages = pages.tables[0].data();
            task.page_count = 2;
            task.block = 48;
            task.group = group;
            task.head_dim = dim;
            for (int64_t r = 0; r < rows; ++r)
                task.rows.push_back({queries.data() + r * group * dim, out.data() + r * group * dim,
                                     pages.tables[static_cast<size_t>(r)].data() + 2, lengths[static_cast<size_t>(r)]});
            attend_bfloat16(task, scratch);
            for (int64_t r = 0; r < rows; ++r) {
                for (int64_t q = r * group; q < (r + 1) * group; ++q) {
                    const auto expected = sequences.attended(queries.data() + q * dim, static_cast<size_t>(r),
                                                             lengths[static_cast<size_t>(r)]);
                    for (int64_t d = 0; d < dim; ++d)
                        ASSERT_NEAR(out[static_cast<size_t>(q * dim + d)], expected[static_cast<size_t>(d)], 0.03)
                            << dim << " " << q;
                }
                AttentionTask alone = task;
                alone.page_count = 0;
                alone.rows = {{queries.data() + r * group * dim, one.data(), pages.tables[static_cast<size_t>(r)].data(),
                               lengths[static_cast<size_t>(r)]}};
                attend_bfloat16(alone, scratch);
                ASSERT_EQ(std::memcmp(one.data(), out.data() + r * group * dim, one.size() * sizeof(float)), 0)
                    << dim << " " << r;
            }
        }
}

// Queries of one sequence, each up to its own position, in one task and one by one: the same bits.
TEST_P(CpuAttention, AttentionOfNeighboursIsThatOfEachAlone) {
    Rng rng(4, "causal");
    for (const int64_t dim : {16, 64, 20}) {
        const PagedSequences sequences(rng, dim, {70}, 0);
        const int64_t group = 2;
        for (const int64_t begin : {0, 13, 30, 64}) {
            const auto queries = noise(rng, 6 * group * dim);
            std::vector<float> out(queries.size()), one(static_cast<size_t>(group * dim)), scratch;
            AttentionTask task;
            task.block = sequences.block;
            task.group = group;
            task.head_dim = dim;
            task.pages = sequences.tables[0].data();
            task.page_count = (begin + 6 + 15) / 16;
            for (int64_t r = 0; r < 6; ++r)
                task.rows.push_back(
                    {queries.data() + r * group * dim, out.data() + r * group * dim, nullptr, begin + r + 1});
            GetParam()->attend(task, scratch);
            for (int64_t r = 0; r < 6; ++r) {
                const auto expected = sequences.attended(queries.data() + r * group * dim, 0, begin + r + 1);
                for (int64_t d = 0; d < dim; ++d)
                    ASSERT_NEAR(out[static_cast<size_t>(r * group * dim + d)], expected[static_cast<size_t>(d)], 2e-5);
                task.page_count = (begin + r) / 16;  // the last page is its own
                task.rows = {{queries.data() + r * group * dim, one.data(), sequences.tables[0].data() + task.page_count,
                              begin + r + 1}};
                GetParam()->attend(task, scratch);
                ASSERT_EQ(std::memcmp(one.data(), out.data() + r * group * dim, one.size() * sizeof(float)), 0)
                    << dim << " " << begin << " " << r;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, CpuAttention, testing::ValuesIn(usable_cpu_kernels()), test::kernels_name);

}  // namespace
}  // namespace craft

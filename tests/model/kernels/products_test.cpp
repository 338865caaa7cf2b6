#include "model/kernels/products.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <cmath>

#include "model/kernels/bfloat16_products.h"
#include "model/kernels/cpu_kernels.h"

namespace craft {
namespace {

at::Tensor noise(std::vector<int64_t> shape, uint64_t seed, at::ScalarType dtype) {
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::kDouble).to(dtype);
}

struct Shape {
    int64_t rows, inner, columns;
};

// Sizes on both sides of the kernels' blocks (12 rows, 16 and 32 columns) and of the blocking (128 columns, 512 inner).
const Shape kShapes[] = {{1, 2, 1},      {5, 16, 16},   {13, 48, 31},   {12, 512, 128}, {29, 514, 130},
                         {200, 1030, 7}, {7, 1400, 48}, {16, 300, 512}, {300, 16, 90}};

// Each operand as it is, as the transpose of its transpose, and as columns of a wider tensor.
std::vector<at::Tensor> layouts(const at::Tensor& x) {
    at::Tensor wide = at::zeros({x.size(0), x.size(1) + 6}, x.options());
    wide.narrow(1, 2, x.size(1)).copy_(x);
    at::Tensor apart = at::zeros({x.size(0), 2 * x.size(1)}, x.options());
    apart.slice(1, 0, 2 * x.size(1), 2).copy_(x);
    return {x, x.t().contiguous().t(), wide.narrow(1, 2, x.size(1)), apart.slice(1, 0, 2 * x.size(1), 2)};
}

class Products : public testing::TestWithParam<at::ScalarType> {};

// Float32: n products of order 1 round to within a few 2^-24 sqrt(n) of each other. Bfloat16 inputs multiply exactly into
// float32; the result is rounded once, by 2^-9 of its size.
double tolerance(at::ScalarType dtype, const at::Tensor& expected) {
    return dtype == at::kFloat ? 1e-4 : expected.abs().max().item<double>() / 256 + 1e-4;
}

TEST_P(Products, AreThoseOfFloat64InEveryLayout) {
    for (const auto& [rows, inner, columns] : kShapes) {
        const at::Tensor a = noise({rows, inner}, 1, GetParam()), b = noise({inner, columns}, 2, GetParam());
        const at::Tensor expected = at::mm(a.to(at::kDouble), b.to(at::kDouble));
        for (const at::Tensor& left : layouts(a))
            for (const at::Tensor& right : layouts(b)) {
                const at::Tensor c = product(left, right);
                ASSERT_EQ(c.sizes(), expected.sizes());
                EXPECT_EQ(c.scalar_type(), GetParam());
                EXPECT_LT((c.to(at::kDouble) - expected).abs().max().item<double>(), tolerance(GetParam(), expected))
                    << rows << " " << inner << " " << columns;
            }
    }
}

TEST_P(Products, AreAddedToColumnsOfAWiderTensor) {
    const at::Tensor a = noise({29, 514}, 3, GetParam()), b = noise({514, 50}, 4, GetParam()),
                     held = noise({29, 80}, 5, GetParam());
    const at::Tensor to = held.clone();
    add_product(to.narrow(1, 20, 50), a, b);
    const at::Tensor expected = held.to(at::kDouble);
    expected.narrow(1, 20, 50).add_(at::mm(a.to(at::kDouble), b.to(at::kDouble)));
    EXPECT_LT((to.to(at::kDouble) - expected).abs().max().item<double>(), tolerance(GetParam(), expected));
    EXPECT_TRUE(at::equal(to.narrow(1, 0, 20), held.narrow(1, 0, 20)));
    EXPECT_TRUE(at::equal(to.narrow(1, 70, 10), held.narrow(1, 70, 10)));
}

// Our kernels' promise, not LibTorch's.
TEST(ProductsOfOurs, ARowsBitsDependNeitherOnItsNeighboursNorOnThreads) {
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
        const at::Tensor a = noise({250, 640}, 6, dtype), b = noise({640, 40}, 7, dtype);
        if (dtype == at::kBFloat16 && !product_is_ours(a, b)) continue;
        const at::Tensor all = product(a, b);
        const int threads = at::get_num_threads();
        at::set_num_threads(threads == 1 ? 2 : 1);
        const at::Tensor again = product(a, b);
        at::set_num_threads(threads);
        EXPECT_TRUE(at::equal(all, again));
        for (const int64_t row : {0, 7, 249}) EXPECT_TRUE(at::equal(product(a.narrow(0, row, 1), b)[0], all[row])) << row;
    }
}

TEST(ProductsOfOurs, AreCutEvenly) {
    for (const int64_t threads : {1, 2, 3, 16})
        for (const auto& [rows, columns] :
             {std::pair<int64_t, int64_t>{3000, 576}, {3000, 3072}, {16, 576}, {1, 1}, {4096, 33}}) {
            const BlockGrid grid = even_grid(rows, columns, 128, 24, threads);
            ASSERT_LE(grid.width, 128);
            ASSERT_EQ(grid.row_blocks, (rows + grid.height - 1) / grid.height);
            ASSERT_EQ(grid.column_blocks, (columns + grid.width - 1) / grid.width);
            const int64_t blocks = grid.row_blocks * grid.column_blocks, of_one = (blocks + threads - 1) / threads;
            // The busiest thread has at most a fifth more than its share of a large product.
            const int64_t most = std::max<int64_t>(rows * columns * 6 / 5, 500'000);
            EXPECT_LE(of_one * grid.width * grid.height * threads, most) << columns << " " << threads;
        }
}

TEST(ProductsOfOurs, Bfloat16OfPairedRowsAndPartOfThePanels) {
    if (!has_bfloat16_products()) GTEST_SKIP() << "no bfloat16 products of ours here";
    const int64_t rows = 21, inner = 10, all = 15, columns = 37;
    const at::Tensor a = noise({all, rows}, 1, at::kBFloat16), b = noise({all, columns}, 2, at::kBFloat16);
    const auto bits = [](const at::Tensor& x) {
        return reinterpret_cast<const uint16_t*>(x.const_data_ptr<at::BFloat16>());
    };
    std::vector<uint16_t> paired(16 * rows), panels(16 * 48);
    pair_rows(bits(a), rows, all, rows, paired.data());
    pack_bfloat16(bits(b), columns, false, all, columns, panels.data());
    const auto product = [&](int64_t first, int64_t count) {
        at::Tensor c = at::ones({rows, columns}, at::kFloat);
        multiply_bfloat16({.a = paired.data() + first * rows,
                           .a_stride = rows,
                           .a_paired = true,
                           .panels = panels.data() + first * kLanes,
                           .rows = rows,
                           .inner = count,
                           .columns = columns,
                           .panel_inner = all,
                           .c = c.data_ptr<float>(),
                           .c_stride = columns,
                           .c_is_float = true,
                           .add = true});
        const int64_t held = std::min(count, all - first);
        const at::Tensor expected =
            1 + at::mm(a.to(at::kDouble).narrow(0, first, held).t(), b.to(at::kDouble).narrow(0, first, held));
        EXPECT_LT((c.to(at::kDouble) - expected).abs().max().item<double>(), 1e-5) << first;
    };
    product(0, inner);
    product(4, inner);
    product(4, 12);  // to the end, whose odd row stands beside zeros
}

TEST_P(Products, OfNothing) {
    const auto options = at::TensorOptions(GetParam());
    EXPECT_EQ(product(at::zeros({0, 4}, options), at::zeros({4, 3}, options)).sizes(), at::IntArrayRef({0, 3}));
    EXPECT_TRUE(at::equal(product(at::zeros({2, 0}, options), at::zeros({0, 3}, options)), at::zeros({2, 3}, options)));
}

INSTANTIATE_TEST_SUITE_P(Types, Products, testing::Values(at::kFloat, at::kBFloat16, at::kDouble),
                         [](const auto& given) { return std::string(c10::toString(given.param)); });

// Every instruction set, factors of rows included.
class ProductKernels : public testing::TestWithParam<const CpuKernels*> {};

TEST_P(ProductKernels, MultiplyWithFactorsAndAdd) {
    const int64_t rows = 31, inner = 37, columns = 45;
    const at::Tensor a = noise({rows, inner}, 1, at::kFloat), b = noise({inner, columns}, 2, at::kFloat),
                     factors = noise({rows}, 3, at::kFloat), held = noise({rows, columns}, 4, at::kFloat);
    std::vector<float> panels(static_cast<size_t>(padded(columns) * inner));
    pack_block({b.const_data_ptr(), false, columns, false}, 0, inner, 0, columns, panels.data());
    for (const bool transposed : {false, true}) {
        const at::Tensor c = held.clone(), in_memory = transposed ? a.t().contiguous() : a;
        GetParam()->multiply({.a = in_memory.const_data_ptr<float>(),
                              .a_stride = transposed ? rows : inner,
                              .a_transposed = transposed,
                              .panels = panels.data(),
                              .rows = rows,
                              .inner = inner,
                              .columns = columns,
                              .c = c.data_ptr<float>(),
                              .c_stride = columns,
                              .add = true,
                              .factors = factors.const_data_ptr<float>()});
        EXPECT_LT((c - (held + at::mm(a, b) * factors.unsqueeze(1))).abs().max().item<double>(), 1e-4);
    }
}

TEST_P(ProductKernels, TransposeAndSoftmax) {
    const at::Tensor x = noise({16, 21}, 1, at::kFloat), y = at::empty({16, 16});
    GetParam()->transpose(x.const_data_ptr<float>() + 3, 21, y.data_ptr<float>());
    EXPECT_TRUE(at::equal(y, x.narrow(1, 3, 16).t()));
    for (const int64_t n : {1, 5, 16, 17, 47, 512}) {
        const at::Tensor row = noise({n + 1}, 2, at::kFloat) * 5, e = row.clone();
        const SoftmaxRow got = GetParam()->softmax_row(e.data_ptr<float>(), n);
        const at::Tensor real = row.narrow(0, 0, n).to(at::kDouble);
        const at::Tensor below = real - real.max();
        EXPECT_EQ(got.top, real.max().item<float>());
        EXPECT_LT((e.narrow(0, 0, n) - below.exp()).abs().max().item<double>(), 1e-6);
        EXPECT_NEAR(got.sum, below.exp().sum().item<double>(), 1e-5 * static_cast<double>(n));
        EXPECT_NEAR(got.weighted, (below.exp() * below).sum().item<double>(), 1e-5 * static_cast<double>(n));
        EXPECT_EQ(e[n].item<float>(), row[n].item<float>()) << "wrote behind the row";
    }
}

TEST_P(ProductKernels, RowsOfRmsNorm) {
    const at::NoGradGuard guard;
    for (const int64_t n : {1, 16, 21, 64, 130}) {
        const at::Tensor x = noise({n}, 1, at::kFloat), w = noise({n}, 2, at::kFloat), dy = noise({n}, 3, at::kFloat);
        for (const float shift : {0.0F, 1.0F}) {
            at::Tensor wide = x.to(at::kDouble).requires_grad_(true), expected;
            {
                const c10::AutoGradMode with_gradients(true);
                expected = wide * (wide.square().mean() + 1e-5).rsqrt() * (w.to(at::kDouble) + shift);
                (expected * dy).sum().backward();
            }
            at::Tensor y = at::empty({n}), d_x = at::empty({n});
            const float inverse = GetParam()->rms_normalise(x.const_data_ptr<float>(), n, 1e-5F, y.data_ptr<float>());
            GetParam()->scale_row(w.const_data_ptr<float>(), shift, n, y.data_ptr<float>());
            GetParam()->rms_backward(x.const_data_ptr<float>(), w.const_data_ptr<float>(), shift, dy.const_data_ptr<float>(),
                                     inverse, n, d_x.data_ptr<float>());
            EXPECT_LT((y - expected).abs().max().item<double>(), 1e-5) << n;
            EXPECT_LT((d_x - wide.grad()).abs().max().item<double>(), 2e-5) << n;
        }
    }
}

TEST_P(ProductKernels, RoundingToBfloat16IsLibTorchs) {
    at::Tensor values = noise({4099}, 1, at::kFloat);
    // Ties to both sides, the largest that stays finite, infinities, NaN, denormals and zeros.
    const std::vector<float> odd = {1.00390625F, 1.01171875F, 3.3895e38F, 3.4e38F, INFINITY, -INFINITY,
                                    NAN,         -NAN,        1e-40F,     -0.0F,   0.0F};
    for (size_t i = 0; i < odd.size(); ++i) {
        values[static_cast<int64_t>(i)] = odd[i];
        values[4098 - static_cast<int64_t>(i)] = odd[i];
    }
    at::Tensor rounded = at::empty({4099}, at::kBFloat16);
    GetParam()->to_bfloat16(values.const_data_ptr<float>(), 4099, static_cast<uint16_t*>(rounded.data_ptr()));
    EXPECT_TRUE(at::equal(rounded.nan_to_num(12345), values.to(at::kBFloat16).nan_to_num(12345)));
    EXPECT_EQ(rounded.isnan().sum().item<int64_t>(), 4);
}

INSTANTIATE_TEST_SUITE_P(All, ProductKernels, testing::ValuesIn(usable_cpu_kernels()),
                         [](const auto& given) { return std::string(given.param->name); });

}  // namespace
}  // namespace craft

#include "gec/retrieval/sentence_vectors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/rng.h"

namespace craft {
namespace {

std::vector<float> unit_vector(size_t size, uint64_t item) {
    Rng rng(1, "vectors", item);
    std::vector<float> vector(size);
    double square = 0;
    for (float& value : vector) {
        value = static_cast<float>(rng.normal());
        square += static_cast<double>(value) * value;
    }
    for (float& value : vector) value /= static_cast<float>(std::sqrt(square));
    return vector;
}

TEST(SentenceVectors, ProductsAreThoseOfTheFullNumbers) {
    constexpr size_t kSize = 384;
    VectorMatrix matrix(kSize);
    std::vector<std::vector<float>> rows;
    for (uint64_t i = 0; i < 50; ++i) {
        rows.push_back(unit_vector(kSize, i));
        EXPECT_TRUE(matrix.add(static_cast<int64_t>(100 + i), packed_vector(rows.back())));
    }
    const std::vector<float> query = unit_vector(kSize, 7);
    const std::vector<float> products = matrix.products(query);
    ASSERT_EQ(products.size(), 50u);
    EXPECT_EQ(matrix.id(7), 107);
    for (size_t i = 0; i < rows.size(); ++i) {
        double product = 0;
        for (size_t k = 0; k < kSize; ++k) product += static_cast<double>(rows[i][k]) * query[k];
        EXPECT_NEAR(products[i], product, 0.003) << i;
    }
    EXPECT_NEAR(products[7], 1, 0.003);
    EXPECT_THROW(matrix.products(unit_vector(3, 1)), Error);
}

TEST(SentenceVectors, BytesAreTheScaleAndSevenBits) {
    const std::string packed = packed_vector({0.5F, -1.0F, 0.0F});
    ASSERT_EQ(packed.size(), 7u);
    EXPECT_EQ(static_cast<int8_t>(packed[4]), 64) << "0.5 / (1 / 127), to the nearest";
    EXPECT_EQ(static_cast<int8_t>(packed[5]), -127);
    EXPECT_EQ(packed[6], 0);
    EXPECT_EQ(packed_vector({0, 0}), std::string(6, '\0'));
    EXPECT_THROW(packed_vector({NAN}), Error);
}

TEST(SentenceVectors, OtherBytesAreNoVector) {
    VectorMatrix matrix(3);
    EXPECT_FALSE(matrix.add(1, ""));
    EXPECT_FALSE(matrix.add(1, packed_vector({1, 0, 0, 0})));
    EXPECT_FALSE(matrix.add(1, std::string(7, '\xff'))) << "a scale that is no number";
    EXPECT_EQ(matrix.rows(), 0u);
}

}  // namespace
}  // namespace craft

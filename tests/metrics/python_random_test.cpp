#include "metrics/python_random.h"

#include <gtest/gtest.h>

#include <vector>

namespace craft {
namespace {

// CPython 3.11: random.seed(n); random.getrandbits(32), twice, also after the first 624 numbers.
TEST(PythonRandom, Python3Bits) {
    PythonRandom zero(0);
    EXPECT_EQ(zero.next(), 3626764237U);
    EXPECT_EQ(zero.next(), 1654615998U);
    PythonRandom random(50399);
    EXPECT_EQ(random.next(), 235180559U);
    for (int i = 1; i < 624; ++i) random.next();
    EXPECT_EQ(random.next(), 1088671445U);
}

// random.seed(7); [random.randint(0, 5) for _ in range(8)], then the same of int(random.random() * 6).
TEST(PythonRandom, ChoicesBelowABound) {
    const std::vector<uint32_t> python3{2, 1, 3, 5, 0, 0, 4, 0}, python2{1, 0, 3, 0, 3, 2, 0, 3};
    std::vector<uint32_t> drawn(8);
    PythonRandom(7).below_python3(6, drawn);
    EXPECT_EQ(drawn, python3);
    PythonRandom(7).below_python2(6, drawn);
    EXPECT_EQ(drawn, python2);
}

// A choice of one thing draws as well: what comes after it differs.
TEST(PythonRandom, OneChoiceDrawsToo) {
    PythonRandom drawn(1), fresh(1);
    std::vector<uint32_t> choice{7};
    drawn.below_python3(1, choice);
    EXPECT_EQ(choice[0], 0U);
    EXPECT_NE(drawn.next(), fresh.next());
}

}  // namespace
}  // namespace craft

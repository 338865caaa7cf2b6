// Folders that transformers wrote, of every kind and variant, against what it computes on them.
#include <cstdlib>

#include "tests/core/temporary_folder.h"
#include "tests/model/encoder/encoder_cases.h"
#include "tests/parity/run_python.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

// Both sides add some hundred float32 products in different orders; states and log-probabilities are of the order of 10.
constexpr double kEncoderTolerance = 1e-4;
// Neighbours and hidden tokens may change the order in which MKL adds (model/encoder/ragged_rows.h), and no more: a token
// that is seen though its mask hides it changes states by a hundredth and more.
constexpr double kPadding = 1e-5;

TEST(EncodersParity, EveryKindAsTransformers) {
    CRAFT_NEEDS_PARITY_PYTHON();
    const TemporaryFolder folder;
    const char* const made = std::getenv("CRAFT_PARITY_ENCODERS");  // a folder that the script filled before
    const fs::path root = made == nullptr ? folder.path() : fs::path(made);
    if (made == nullptr) {
        ASSERT_TRUE(test::run_parity_script("make_encoders.py", root));
    }
    int64_t folders = 0;
    for (const auto& entry : fs::directory_iterator(root)) {
        const std::string name = entry.path().filename();
        try {
            const double worst = test::worst_difference(entry.path()), padding = test::worst_padding(entry.path());
            std::printf("%-24s largest difference %.1e, by padding %.1e\n", name.c_str(), worst, padding);
            EXPECT_LT(worst, kEncoderTolerance) << name;
            EXPECT_LT(padding, kPadding) << name;
        } catch (const std::exception& error) {
            ADD_FAILURE() << name << ": " << error.what();
        }
        ++folders;
    }
    EXPECT_GE(folders, 16);
}

}  // namespace
}  // namespace craft

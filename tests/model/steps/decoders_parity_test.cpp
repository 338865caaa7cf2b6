// Folders that transformers wrote, of every architecture and variant and of random shapes, against what it computes on them;
// with and without adapters that PEFT wrote.
#include "tests/core/temporary_folder.h"
#include "tests/model/steps/decoder_expectations.h"
#include "tests/parity/run_python.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

TEST(DecodersParity, EveryArchitectureAsTransformers) {
    CRAFT_NEEDS_PARITY_PYTHON();
    const TemporaryFolder folder;
    const char* const made = std::getenv("CRAFT_PARITY_DECODERS");  // a folder that the script filled before
    const fs::path root = made == nullptr ? folder.path() : fs::path(made);
    if (made == nullptr) {
        ASSERT_TRUE(test::run_parity_script("make_decoders.py", root));
    }
    int64_t folders = 0;
    for (const auto& entry : fs::directory_iterator(root)) {
        test::expect_as_transformers(entry.path());
        ++folders;
    }
    EXPECT_GE(folders, 49);
}

}  // namespace
}  // namespace craft

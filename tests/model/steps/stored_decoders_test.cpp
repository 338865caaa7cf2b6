// The stored folders of every architecture and variant, against what transformers computed on them.
#include "tests/model/steps/decoder_expectations.h"
#include "tests/source.h"

namespace craft {
namespace {

TEST(StoredDecoders, EveryArchitectureAsTransformers) {
    int64_t folders = 0;
    for (const char* root : {"tests/model/decoders", "tests/model/encoder_decoders"})
        for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(test_source()) / root)) {
            if (entry.is_directory()) test::expect_as_transformers(entry.path());
            folders += entry.is_directory();
        }
    EXPECT_EQ(folders, 22 + 5);
}

}  // namespace
}  // namespace craft

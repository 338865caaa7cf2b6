// Files that torch.save() wrote (tests/parity/make_pickles.py), against the same tensors as safetensors; and what is
// refused.
#include "model/weights/pytorch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/files.h"
#include "model/files/zip_entries.h"
#include "model/weights/safetensors.h"
#include "model/weights/weight_files.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kPickles = test_source("/tests/model/weights/pickles");

TEST(PytorchFile, HoldsWhatSafetensorsHolds) {
    for (const std::string name : {"every", "views", "module", "parameters"}) {
        const PytorchFile file(kPickles / (name + ".bin"));
        const SafetensorsFile expected(kPickles / (name + ".safetensors"));
        EXPECT_EQ(file.names(), expected.names()) << name;
        for (const std::string& tensor : expected.names()) {
            const at::Tensor values = expected.tensor(tensor);
            EXPECT_EQ(file.shape(tensor), values.sizes().vec());
            EXPECT_EQ(file.dtype(tensor), values.scalar_type());
            EXPECT_EQ(file.bytes(tensor), values.nbytes());
            EXPECT_TRUE(at::equal(file.view(tensor), values)) << name << " " << tensor;
        }
    }
}

std::string refusal(const fs::path& file) {
    return message_of([&] { const PytorchFile opened(file); });
}

TEST(PytorchFile, NothingIsRun) {
    EXPECT_THAT(refusal(kPickles / "hostile.bin"),
                testing::AllOf(HasSubstr("expected what a dictionary of tensors is made of, got 'posix.system'"),
                               HasSubstr("nothing in a file is run")));
    EXPECT_THAT(refusal(kPickles / "foreign.bin"), HasSubstr("expected a tensor called 'epoch', got something else"));
    EXPECT_THAT(refusal(kPickles / "bare.bin"), HasSubstr("the form that PyTorch had before 1.6"));
}

// One byte of the pickle or of the directory is another one.
TEST(PytorchFile, WhatIsDamagedIsRefused) {
    const TemporaryFolder folder;
    const std::string whole = read_file(kPickles / "views.bin");
    EXPECT_THAT(refusal(folder.file("cut.bin", whole.substr(0, whole.size() / 2))),
                HasSubstr("expected a ZIP archive with its directory at the end, got none"));
    EXPECT_THAT(refusal(folder.file("empty.bin", "")), HasSubstr("a ZIP archive"));
    std::string foreign = whole;
    const ZipEntry pickle = parse_stored_zip(whole, "views.bin").at("views/data.pkl");
    foreign[pickle.begin + 2] = 'I';  // an opcode of Python 1
    EXPECT_THAT(refusal(folder.file("foreign.bin", foreign)),
                HasSubstr("expected an opcode of a dictionary of tensors, got 0x49"));
    std::string packed = whole;
    packed[packed.find("PK\1\2") + 10] = 8;  // deflated
    EXPECT_THAT(refusal(folder.file("packed.bin", packed)), HasSubstr("got a compressed one"));
}

TEST(PytorchFile, AFolderWithoutSafetensorsIsReadFromIt) {
    const TemporaryFolder folder;
    fs::copy(kPickles / "module.bin", folder.path() / "pytorch_model.bin");
    EXPECT_EQ(WeightFiles(folder.path()).names(), SafetensorsFile(kPickles / "module.safetensors").names());
    fs::copy(kPickles / "parameters.safetensors", folder.path() / "model.safetensors");
    EXPECT_EQ(WeightFiles(folder.path()).names(), std::vector<std::string>{"weight"}) << "which goes before it";
}

TEST(PytorchFile, ShardsByTheirIndex) {
    const TemporaryFolder folder;
    fs::copy(kPickles / "views.bin", folder.path() / "pytorch_model-00001-of-00002.bin");
    fs::copy(kPickles / "parameters.bin", folder.path() / "pytorch_model-00002-of-00002.bin");
    folder.file(
        "pytorch_model.bin.index.json",
        R"({"weight_map":{"whole":"pytorch_model-00001-of-00002.bin","weight":"pytorch_model-00002-of-00002.bin"}})");
    const WeightFiles files(folder.path());
    EXPECT_TRUE(files.has("whole"));
    EXPECT_TRUE(files.has("weight"));
}

}  // namespace
}  // namespace craft

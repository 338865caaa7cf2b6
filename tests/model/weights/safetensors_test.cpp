#include "model/weights/safetensors.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

std::string file_bytes(const std::string& header, size_t data_bytes, std::optional<uint64_t> claimed = std::nullopt) {
    std::string bytes(8, '\0');
    const uint64_t length = claimed.value_or(header.size());
    for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> (8 * i) & 0xff);
    return bytes + header + std::string(data_bytes, '\1');
}

TEST(Safetensors, RoundTripsAndRepeatsItsBytes) {
    const TemporaryFolder folder;
    const NamedTensors tensors = {{"b", at::arange(6, at::kFloat).view({2, 3})},
                                  {"a", at::arange(4, at::kFloat).to(at::kBFloat16)},
                                  {"h", at::arange(3, at::kFloat).to(at::kHalf)},
                                  {"scalar", at::scalar_tensor(2.5, at::kDouble)},
                                  {"none", at::empty({0, 4})},
                                  {"turned", at::arange(6, at::kFloat).view({2, 3}).t()}};
    write_safetensors(folder.path() / "x.safetensors", tensors);
    const SafetensorsFile file(folder.path() / "x.safetensors");
    EXPECT_EQ(file.names().size(), 6u);
    EXPECT_EQ(file.metadata().at("format"), "pt");
    for (const auto& [name, tensor] : tensors) {
        EXPECT_TRUE(at::equal(file.tensor(name), tensor)) << name;
        EXPECT_EQ(file.dtype(name), tensor.scalar_type());
    }
    NamedTensors reversed(tensors.rbegin(), tensors.rend());
    write_safetensors(folder.path() / "y.safetensors", reversed);
    EXPECT_EQ(read_file(folder.path() / "x.safetensors"), read_file(folder.path() / "y.safetensors"));
    EXPECT_THROW(file.tensor("c"), Error);
    EXPECT_THROW(write_safetensors(folder.path() / "z.safetensors", {tensors[0], tensors[0]}), Error);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "z.safetensors"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);  // no temporary files left
}

TEST(Safetensors, NeighboursAreUsedWhereTheFileHasThem) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "x.safetensors";
    const at::Tensor values = at::arange(18, at::kFloat).view({6, 3});
    write_safetensors(path, {{"a", values.narrow(0, 0, 2)},
                             {"b", values.narrow(0, 2, 3)},
                             {"c", values.narrow(0, 5, 1)},
                             {"d", at::ones({3}, at::kBFloat16)}});
    const std::string stored = read_file(path);
    at::Tensor whole;
    {
        const SafetensorsFile file(path);
        EXPECT_FALSE(file.are_neighbours({"b", "a"}));
        EXPECT_FALSE(file.are_neighbours({"a", "c"}));
        EXPECT_FALSE(file.are_neighbours({"c", "d"}));
        EXPECT_TRUE(file.are_neighbours({"a", "b", "c"}));
        EXPECT_TRUE(at::equal(file.mapped({"d"}), at::ones({3}, at::kBFloat16)));
        whole = file.mapped({"a", "b", "c"}).view({6, 3});
        EXPECT_EQ(whole.data_ptr(), file.view("a").data_ptr());
    }
    std::filesystem::remove(path);  // what is mapped needs neither the object nor the file's name
    EXPECT_TRUE(at::equal(whole, values));

    write_file_atomic(path, stored);
    const at::Tensor changed = SafetensorsFile(path).mapped({"a"});
    changed.fill_(7);
    EXPECT_EQ(changed.sum().item<float>(), 42);
    EXPECT_EQ(read_file(path), stored);
}

TEST(Safetensors, GivingPagesBackLeavesNeighboursAlone) {
    const TemporaryFolder folder;
    write_safetensors(folder.path() / "x.safetensors",
                      {{"a", at::ones({100})}, {"b", at::ones({5000})}, {"c", at::ones({100})}});
    const SafetensorsFile file(folder.path() / "x.safetensors");
    const at::Tensor a = file.mapped({"a"}), c = file.mapped({"c"});
    a.fill_(2);
    c.fill_(3);
    file.release("b");
    EXPECT_EQ(a.sum().item<float>(), 200);
    EXPECT_EQ(c.sum().item<float>(), 300);
}

TEST(Safetensors, AFileThatBecameShorterIsAnErrorNotASignal) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "x.safetensors";
    write_safetensors(path, {{"a", at::ones({1 << 16})}});
    const SafetensorsFile file(path);
    std::filesystem::resize_file(path, 4096);
    EXPECT_THROW(file.mapped({"a"}), Error);
}

TEST(Safetensors, NumbersThatLieAtOddPlacesAreNotUsedThere) {
    const TemporaryFolder folder;
    std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    header += std::string(5 - header.size() % 4, ' ');
    write_file_atomic(folder.path() / "x.safetensors", file_bytes(header, 8));
    const SafetensorsFile file(folder.path() / "x.safetensors");
    EXPECT_FALSE(file.are_neighbours({"a"}));
    EXPECT_EQ(file.view("a").numel(), 2);
}

TEST(Safetensors, HostileFilesAreOneClearError) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "x.safetensors";
    const std::string good = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    write_file_atomic(path, file_bytes(good, 8));
    EXPECT_NO_THROW(SafetensorsFile{path});
    const std::vector<std::pair<std::string, std::string>> bad = {
        {"empty", ""},
        {"short", "abc"},
        {"truncated header", file_bytes(good, 0).substr(0, 30)},
        {"truncated data", file_bytes(good, 7)},
        {"bytes besides", file_bytes(good, 9)},
        {"header beyond the file", file_bytes(good, 8, 1 << 20)},
        {"huge header", file_bytes(good, 8, ~uint64_t{0})},
        {"not JSON", file_bytes("{nonsense", 8)},
        {"not an object", file_bytes("[1,2]", 8)},
        {"deep nesting", file_bytes(std::string(200000, '['), 0)},
        {"no dtype", file_bytes(R"({"a":{"shape":[2],"data_offsets":[0,8]}})", 8)},
        {"unknown dtype", file_bytes(R"({"a":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}})", 8)},
        {"negative size", file_bytes(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8)},
        {"fraction", file_bytes(R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", 8)},
        {"shape overflow", file_bytes(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0)},
        {"shape against bytes", file_bytes(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8)},
        {"huge tensor", file_bytes(R"({"a":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]}})", 8)},
        {"backwards", file_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8)},
        {"overlap",
         file_bytes(
             R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
             12)},
        {"hole", file_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12)},
        {"name twice",
         file_bytes(
             R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
             8)},
    };
    for (const auto& [what, bytes] : bad) {
        write_file_atomic(path, bytes);
        try {
            SafetensorsFile file(path);
            ADD_FAILURE() << what << " was accepted";
        } catch (const Error& error) {
            const std::string line = error.what();
            EXPECT_NE(line.find("x.safetensors"), std::string::npos) << what << ": " << line;
            EXPECT_EQ(line.find('\n'), std::string::npos) << what;
        }
    }
    // Refused where it begins, not after the rest has been read into memory.
    write_file_atomic(path, file_bytes(R"({"a":)" + std::string(5'000'000, '['), 0));
    try {
        SafetensorsFile file(path);
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("nested deeper"), std::string::npos) << error.what();
    }
    EXPECT_THROW(SafetensorsFile{folder.path()}, Error);
    EXPECT_THROW(SafetensorsFile{folder.path() / "absent"}, Error);
}

}  // namespace
}  // namespace craft

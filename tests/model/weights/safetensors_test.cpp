#include "model/weights/safetensors.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

std::string file_bytes(const std::string& header, size_t data_bytes) {
    std::string bytes(8, '\0');
    for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> (8 * i) & 0xff);
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

TEST(Safetensors, NumbersThatLieAtOddPlacesAreNotUsedThere) {
    const TemporaryFolder folder;
    std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    header += std::string(5 - header.size() % 4, ' ');
    write_file_atomic(folder.path() / "x.safetensors", file_bytes(header, 8));
    const SafetensorsFile file(folder.path() / "x.safetensors");
    EXPECT_FALSE(file.are_neighbours({"a"}));
    EXPECT_EQ(file.view("a").numel(), 2);
}

TEST(Safetensors, EveryDtypeOfTheFormatIsOneOfLibTorch) {
    const TemporaryFolder folder;
    for (const char* name : {"F64", "F32", "BF16", "F16", "I64", "I32", "I16", "I8", "U8", "BOOL"}) {
        const std::string bytes = std::to_string(safetensors_dtype_bytes(name));
        const std::string header =
            R"({"a":{"dtype":")" + std::string(name) + R"(","shape":[1],"data_offsets":[0,)" + bytes + "]}}";
        write_file_atomic(folder.path() / "x.safetensors", file_bytes(header, std::stoul(bytes)));
        const SafetensorsFile file(folder.path() / "x.safetensors");
        EXPECT_EQ(safetensors_dtype_name(file.dtype("a")), name);
        EXPECT_EQ(std::to_string(at::elementSize(file.dtype("a"))), bytes) << name;
    }
}

TEST(Safetensors, AHeaderThatIsWrongIsRefused) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "x.safetensors";
    const std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    write_file_atomic(path, file_bytes(header, 8));
    EXPECT_NO_THROW(SafetensorsFile{path});
    write_file_atomic(path, file_bytes(header, 7));
    EXPECT_EQ(message_of([&] { SafetensorsFile{path}; }),
              path.string() + ": expected 8 bytes of tensors, got 7 (the file is truncated)");
    write_file_atomic(path, "");
    EXPECT_EQ(message_of([&] { SafetensorsFile{path}; }),
              path.string() + ": expected a safetensors file, got 0 bytes (the file is truncated)");
}

}  // namespace
}  // namespace craft

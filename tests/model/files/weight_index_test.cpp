#include "model/files/weight_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(WeightIndex, NamesTheFileOfEachTensor) {
    const Json index = {{"metadata", {{"total_size", 8}}},
                        {"weight_map", {{"b", "two.safetensors"}, {"a", "one.safetensors"}}}};
    EXPECT_THAT(parse_weight_index(index, "index"),
                testing::ElementsAre(testing::Pair("b", "two.safetensors"), testing::Pair("a", "one.safetensors")));
}

TEST(WeightIndex, FilesLieInTheSameFolder) {
    for (const Json& file : std::vector<Json>{"../one.safetensors", "/etc/passwd", "sub/one.safetensors", "one/", ".", "..",
                                              "", nullptr, 3, Json::array({"one.safetensors"})})
        EXPECT_EQ(message_of([&] {
                      parse_weight_index({{"weight_map", {{"a", file}}}}, "index");
                  }),
                  "index: weight_map: expected names of files in the same folder, got " + file.dump());
}

TEST(WeightIndex, HasAMap) {
    for (const char* text : {"3", "[]", "{}", R"({"weight_map": []})", R"({"weight_map": {}})", R"({"weight_map": null})"})
        EXPECT_EQ(message_of([&] { parse_weight_index(Json::parse(text), "index"); }),
                  "index: expected an object 'weight_map' of tensors and their files, got none")
            << text;
}

}  // namespace
}  // namespace craft

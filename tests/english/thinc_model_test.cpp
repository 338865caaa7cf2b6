#include "english/thinc_model.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/english/error_text.h"
#include "tests/english/msgpack_bytes.h"

namespace craft {
namespace {

using test::error_text;
using test::pack_model;
using test::pack_tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ThincModel, ReadsLayersTensorsAndAttributes) {
    const ThincModel model(
        pack_model({{"chain"},
                    {"linear", {{"W", pack_tensor({2, 3}, {1, 2, 3, 4, 5, 6})}, {"pad", test::kPackedNil}}},
                    {"hashembed", {}, {{"seed", test::pack_number(8)}, {"columns", test::pack_texts({"NORM"})}}}}),
        "model");
    ASSERT_EQ(model.layers().size(), 3U);
    const ThincLayer& linear = model.only("linear");
    EXPECT_THAT(linear.tensor("W", {2, 3}, "model").values, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(linear.tensors.size(), 1U);  // one that was never set is none
    EXPECT_EQ(model.only("hashembed").number("seed", "model"), 8U);
    EXPECT_THAT(model.only("hashembed").texts("columns", "model"), ElementsAre("NORM"));
}

TEST(ThincModel, RefusesLayersThatAreNotAsked) {
    const ThincModel model(pack_model({{"linear", {{"W", pack_tensor({2}, {1, 2})}}}, {"relu"}, {"relu"}}), "model");
    EXPECT_THAT(error_text([&] { model.only("softmax"); }), HasSubstr("model: expected one layer 'softmax', got 0"));
    EXPECT_THAT(error_text([&] { model.only("relu"); }), HasSubstr("got 2"));
    EXPECT_THAT(error_text([&] { model.only("linear").tensor("W", {3}, "model"); }),
                HasSubstr("model: linear: W: expected a tensor of the shape [3], got [2]"));
    EXPECT_THAT(error_text([&] { model.only("linear").tensor("b", {2}, "model"); }), HasSubstr("got none"));
    EXPECT_THAT(error_text([&] { model.only("linear").tensor_of_sizes("W", 2, "model"); }),
                HasSubstr("a tensor of 2 sizes"));
    EXPECT_THAT(error_text([&] { model.only("linear").number("seed", "model"); }), HasSubstr("expected a number, got none"));
}

TEST(ThincModel, RefusesTensorsThatAreNone) {
    const auto refusal = [](const std::string& tensor) {
        return error_text([&] { ThincModel(pack_model({{"linear", {{"W", tensor}}}}), "model"); });
    };
    EXPECT_THAT(refusal(pack_tensor({2, 2}, {1, 2, 3})),
                HasSubstr("model: layer 0: W: expected data for the shape [2, 2], got 12 bytes"));
    EXPECT_THAT(refusal(pack_tensor({0}, {})), HasSubstr("sizes of 1 to 1000000"));
    EXPECT_THAT(refusal(pack_tensor({1, 1, 1, 1, 1}, {1})), HasSubstr("up to 4 sizes"));
    EXPECT_THAT(refusal(pack_tensor({1000000, 1000000, 1000000, 1000000}, {1})), HasSubstr("data for the shape"));
    EXPECT_THAT(refusal(pack_tensor({1}, {NAN})), HasSubstr("finite numbers"));
    EXPECT_THAT(refusal(test::pack("text")), HasSubstr("an array with its type and data"));
    std::string doubles = pack_tensor({1}, {1});
    doubles.replace(doubles.find("<f4"), 3, "<f8");
    EXPECT_THAT(refusal(doubles), HasSubstr("32-bit numbers ('<f4'), got '<f8'"));
}

TEST(ThincModel, RefusesFilesThatAreCutAnywhere) {
    const std::string whole = pack_model({{"linear", {{"W", pack_tensor({2}, {1, 2})}}, {{"seed", test::pack_number(8)}}}});
    EXPECT_EQ(error_text([&] { ThincModel(whole, "model"); }), "");
    for (size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(error_text([&] { ThincModel(whole.substr(0, size), "model"); }), "") << size;
}

TEST(ThincModel, RefusesListsOfOtherLengths) {
    const std::string file = test::pack_map({{"nodes", test::pack_list({test::pack_map({{"name", test::pack("linear")}})})},
                                             {"attrs", test::pack_list({})},
                                             {"params", test::pack_list({})}});
    EXPECT_THAT(error_text([&] { ThincModel(file, "model"); }), HasSubstr("for each of 1 layers, got 0 and 0"));
}

}  // namespace
}  // namespace craft

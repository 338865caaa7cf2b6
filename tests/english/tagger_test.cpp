#include "english/tagger.h"

#include <gmock/gmock.h>

#include "tests/english/error_text.h"
#include "tests/english/msgpack_bytes.h"

namespace craft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ThincModel two_tags() {
    return ThincModel(
        test::pack_model(
            {{"softmax", {{"W", test::pack_tensor({2, 2}, {1, 0, 0, 1})}, {"b", test::pack_tensor({2}, {0, 0.5F})}}}}),
        "model");
}

TEST(Tagger, TakesTheHighestOutput) {
    // (2, 1) + (0, 0.5): the first; (1, 1) + (0, 0.5): the second; (1.5, 1): a tie, which is the first's.
    EXPECT_THAT(Tagger(two_tags(), {"NN", "VB"}, 2).tags({2, 1, 1, 1, 1.5F, 1}), ElementsAre("NN", "VB", "NN"));
    EXPECT_TRUE(Tagger(two_tags(), {"NN", "VB"}, 2).tags({}).empty());
}

TEST(Tagger, RefusesAModelThatDoesNotFit) {
    EXPECT_THAT(test::error_text([] { Tagger(two_tags(), {"NN"}, 2); }), HasSubstr("shape [1, 2], got [2, 2]"));
    EXPECT_THAT(test::error_text([] { Tagger(two_tags(), {"NN", "VB"}, 3); }), HasSubstr("shape [2, 3], got [2, 2]"));
}

}  // namespace
}  // namespace craft

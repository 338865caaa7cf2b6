#include "systems/recorded/canonical_json.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(CanonicalJson, KeysAreSortedAtEveryLevel) {
    const Json value = parse_json(R"({"b": [1, 2.5, {"z": null, "a": true}], "a": {}, "c": [], "": -1.0})", "test");
    EXPECT_EQ(canonical_json(value), R"({"":-1.0,"a":{},"b":[1,2.5,{"a":true,"z":null}],"c":[]})");
}

TEST(CanonicalJson, IsTheSameForAnyOrderAndReadsBack) {
    const Json one = parse_json(R"({"x": "\u0000\u001f\"\\\n\t äé€😀", "y": [{"b": 1, "a": 2}]})", "test");
    const Json other = parse_json(R"({"y": [{"a": 2, "b": 1}], "x": "\u0000\u001f\"\\\n\t äé€😀"})", "test");
    EXPECT_EQ(canonical_json(one), canonical_json(other));
    EXPECT_EQ(parse_json(canonical_json(one), "test")["x"], one["x"]);
}

TEST(CanonicalJson, BytesThatAreNoTextStayApart) {
    EXPECT_EQ(canonical_string("a\xff"
                               "b\xc3"),
              R"("a\udcffb\udcc3")");
    EXPECT_NE(canonical_string("\xff"), canonical_string("\xfe"));
    EXPECT_NE(canonical_string("\xff"), canonical_string("\xef\xbf\xbd")) << "the replacement character";
    EXPECT_NE(canonical_string("\xff"), canonical_string("\\udcff"));
}

}  // namespace
}  // namespace craft

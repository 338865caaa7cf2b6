// Pickles by hand. Of the real ones tests/model/weights/pytorch_file_test.cpp has some.
#include "model/files/pickled_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

using testing::HasSubstr;

std::string text(const std::string& value) {
    return std::string("X") + static_cast<char>(value.size()) + std::string(3, '\0') + value;
}

std::string number(int value) {
    return std::string("K") + static_cast<char>(value);
}

// A float storage "0" of so many elements.
std::string storage(int size) {
    return "(" + text("storage") + "ctorch\nFloatStorage\n" + text("0") + text("cpu") + number(size) + "tQ";
}

std::string tensor(const std::string& of, int offset, const std::string& shape, const std::string& strides) {
    return "ctorch._utils\n_rebuild_tensor_v2\n(" + of + number(offset) + shape + strides + "\x89" + "}tR";
}

std::string dictionary(const std::string& name, const std::string& value) {
    return "\x80\x02}" + text(name) + value + "s.";
}

std::string pair(int a, int b) {
    return number(a) + number(b) + "\x86";
}

std::string problem(const std::string& pickle) {
    return message_of([&] { parse_pickled_tensors(pickle, "data.pkl"); });
}

TEST(PickledTensors, ADictionaryOfOne) {
    const auto tensors = parse_pickled_tensors(dictionary("w", tensor(storage(7), 1, pair(2, 3), pair(3, 1))), "data.pkl");
    ASSERT_EQ(tensors.size(), 1u);
    const PickledTensor& w = tensors.at("w");
    EXPECT_EQ(w.dtype, "F32");
    EXPECT_EQ(w.storage, "0");
    EXPECT_EQ(w.offset, 1);
    EXPECT_EQ(w.shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(w.strides, (std::vector<int64_t>{3, 1}));
}

TEST(PickledTensors, OutsideTheirStorage) {
    const std::string outside = "expected a tensor inside its storage, got one outside";
    EXPECT_THAT(problem(dictionary("w", tensor(storage(6), 1, pair(2, 3), pair(3, 1)))), HasSubstr(outside));
    EXPECT_THAT(problem(dictionary("w", tensor(storage(6), 7, pair(0, 3), pair(3, 1)))), HasSubstr(outside));
    EXPECT_THAT(problem(dictionary("w", tensor(storage(6), 0, pair(200, 3), pair(0, 0)))),
                HasSubstr("expected a tensor of its own elements, got one that repeats some"));
    const std::string huge = "\x8a\x08" + std::string(7, '\xff') + "\x3f";  // LONG1, 2^62 - 1
    EXPECT_THAT(problem(dictionary("w", tensor(storage(6), 0, number(2) + huge + "\x86", pair(1, 1)))), HasSubstr(outside));
}

TEST(PickledTensors, WhatIsRefused) {
    EXPECT_THAT(problem("cos\nsystem\n" + text("ls") + "\x85R."),
                testing::AllOf(HasSubstr("data.pkl: byte 0:"), HasSubstr("got 'os.system'")));
    EXPECT_THAT(problem("c__builtin__\neval\n."), HasSubstr("'__builtin__.eval'"));
    EXPECT_THAT(problem("ctorch.storage\n_load_from_bytes\n."), HasSubstr("'torch.storage._load_from_bytes'"));
    EXPECT_THAT(problem("\x80\x02i"), HasSubstr("got 0x69")) << "INST";
    EXPECT_THAT(problem("\x80\x02}"), HasSubstr("expected more bytes, got the end"));
    EXPECT_THAT(problem("."), HasSubstr("expected a dictionary of tensors"));
    EXPECT_THAT(problem("}R."), HasSubstr("expected a value on the stack, got none"));
    EXPECT_THAT(problem(dictionary("n", number(3))), HasSubstr("expected a tensor called 'n', got something else"));
    EXPECT_THAT(problem("}h\x05."), HasSubstr("expected a value that was kept, got none"));
    EXPECT_THAT(problem("}(" + text("a") + "u."), HasSubstr("expected keys with their values, got a key alone"));
}

// A dictionary that holds itself, and a list that is given again and again.
TEST(PickledTensors, CirclesAndRepetitions) {
    EXPECT_THAT(problem("}q\1" + text("a") + "h\1s."), HasSubstr("expected a tensor called 'a'"));
    const std::string one_pair = "]q\1" + text("k") + number(1) + "\x86" + "a";
    std::string again = one_pair + "0";
    for (int i = 0; i < 400; ++i) again += "ccollections\nOrderedDict\nh\1\x85R";
    EXPECT_FALSE(problem(again + ".").empty());
}

}  // namespace
}  // namespace craft

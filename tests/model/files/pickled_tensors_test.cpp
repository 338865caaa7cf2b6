// Pickles by hand. Of the real ones tests/model/weights/pytorch_file_test.cpp has some.
#include "model/files/pickled_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;

std::string pickled_text(const std::string& value) {
    return std::string("X") + static_cast<char>(value.size()) + std::string(3, '\0') + value;
}

std::string pickled_number(int value) {
    return std::string("K") + static_cast<char>(value);
}

// A float storage "0" of so many elements.
std::string pickled_storage(int size) {
    return "(" + pickled_text("storage") + "ctorch\nFloatStorage\n" + pickled_text("0") + pickled_text("cpu") +
           pickled_number(size) + "tQ";
}

std::string pickled_tensor(const std::string& of, int offset, const std::string& shape, const std::string& strides) {
    return "ctorch._utils\n_rebuild_tensor_v2\n(" + of + pickled_number(offset) + shape + strides + "\x89" + "}tR";
}

std::string pickled_dictionary(const std::string& name, const std::string& value) {
    return "\x80\x02}" + pickled_text(name) + value + "s.";
}

std::string pickled_pair(int a, int b) {
    return pickled_number(a) + pickled_number(b) + "\x86";
}

std::string pickle_problem(const std::string& pickle) {
    return message_of([&] { parse_pickled_tensors(pickle, "data.pkl"); });
}

TEST(PickledTensors, ADictionaryOfOne) {
    const auto tensors = parse_pickled_tensors(
        pickled_dictionary("w", pickled_tensor(pickled_storage(7), 1, pickled_pair(2, 3), pickled_pair(3, 1))), "data.pkl");
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
    EXPECT_THAT(pickle_problem(
                    pickled_dictionary("w", pickled_tensor(pickled_storage(6), 1, pickled_pair(2, 3), pickled_pair(3, 1)))),
                HasSubstr(outside));
    EXPECT_THAT(pickle_problem(
                    pickled_dictionary("w", pickled_tensor(pickled_storage(6), 7, pickled_pair(0, 3), pickled_pair(3, 1)))),
                HasSubstr(outside));
    EXPECT_THAT(pickle_problem(pickled_dictionary(
                    "w", pickled_tensor(pickled_storage(6), 0, pickled_pair(200, 3), pickled_pair(0, 0)))),
                HasSubstr("expected a tensor of its own elements, got one that repeats some"));
    const std::string huge = "\x8a\x08" + std::string(7, '\xff') + "\x3f";  // LONG1, 2^62 - 1
    EXPECT_THAT(pickle_problem(pickled_dictionary(
                    "w", pickled_tensor(pickled_storage(6), 0, pickled_number(2) + huge + "\x86", pickled_pair(1, 1)))),
                HasSubstr(outside));
}

TEST(PickledTensors, WhatIsRefused) {
    EXPECT_THAT(pickle_problem("cos\nsystem\n" + pickled_text("ls") + "\x85R."),
                testing::AllOf(HasSubstr("data.pkl: byte 0:"), HasSubstr("got 'os.system'")));
    EXPECT_THAT(pickle_problem("c__builtin__\neval\n."), HasSubstr("'__builtin__.eval'"));
    EXPECT_THAT(pickle_problem("ctorch.storage\n_load_from_bytes\n."), HasSubstr("'torch.storage._load_from_bytes'"));
    EXPECT_THAT(pickle_problem("\x80\x02i"), HasSubstr("got 0x69")) << "INST";
    EXPECT_THAT(pickle_problem("\x80\x02}"), HasSubstr("expected more bytes, got the end"));
    EXPECT_THAT(pickle_problem("."), HasSubstr("expected a dictionary of tensors"));
    EXPECT_THAT(pickle_problem("}R."), HasSubstr("expected a value on the stack, got none"));
    EXPECT_THAT(pickle_problem(pickled_dictionary("n", pickled_number(3))),
                HasSubstr("expected a tensor called 'n', got something else"));
    EXPECT_THAT(pickle_problem("}h\x05."), HasSubstr("expected a value that was kept, got none"));
    EXPECT_THAT(pickle_problem("}(" + pickled_text("a") + "u."),
                HasSubstr("expected keys with their values, got a key alone"));
}

// A dictionary that holds itself, and a list that is given again and again.
TEST(PickledTensors, CirclesAndRepetitions) {
    EXPECT_THAT(pickle_problem("}q\1" + pickled_text("a") + "h\1s."), HasSubstr("expected a tensor called 'a'"));
    const std::string one_pair = "]q\1" + pickled_text("k") + pickled_number(1) + "\x86" + "a";
    std::string again = one_pair;
    for (int i = 0; i < 400; ++i) again += "ccollections\nOrderedDict\nh\1\x85R";
    EXPECT_FALSE(pickle_problem(again + ".").empty());
}

}  // namespace
}  // namespace craft

#include "data/chunk_filters.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes deflated(const Bytes& bytes) {
    Bytes made(::compressBound(bytes.size()));
    uLongf size = made.size();
    EXPECT_EQ(::compress(made.data(), &size, bytes.data(), bytes.size()), Z_OK);
    made.resize(size);
    return made;
}

TEST(ChunkFilters, AreUndoneInTurn) {
    const Bytes elements = {1, 2, 3, 4, 5, 6}, shuffled = {1, 4, 2, 5, 3, 6};  // two elements of three bytes
    const ChunkFilters both{.shuffle = true, .deflate = true};
    EXPECT_EQ(unfiltered(elements, {}, 0, 3, 6, "x"), elements);
    EXPECT_EQ(unfiltered(shuffled, {.shuffle = true}, 0, 3, 6, "x"), elements);
    EXPECT_EQ(unfiltered(deflated(elements), {.deflate = true}, 0, 3, 6, "x"), elements);
    EXPECT_EQ(unfiltered(deflated(shuffled), both, 0, 3, 6, "x"), elements);
    EXPECT_EQ(unfiltered(shuffled, both, 2, 3, 6, "x"), elements) << "deflate was skipped";
    EXPECT_EQ(unfiltered(deflated(elements), both, 1, 3, 6, "x"), elements) << "shuffle was skipped";
    EXPECT_EQ(unfiltered(elements, {.deflate = true}, 1, 3, 6, "x"), elements) << "the only one was skipped";
}

TEST(ChunkFilters, ExactlyAChunkComesOut) {
    const Bytes chunk(1000, 7);
    const std::string refused = "x: expected deflated chunks of 1000 bytes, got another one (the file is damaged)";
    const auto refusal = [](Bytes stored, const ChunkFilters& filters) {
        return message_of([&] { unfiltered(std::move(stored), filters, 0, 1, 1000, "x"); });
    };
    const ChunkFilters deflate{.deflate = true};
    EXPECT_EQ(refusal(deflated(chunk), deflate), "(nothing thrown)");
    EXPECT_EQ(refusal(deflated(Bytes(999, 7)), deflate), refused) << "HDF5 would read on behind its end";
    EXPECT_EQ(refusal(deflated(Bytes(size_t{1} << 20, 7)), deflate), refused) << "HDF5 would inflate it to its end";
    EXPECT_EQ(refusal(Bytes(50, 7), deflate), refused);
    Bytes cut = deflated(chunk);
    cut.resize(cut.size() / 2);
    EXPECT_EQ(refusal(cut, deflate), refused);
    EXPECT_EQ(refusal(Bytes(999, 7), {}), "x: expected chunks of 1000 bytes, got one of 999 (the file is damaged)");
    EXPECT_EQ(refusal({}, {.shuffle = true}), "x: expected chunks of 1000 bytes, got one of 0 (the file is damaged)");
}

}  // namespace
}  // namespace craft

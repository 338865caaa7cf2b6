#include "model/files/mapped_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

struct MappedFileTest : ::testing::Test {
    TemporaryFolder folder;
    std::filesystem::path path = folder.path() / "x.bin";
    uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    std::string three_pages = std::string(page, 'a') + std::string(page, 'b') + std::string(page, 'c');

    MappedFile mapped(const std::string& bytes) const {
        write_file_atomic(path, bytes);
        return {path, "bytes"};
    }
};

TEST_F(MappedFileTest, BytesAreThoseOfTheFile) {
    const std::string bytes("ab\0c", 4);
    EXPECT_EQ(mapped(bytes).bytes(), bytes);
    EXPECT_EQ(mapped("").bytes(), "");
    EXPECT_EQ(mapped(three_pages).bytes(), three_pages);
}

TEST_F(MappedFileTest, WhatIsNoPlainFileIsRefused) {
    EXPECT_THAT(
        [&] { MappedFile(folder.path(), "a model"); },
        testing::ThrowsMessage<Error>(folder.path().string() + ": expected a model, got something that is not a file"));
    EXPECT_THAT([&] { MappedFile(path, "a model"); },
                testing::ThrowsMessage<Error>(path.string() + ": cannot read: No such file or directory"));
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);  // without a writer: it would be waited for
    EXPECT_THROW(MappedFile(path, "a model"), Error);
}

TEST_F(MappedFileTest, WhatIsWrittenStaysInMemory) {
    std::shared_ptr<char> middle;
    {
        const MappedFile file = mapped(three_pages);
        middle = file.private_pages(page + 1, 2 * page);
        EXPECT_EQ(middle.get(), file.bytes().data() + page + 1);
        std::memset(middle.get(), 'x', 3);
        EXPECT_EQ(file.bytes().substr(page, 5), "bxxxb");
    }
    EXPECT_EQ(read_file(path), three_pages);
    std::filesystem::remove(path);  // what is mapped needs neither the object nor the file's name
    EXPECT_EQ(std::string(middle.get(), 4), "xxxb");
}

TEST_F(MappedFileTest, GivingPagesBackLeavesNeighboursAlone) {
    const MappedFile file = mapped(three_pages);
    const std::shared_ptr<char> all = file.private_pages(0, 3 * page);
    std::memset(all.get(), 'x', 3 * page);
    file.release(page - 1, 2 * page + 1);  // one byte of the first and of the last page
    EXPECT_EQ(file.bytes(), std::string(page, 'x') + std::string(page, 'b') + std::string(page, 'x'));
    file.release(1, page);
    file.release(2 * page + 1, 2 * page + 2);
    EXPECT_EQ(file.bytes().front(), 'x');
    EXPECT_EQ(file.bytes().back(), 'x');
}

TEST_F(MappedFileTest, AFileThatBecameShorterIsAnErrorNotASignal) {
    const MappedFile file = mapped(three_pages);
    std::filesystem::resize_file(path, page);
    EXPECT_NO_THROW(file.private_pages(0, page));
    EXPECT_THAT([&] { file.private_pages(page, 3 * page); },
                testing::ThrowsMessage<Error>(
                    path.string() +
                    ": expected all its bytes, got some that cannot be read (the disk fails, or the file became shorter)"));
}

}  // namespace
}  // namespace craft

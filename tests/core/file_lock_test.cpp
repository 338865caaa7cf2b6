#include "core/file_lock.h"

#include <gtest/gtest.h>

#include <optional>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(FileLocks, AreHeldByOneAtATime) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "lock";
    std::optional<FileLock> first(std::in_place, file);
    EXPECT_TRUE(first->is_held());
    EXPECT_FALSE(FileLock(file).is_held());
    first.reset();
    EXPECT_TRUE(FileLock(file).is_held());
}

TEST(FileLocks, OfARemovedFileHoldNoOtherBack) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "lock";
    const FileLock first(file);
    std::filesystem::remove(file);
    EXPECT_TRUE(FileLock(file).is_held());
}

TEST(FileLocks, NeedAPlaceAndNoLink) {
    const TemporaryFolder folder;
    EXPECT_THROW(FileLock(folder.path() / "none" / "lock"), Error);
    std::filesystem::create_symlink(folder.path() / "elsewhere", folder.path() / "link");
    EXPECT_THROW(FileLock(folder.path() / "link"), Error);
}

}  // namespace
}  // namespace craft

#include "core/output_place.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

TEST(OutputPlace, WhatIsNoFileIsWrittenDirectly) {
    const TemporaryFolder folder;
    const std::string pipe = (folder.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& output : {std::string("-"), std::string("/dev/null"), pipe})
        EXPECT_TRUE(is_written_directly(output)) << output;
    for (const std::string& output : {folder.file("file", "x"), folder.path().string(), (folder.path() / "none").string(),
                                      (folder.path() / "no" / "folder").string(), std::string("./-")})
        EXPECT_FALSE(is_written_directly(output)) << output;
}

TEST(OutputPlace, DescriptorsOfThisProcessAreKnownByAnyName) {
    const TemporaryFolder folder;
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const int file = ::open(folder.file("file", "x").c_str(), O_WRONLY);
    for (const int descriptor : {ends[1], file}) {
        const std::string number = std::to_string(descriptor);
        const fs::path link = folder.path() / ("link" + number);
        fs::create_symlink("/dev/fd/" + number, link);
        for (const std::string& name : {"/dev/fd/" + number, "/proc/self/fd/" + number, link.string()}) {
            EXPECT_EQ(own_descriptor(name), descriptor) << name;
            EXPECT_TRUE(is_written_directly(name)) << name;
        }
    }
    EXPECT_EQ(own_descriptor("/dev/stdout"), STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::close(file);
    for (const std::string& name : {"/dev/fd/" + std::to_string(file), std::string("/dev/fd/x"), std::string("/dev/fd/1x"),
                                    std::string("/dev/fd"), folder.path().string(), std::string("1")})
        EXPECT_EQ(own_descriptor(name), -1) << name;
}

TEST(OutputPlace, LinksAreFollowedToWhatIsNotThere) {
    const TemporaryFolder folder;
    const fs::path at = folder.path();
    fs::create_symlink("second", at / "first");
    fs::create_symlink(at / "sub/../target", at / "second");
    EXPECT_EQ(link_target(at / "first"), at / "sub/../target");
    EXPECT_EQ(link_target(at / "plain"), at / "plain");
    fs::create_symlink("ring", at / "ring");
    EXPECT_EQ(link_target(at / "ring"), at / "ring");
}

}  // namespace
}  // namespace craft

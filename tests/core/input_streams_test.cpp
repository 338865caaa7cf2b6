#include "core/input_streams.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "tests/core/piped.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::pipe_with;
using test::PipedStdin;

std::string ids_of(const std::string& path) {
    std::string ids;
    JsonLinesReader reader(path, {});
    while (const auto row = reader.next()) ids += row->at("id").get<std::string>();
    return ids;
}

TEST(InputStreams, APipeOfTheShellIsReadAgainAndAgain) {
    const int fd = pipe_with("some bytes\n");
    const std::string name = "/dev/fd/" + std::to_string(fd);
    make_rereadable(name);
    EXPECT_EQ(read_file(name), "some bytes\n");
    EXPECT_EQ(read_file(name), "some bytes\n");
    EXPECT_EQ(file_hash(name), file_hash(name));
    make_rereadable(name);  // nothing is left to keep
    EXPECT_EQ(read_file(name), "some bytes\n");
    ::close(fd);
}

TEST(InputStreams, StdinIsReadAgainAndAgain) {
    for (const std::string id : {"a", "b"}) {  // each its own, also in one process
        const PipedStdin piped("{\"id\":\"" + id + "\"}\n{\"id\":\"z\"}\n");
        make_rereadable("-");
        EXPECT_EQ(ids_of("-"), id + "z");
        make_rereadable("-");
        EXPECT_EQ(ids_of("-"), id + "z");
    }
    const PipedStdin piped("{\"id\":\"c\"}\n");
    EXPECT_EQ(ids_of("-"), "c") << "as it comes where it was not kept";
}

TEST(InputStreams, AFileIsReadFromWhereItStands) {
    const TemporaryFolder folder;
    const std::string path = folder.file("x", "firstsecond");
    const int fd = ::open(path.c_str(), O_RDONLY);
    const std::string name = "/dev/fd/" + std::to_string(fd);
    make_rereadable(name);
    EXPECT_EQ(read_file(name), "firstsecond");
    ::lseek(fd, 5, SEEK_SET);  // as after `(head -c5; craft-train …) < x`
    make_rereadable(name);
    EXPECT_EQ(read_file(name), "second");
    ::close(fd);
    make_rereadable(path);
    EXPECT_EQ(read_file(path), "firstsecond");
}

TEST(InputStreams, WhatCannotBeReadTwiceIsRefused) {
    const TemporaryFolder folder;
    const std::string fifo = (folder.path() / "fifo").string();
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    try {
        make_rereadable(fifo);
        FAIL() << "took a named pipe";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(fifo));
        EXPECT_THAT(error.what(), testing::HasSubstr("named pipe"));
    }
    EXPECT_THROW(make_rereadable("/dev/fd/987"), Error);
    make_rereadable(folder.path() / "missing");  // whoever opens it says so
}

}  // namespace
}  // namespace craft

#include "core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/error.h"
#include "temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using ::testing::Test;

TEST(Files, AtomicWriteReplacesTheWholeFile) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.txt", "an older and longer text");
    write_file_atomic(path, "new");
    EXPECT_EQ(read_file(path), "new");
    EXPECT_EQ(folder.count(), 1u) << "no temporary file stays";
}

TEST(Files, FailedWriteKeepsTheOldFileAndLeavesNothing) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.txt", "old");
    {
        OutputFile file(path);
        file.write("half of the new te");
        file.flush();  // and then an exception: close() is not reached
    }
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(folder.count(), 1u);
}

// Somebody else who may write to the folder knows the temporary name: a link there must lead nowhere, and what a process of
// the same number left behind must not be in the way.
TEST(Files, NothingPlantedUnderTheTemporaryNameIsFollowed) {
    const TemporaryFolder folder;
    const std::string victim = folder.file("victim.txt", "precious");
    const fs::path path = folder.path() / "a.txt";
    fs::create_symlink(victim, temporary_name(path));
    write_file_atomic(path, "new");
    EXPECT_EQ(read_file(victim), "precious");
    EXPECT_EQ(read_file(path), "new");
    EXPECT_FALSE(fs::is_symlink(path));
    folder.file(temporary_name(path).filename().string(), "left by another process");
    write_file_atomic(path, "newer");
    EXPECT_EQ(read_file(path), "newer");
    EXPECT_EQ(folder.count(), 2u);
    fs::create_directory(temporary_name(path));
    EXPECT_THROW(write_file_atomic(path, "newest"), Error);
    EXPECT_EQ(read_file(path), "newer");
}

TEST(Files, HashOfAFolderWithoutAnother) {
    const TemporaryFolder folder;
    folder.file("a/one", "1");
    const std::string alone = file_hash(folder.path());
    folder.file("a/run/manifest.json", "{}");
    EXPECT_NE(file_hash(folder.path()), alone);
    EXPECT_EQ(file_hash(folder.path(), folder.path() / "a" / ".." / "a" / "run"), alone);
    folder.file("a/two", "2");
    EXPECT_NE(file_hash(folder.path(), folder.path() / "a/run"), alone);
}

TEST(Files, RenameOntoAFolderFailsAndRemovesTheTemporary) {
    const TemporaryFolder folder;
    folder.file("taken/inside", "x");
    folder.file("taken.tmp", "new");
    EXPECT_THROW(publish_file(folder.path() / "taken.tmp", folder.path() / "taken"), Error);
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_THROW(OutputFile((folder.path() / "taken").string()), Error);
}

// A pipe stands for all that a rename must never replace; no test goes near a device before this holds.
bool pipes_are_written_directly() {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "pipe").string();
    if (::mkfifo(path.c_str(), 0600) != 0) return false;
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    write_file_atomic(path, "through");
    char bytes[16] = {};
    const ssize_t count = ::read(reader, bytes, sizeof bytes);
    ::close(reader);
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode) && count == 7 && std::string(bytes) == "through";
}

TEST(Files, PipesAndDevicesAreWrittenDirectly) {
    ASSERT_TRUE(pipes_are_written_directly());
    write_file_atomic("/dev/null", "x");
}

TEST(Files, FullDiskIsAnErrorWithTheReason) {
    ASSERT_TRUE(pipes_are_written_directly());
    const std::string message = message_of([] { write_file_atomic("/dev/full", "x"); });
    EXPECT_EQ(message, "/dev/full: cannot write: No space left on device");
}

TEST(Files, ACopyIsWholeOrNotThere) {
    const TemporaryFolder folder;
    const std::string bytes(200'001, 'x');
    const std::string from = folder.file("from", bytes), to = folder.file("to", "older");
    copy_file_atomic(from, to);
    EXPECT_EQ(read_file(to), bytes);
    EXPECT_EQ(message_of([&] { copy_file_atomic(from, "/dev/full"); }), "/dev/full: cannot write: No space left on device");
    const std::string none = (folder.path() / "none").string();
    EXPECT_EQ(message_of([&] { copy_file_atomic(none, to); }), none + ": cannot read: No such file or directory");
    EXPECT_EQ(read_file(to), bytes);
}

TEST(Files, LinksAreFollowedAndModesKept) {
    const TemporaryFolder folder;
    const std::string path = folder.file("real.txt", "old");
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(path, folder.path() / "link.txt");
    write_file_atomic(folder.path() / "link.txt", "new");
    EXPECT_TRUE(fs::is_symlink(folder.path() / "link.txt"));
    EXPECT_EQ(read_file(path), "new");
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(Files, ALinkThatLeadsToNoFileYetGetsOne) {
    const TemporaryFolder folder;
    fs::create_symlink("target.txt", folder.path() / "link.txt");
    write_file_atomic(folder.path() / "link.txt", "new");
    EXPECT_TRUE(fs::is_symlink(folder.path() / "link.txt"));
    EXPECT_EQ(read_file(folder.path() / "target.txt"), "new");
    fs::create_symlink("none/target.txt", folder.path() / "lost.txt");
    EXPECT_EQ(message_of([&] { write_file_atomic(folder.path() / "lost.txt", "new"); }),
              (folder.path() / "lost.txt").string() + ": cannot write: No such file or directory");
    fs::create_symlink("ring.txt", folder.path() / "ring.txt");
    EXPECT_EQ(message_of([&] { write_file_atomic(folder.path() / "ring.txt", "new"); }),
              (folder.path() / "ring.txt").string() + ": cannot write: Too many levels of symbolic links");
    EXPECT_TRUE(fs::is_symlink(folder.path() / "lost.txt") && fs::is_symlink(folder.path() / "ring.txt"));
}

TEST(Files, AKilledProcessLeavesNothing) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.txt", "old");
    const pid_t child = ::fork();
    if (child == 0) {
        OutputFile file(path);
        file.write("half of the new te");
        file.flush();
        ::_exit(0);  // no destructor runs
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_EQ(read_file(path), "old");
}

// What the shell's >(...) and /dev/stdout are: a pipe, or a file that somebody else opened, after a descriptor.
TEST(Files, DescriptorsOfThisProcessAreWrittenAsTheyAre) {
    const TemporaryFolder folder;
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    write_file_atomic("/dev/fd/" + std::to_string(ends[1]), "through");
    char bytes[16] = {};
    EXPECT_EQ(::read(ends[0], bytes, sizeof bytes), 7);
    EXPECT_EQ(std::string(bytes), "through");
    ::close(ends[0]);
    ::close(ends[1]);

    const std::string path = folder.file("log.txt", "before, ");
    const int log = ::open(path.c_str(), O_WRONLY | O_APPEND);
    write_file_atomic("/dev/fd/" + std::to_string(log), "behind");
    ::close(log);
    EXPECT_EQ(read_file(path), "before, behind");
}

TEST(Files, APipeThatNobodyReadsStopsTheWriter) {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    try {
        write_file_atomic("/dev/fd/" + std::to_string(ends[1]), "x");
        ADD_FAILURE() << "written to nobody";
    } catch (const Stopped& stopped) {
        EXPECT_EQ(stopped.signal(), SIGPIPE);
    }
    ::close(ends[1]);
    std::signal(SIGPIPE, before);
}

TEST(Files, MissingAndWrongPathsSayWhy) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.txt", "x");
    EXPECT_EQ(message_of([] { read_file("/nowhere/a"); }), "/nowhere/a: cannot read: No such file or directory");
    EXPECT_EQ(message_of([&] { read_file(folder.path()); }), folder.path().string() + ": cannot read: Is a directory");
    EXPECT_EQ(message_of([&] { ensure_folder(file + "/run"); }), file + "/run: cannot create the folder: Not a directory");
    EXPECT_EQ(message_of([&] { ensure_folder(file); }), file + ": expected a folder, got a file");
    EXPECT_THROW(ensure_folder(""), Error);
    EXPECT_THROW(ensure_folder("/proc/run"), Error);
    EXPECT_THROW(write_file_atomic("/proc/run", "x"), Error);
}

TEST(Files, HashIsThatOfTheBytes) {
    const TemporaryFolder folder;
    // XXH64 of nothing with seed 0, from the algorithm's specification.
    EXPECT_EQ(file_hash(folder.file("empty", "")), "xxh64:ef46db3751d8e999");
    EXPECT_EQ(file_hash(folder.file("a", "abc")), "xxh64:44bc2cf5ad770999");
}

TEST(Files, HashOfAFolderSeesNamesAndBytes) {
    const TemporaryFolder folder;
    folder.file("model/a", "1");
    folder.file("model/sub/b", "2");
    const std::string before = file_hash(folder.path() / "model");
    EXPECT_EQ(file_hash(folder.path() / "model"), before);
    folder.file("model/sub/b", "3");
    const std::string changed = file_hash(folder.path() / "model");
    EXPECT_NE(changed, before);
    fs::rename(folder.path() / "model/a", folder.path() / "model/c");
    EXPECT_NE(file_hash(folder.path() / "model"), changed);
    EXPECT_THROW(file_hash(folder.path() / "none"), Error);
}

}  // namespace
}  // namespace craft

#include "core/file_hash.h"

#include <chrono>

#include "core/files.h"
#include "temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

const std::string kLarge(size_t{1} << 20, 'x');

void let_age(const fs::path& file, std::chrono::seconds age = std::chrono::hours(1)) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - age);
}

// A record with another hash: what hash() gives then shows whether it has read the file.
Json forged(Json records) {
    for (auto& record : records) record["hash"] = "xxh64:remembered";
    return records;
}

TEST(FileHashes, AFileThatStayedAsItWasIsNotReadAgain) {
    const TemporaryFolder folder;
    const fs::path file = folder.file("weights", kLarge);
    let_age(file);
    FileHashes first;
    EXPECT_EQ(first.hash(file), file_hash(file));
    EXPECT_EQ(first.records().size(), 1u);
    FileHashes next(forged(first.records()));
    EXPECT_EQ(next.hash(file), "xxh64:remembered");
    EXPECT_EQ(next.records().size(), 1u) << "for the time after that";
    fs::create_symlink(file, folder.path() / "link");
    EXPECT_EQ(next.hash(folder.path() / "link"), "xxh64:remembered");
    EXPECT_EQ(FileHashes(first.records()).hash(folder.path(), {}), file_hash(folder.path())) << "folders are made of files";
}

TEST(FileHashes, HashesOfTextsAreXxHashsOwn) {
    EXPECT_EQ(hash128_text(""), "99aa06d3014798d86001c324468d497f");  // xxh128sum of nothing
    EXPECT_NE(hash128_text("a"), hash128_text("b"));
}

TEST(FileHashes, AnyChangeIsSeen) {
    const TemporaryFolder folder;
    const fs::path file = folder.file("weights", kLarge);
    const auto write = [&](const std::string& bytes) {
        folder.file("weights", bytes);
        let_age(file);
    };
    write(kLarge);
    const fs::file_time_type recorded = fs::last_write_time(file);
    FileHashes known;
    known.hash(file);
    const Json records = forged(known.records());
    const auto expect_read = [&](const std::string& what) {
        EXPECT_EQ(FileHashes(records).hash(file), file_hash(file)) << what;
    };
    write(kLarge + "y");
    expect_read("another size");
    write(kLarge);
    let_age(file, std::chrono::hours(2));
    expect_read("another time");
    folder.file("weights", std::string(kLarge.size(), 'y'));
    fs::last_write_time(file, recorded);
    ASSERT_EQ(fs::last_write_time(file), recorded);
    expect_read("a time that was set back");
    fs::rename(folder.file("other", kLarge), file);
    let_age(file);
    expect_read("another file under the name");
}

// It may be written again in the same tick of the clock, after it was read.
TEST(FileHashes, AFileThatWasJustWrittenIsNotRemembered) {
    const TemporaryFolder folder;
    const fs::path file = folder.file("weights", kLarge);
    FileHashes known;
    known.hash(file);
    EXPECT_TRUE(known.records().empty());
    let_age(file, std::chrono::seconds(-60));
    known.hash(file);
    EXPECT_TRUE(known.records().empty()) << "from a machine whose clock is fast";
}

TEST(FileHashes, SmallFilesAreReadAndBrokenRecordsLeftOut) {
    const TemporaryFolder folder;
    const fs::path small = folder.file("config.json", "{}"), large = folder.file("weights", kLarge);
    let_age(small);
    let_age(large);
    FileHashes known;
    known.hash(folder.path());
    ASSERT_EQ(known.records().size(), 1u);
    const std::string name = fs::canonical(large).string();
    for (const Json& broken : {Json(), Json("x"), Json::array(), Json{{name, 3}}, Json{{name, {{"hash", "xxh64:forged"}}}},
                               Json{{name, {{"hash", 7}, {"size", kLarge.size()}}}}})
        EXPECT_EQ(FileHashes(broken).hash(large), file_hash(large)) << broken.dump();
}

}  // namespace
}  // namespace craft

#include "core/spool.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

std::string spooled(size_t memory) {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder.path() / "out";
    {
        Spool spool(folder.path(), memory);
        EXPECT_TRUE(spool.empty());
        for (int i = 0; i < 100; ++i) spool.write(std::to_string(i) + "\n");
        EXPECT_FALSE(spool.empty());
        EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "nothing under a name";
        OutputFile file(out.string());
        spool.copy_to(file);
        file.close();
    }
    return read_file(out);
}

TEST(Spools, GiveBackWhatWasWritten) {
    const std::string all = spooled(1 << 20);
    EXPECT_EQ(all.substr(0, 6), "0\n1\n2\n");
    EXPECT_EQ(all.size(), 10u * 2 + 90 * 3);
    for (const size_t memory : {0, 7, 289, 290}) EXPECT_EQ(spooled(memory), all) << memory;
}

TEST(Spools, SayWhereThereIsNoRoom) {
    Spool spool("/nowhere", 1);
    EXPECT_EQ(message_of([&] { spool.write("ab"); }),
              "/nowhere: expected a folder with room for partial results, got No such file or directory");
    const TemporaryFolder folder;
    EXPECT_EQ(spool_folder((folder.path() / "r.json").string()), folder.path());
    folder.file("deep/there.json", "");
    std::filesystem::create_symlink("deep/there.json", folder.path() / "link");
    EXPECT_EQ(spool_folder((folder.path() / "link").string()), folder.path() / "deep");
    EXPECT_EQ(spool_folder("/dev/null"), std::filesystem::temp_directory_path());
    EXPECT_EQ(spool_folder("-"), std::filesystem::temp_directory_path());
}

}  // namespace
}  // namespace craft

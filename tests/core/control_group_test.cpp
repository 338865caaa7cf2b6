#include "core/control_group.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

class ControlGroups : public testing::Test {
protected:
    ControlGroup of(const std::string& groups) const {
        folder_.file("cgroup", groups);
        return this_control_group(folder_.path() / "cgroup", folder_.path());
    }
    void file(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_.path() / name).parent_path());
        folder_.file(name, text);
    }
    const TemporaryFolder folder_;
};

TEST_F(ControlGroups, WithoutLimitsThereAreNone) {
    file("memory.max", "max\n");
    file("cpu.max", "max 100000\n");
    file("memory/memory.limit_in_bytes", "9223372036854771712\n");
    file("cpu/cpu.cfs_quota_us", "-1\n");
    file("cpu/cpu.cfs_period_us", "100000\n");
    for (const std::string groups : {"0::/\n", "4:memory:/\n1:cpu,cpuacct:/\n0::/\n", ""}) {
        EXPECT_EQ(of(groups).memory_bytes, 0) << groups;
        EXPECT_EQ(of(groups).processors, 0) << groups;
    }
}

// Of 1000 bytes 700 are used, 300 of these by caches of files. The step's own limit is wider than its job's.
TEST_F(ControlGroups, TheTightestOfTheSecondVersionCounts) {
    file("job/memory.max", "1000\n");
    file("job/memory.current", "700\n");
    file("job/memory.stat", "anon 400\ninactive_file 100\nactive_file 200\n");
    file("job/step/memory.max", "2000\n");
    file("job/step/memory.current", "10\n");
    file("job/cpu.max", "250000 100000\n");
    file("job/step/cpu.max", "150000 100000\n");
    const ControlGroup group = of("0::/job/step\n");
    EXPECT_EQ(group.memory_bytes, 1000);
    EXPECT_EQ(group.free_memory_bytes, 600);
    EXPECT_DOUBLE_EQ(group.processors, 1.5);
    EXPECT_EQ(of("0::/other\n").memory_bytes, 0);
}

TEST_F(ControlGroups, OfTheFirstVersionEachControllerHasItsOwn) {
    file("memory/slurm/job/memory.limit_in_bytes", "4096\n");
    file("memory/slurm/job/memory.usage_in_bytes", "1096\n");
    file("memory/slurm/job/memory.stat", "cache 7\ninactive_file 9\ntotal_inactive_file 90\ntotal_active_file 6\n");
    file("cpu/slurm/job/cpu.cfs_quota_us", "400000\n");
    file("cpu/slurm/job/cpu.cfs_period_us", "100000\n");
    const ControlGroup group = of("5:cpuset:/slurm/job\n4:memory:/slurm/job\n3:cpu,cpuacct:/slurm/job\n");
    EXPECT_EQ(group.memory_bytes, 4096);
    EXPECT_EQ(group.free_memory_bytes, 3096);
    EXPECT_DOUBLE_EQ(group.processors, 4);
}

// In a container the path is the host's, and what is mounted begins with the container's own group.
TEST_F(ControlGroups, TheRootIsTheContainers) {
    file("memory/memory.limit_in_bytes", "5000\n");
    file("memory/memory.usage_in_bytes", "6000\n");
    EXPECT_EQ(of("4:memory:/docker/0123\n").memory_bytes, 5000);
    EXPECT_EQ(of("4:memory:/docker/0123\n").free_memory_bytes, 0);
}

}  // namespace
}  // namespace craft

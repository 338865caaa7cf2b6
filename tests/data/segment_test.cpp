#include "data/segment.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "data/store.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/random_trajectory.h"

namespace craft {

namespace {

SegmentBuilder some_trajectories(int count) {
    SegmentBuilder builder;
    for (int i = 0; i < count; ++i) {
        Rng rng(3, "segment", static_cast<uint64_t>(i));
        builder.add(test::random_trajectory(rng));
    }
    return builder;
}

// A store whose only segment holds `bytes`, honestly indexed or with the index of the undamaged segment.
std::string read_whole_store(const TemporaryFolder& folder, const std::string& bytes) {
    folder.file("segment-000001.h5", bytes);
    return message_of([&] {
        StoreReader reader(folder.path());
        while (reader.next()) {}
    });
}

}  // namespace

TEST(Segment, SameTrajectoriesSameBytes) {
    EXPECT_EQ(some_trajectories(9).image("a", 4), some_trajectories(9).image("a", 4));
    EXPECT_LT(some_trajectories(200).image("a", 4).size(), some_trajectories(200).image("a", 0).size() / 2);
}

TEST(Segment, TooLargePartsAreRefusedAndLeaveTheBuilderAsItWas) {
    SegmentBuilder builder = some_trajectories(2);
    const std::string before = builder.image("a", 1);
    Trajectory large;
    large.steps.resize(kMaxSteps + 1);
    EXPECT_THROW(builder.add(large), Error);
    EXPECT_EQ(builder.image("a", 1), before);
}

TEST(Segment, ForeignFiles) {
    const TemporaryFolder folder;
    const std::string text = folder.file("text.h5", "not HDF5 at all");
    EXPECT_EQ(message_of([&] { SegmentReader reader(text); }),
              text + ": expected an HDF5 file, got another kind of file, or its beginning is damaged");
    Hdf5Image other("other");
    const std::string foreign = folder.file("foreign.h5", other.bytes());
    EXPECT_EQ(message_of([&] { SegmentReader reader(foreign); }).substr(0, foreign.size() + 34),
              foreign + ": attribute 'format': cannot read:");
    EXPECT_NE(message_of([&] { SegmentReader reader(folder.path() / "none.h5"); }).find("none.h5: cannot read"),
              std::string::npos);
}

// The superblock says where the file ends; HDF5 would ask for memory by it before it looks.
TEST(Segment, AFileSpeaksOfNoMoreThanItHas) {
    const TemporaryFolder folder;
    const std::string whole = some_trajectories(2).image("a", 4);
    const auto refusal = [&](const std::string& bytes) {
        const std::string file = folder.file("a.h5", bytes);
        const std::string message = message_of([&] { SegmentReader reader(file); });
        return message.rfind(file, 0) == 0 ? message.substr(file.size()) : message;
    };
    EXPECT_EQ(refusal(whole), "(nothing thrown)");
    const std::string cut =
        ": expected an HDF5 file with addresses of 8 bytes within the file, got another one (it is damaged, or was cut)";
    EXPECT_EQ(refusal(whole.substr(0, whole.size() - 1)), cut);
    EXPECT_EQ(refusal(whole.substr(0, 100)), cut);
    for (const size_t at : {size_t{13}, size_t{14}, size_t{24}, size_t{46}, size_t{48}}) {
        std::string other = whole;
        other[at] = static_cast<char>(other[at] ^ 4);
        EXPECT_EQ(refusal(other), cut) << at;
    }
    EXPECT_EQ(refusal(whole.substr(0, 20)),
              ": expected an HDF5 file, got another kind of file, or its beginning is damaged");
}

// A dataset's name that leads elsewhere: to another path of the file, or to a column of another file.
TEST(Segment, LinksAreNotFollowed) {
    const TemporaryFolder folder;
    const std::string whole = folder.file("whole.h5", some_trajectories(3).image("a", 4));
    std::vector<std::string> names;
    const hid_t counted = H5Fopen(whole.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Lvisit(
        counted, H5_INDEX_NAME, H5_ITER_INC,
        [](hid_t, const char* name, const H5L_info_t*, void* all) {
            static_cast<std::vector<std::string>*>(all)->emplace_back(name);
            return herr_t{0};
        },
        &names);
    H5Fclose(counted);
    ASSERT_GT(names.size(), 5u);
    for (const std::string& name : names) {
        for (const bool external : {false, true}) {
            const std::string evil = folder.file("evil.h5", read_file(whole));
            const hid_t file = H5Fopen(evil.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
            H5Lmove(file, name.c_str(), file, "/moved", H5P_DEFAULT, H5P_DEFAULT);
            const herr_t made = external ? H5Lcreate_external(whole.c_str(), ("/" + name).c_str(), file, name.c_str(),
                                                              H5P_DEFAULT, H5P_DEFAULT)
                                         : H5Lcreate_soft("/moved", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
            H5Fclose(file);
            ASSERT_GE(made, 0) << name;
            EXPECT_NE(message_of([&] { SegmentReader reader(evil); }).find("links are not followed"), std::string::npos)
                << name << (external ? ", external" : ", soft");
        }
    }
}

TEST(Segment, AnotherVersion) {
    const TemporaryFolder folder;
    Hdf5Image image("later");
    image.set_attribute("format", kStoreFormat);
    image.set_attribute("version", int64_t{2});
    const std::string file = folder.file("later.h5", image.bytes());
    EXPECT_EQ(
        message_of([&] { SegmentReader reader(file); }),
        file + ": expected format version 1, got 2 (read it with the program that wrote it and export it as JSON Lines)");
}

// Files that are good HDF5 and lie about sizes: nothing is allocated, one Error names the dataset.
TEST(Segment, HostileSizes) {
    const TemporaryFolder folder;
    const auto refusal = [&](uint64_t offset, uint64_t steps, int64_t count) {
        Hdf5Image image("hostile");
        image.set_attribute("format", kStoreFormat);
        image.set_attribute("version", kStoreVersion);
        image.set_attribute("trajectories", count);
        image.set_attribute("steps", int64_t{0});
        const std::vector<uint64_t> offsets = {0, offset}, first_step = {0, steps}, none = {0};
        const auto add_texts = [&](const std::string& path, const std::vector<uint64_t>& at) {
            image.add_column<uint8_t>(path + "/bytes", {}, 1);
            image.add_column<uint64_t>(path + "/offsets", at, 1);
        };
        for (const char* name : kTrajectoryTexts) add_texts(std::string("trajectories/") + name, offsets);
        image.add_column<int64_t>("trajectories/domain", std::vector<int64_t>{0}, 1);
        image.add_column<uint64_t>("trajectories/first_step", first_step, 1);
        for (const char* name : kStepTexts) add_texts(std::string("steps/") + name, none);
        for (const char* name : kStepScores) image.add_column<double>(std::string("steps/") + name, {}, 1);
        const std::string file = folder.file("hostile.h5", image.bytes());
        const std::string message = message_of([&] { SegmentReader(file).read(0); });
        return message.rfind(file, 0) == 0 ? message.substr(file.size()) : message;
    };
    EXPECT_EQ(
        refusal(uint64_t{1} << 62, 0, 1),
        ": dataset 'trajectories/id/offsets': expected ascending offsets within 0 bytes, got 0 and 4611686018427387904");
    EXPECT_EQ(refusal(7, 0, 1),
              ": dataset 'trajectories/id/offsets': expected ascending offsets within 0 bytes, got 0 and 7");
    EXPECT_EQ(refusal(0, uint64_t{1} << 62, 1),
              ": dataset 'trajectories/first_step': expected ascending numbers up to 0, got 0 and 4611686018427387904");
    EXPECT_EQ(refusal(0, 0, int64_t{1} << 39), ": dataset 'trajectories/id/offsets': expected 549755813889 elements, got 2");
    EXPECT_EQ(refusal(0, 0, int64_t{1} << 50),
              ": expected sensible numbers of trajectories and steps, got 1125899906842624 and 0");
    EXPECT_EQ(refusal(0, 0, -1), ": expected sensible numbers of trajectories and steps, got -1 and 0");
}

// HDF5 would convert, check or fill in what is here: columns are only read as they are written.
TEST(Segment, ColumnsOfOtherMakesAreRefused) {
    const TemporaryFolder folder;
    const std::string whole = some_trajectories(1).image("a", 4);
    const auto refusal = [&](hid_t type, bool checked, bool written) {
        const std::string path = folder.file("other.h5", whole);
        const hsize_t size = 1;
        const int64_t domain = 1;
        const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t space = H5Screate_simple(1, &size, nullptr), layout = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(layout, 1, &size);
        if (checked) H5Pset_fletcher32(layout);
        H5Ldelete(file, "trajectories/domain", H5P_DEFAULT);
        const hid_t made = H5Dcreate2(file, "trajectories/domain", type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
        if (written) H5Dwrite(made, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &domain);
        for (const hid_t id : {made, space, layout, file}) H5Idec_ref(id);
        const std::string message = message_of([&] { SegmentReader(path).read(0); });
        const std::string start = path + ": dataset 'trajectories/domain': ";
        return message.rfind(start, 0) == 0 ? message.substr(start.size()) : message;
    };
    EXPECT_EQ(refusal(H5T_STD_I64LE, false, true), "(nothing thrown)");
    EXPECT_EQ(refusal(H5T_STD_I32LE, false, true), "expected integers of 64 bits, got another type");
    EXPECT_EQ(refusal(H5T_STD_I64BE, false, true), "expected integers of 64 bits, got another type");
    EXPECT_EQ(refusal(H5T_STD_I64LE, true, true), "expected shuffled and deflated chunks, or plain ones, got other filters");
    EXPECT_EQ(refusal(H5T_STD_I64LE, false, false),
              "expected chunks that take up to 72 bytes in the file, got 0 (the file is damaged)");
}

// A few bytes that claim a quarter of a gigabyte, which HDF5 would make of nothing: beside other texts it is too much.
TEST(Segment, ATrajectoryDoesNotFillTheMemory) {
    const TemporaryFolder folder;
    Trajectory trajectory;
    trajectory.instruction.id = "one";
    trajectory.instruction.instruction = trajectory.instruction.text = "x";
    SegmentBuilder builder;
    builder.add(trajectory);
    const std::string path = folder.file("one.h5", builder.image("one", 1));
    ASSERT_EQ(SegmentReader(path).read(0).instruction.instruction, "x");
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t claimed = kMaxTextBytes, chunk = 1 << 16;
    const uint64_t offsets[] = {0, claimed};
    const hid_t space = H5Screate_simple(1, &claimed, nullptr), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(layout, 1, &chunk);
    H5Ldelete(file, "trajectories/instruction/bytes", H5P_DEFAULT);
    const hid_t bytes =
        H5Dcreate2(file, "trajectories/instruction/bytes", H5T_STD_U8LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    const hid_t at = H5Dopen2(file, "trajectories/instruction/offsets", H5P_DEFAULT);
    const herr_t written = H5Dwrite(at, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, offsets);
    for (const hid_t id : {bytes, at, space, layout, file}) H5Idec_ref(id);
    ASSERT_GE(written, 0);
    EXPECT_EQ(message_of([&] { SegmentReader(path).read(0); }),
              path +
                  ": dataset 'trajectories/instruction/offsets': expected trajectories with texts of at most 268435456 "
                  "bytes, got more");
}

TEST(Segment, EveryTruncationIsOneClearError) {
    const TemporaryFolder folder;
    {
        StoreWriter writer(folder.path());
        for (int i = 0; i < 20; ++i) {
            Rng rng(3, "segment", static_cast<uint64_t>(i));
            writer.append(test::random_trajectory(rng));
        }
        writer.finish();
    }
    const std::string whole = read_file(folder.path() / "segment-000001.h5");
    ASSERT_EQ(read_whole_store(folder, whole), "(nothing thrown)");
    const std::string start =
        (folder.path() / "segment-000001.h5").string() + ": expected " + std::to_string(whole.size()) + " bytes, got ";
    for (size_t size = 0; size < whole.size(); size += 97)
        EXPECT_EQ(read_whole_store(folder, whole.substr(0, size)).rfind(start + std::to_string(size) + " (", 0), 0U) << size;
    for (size_t bit = 0; bit < whole.size() * 8; bit += 1013) {
        std::string flipped = whole;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
        const std::string message = read_whole_store(folder, flipped);
        EXPECT_NE(message.find("segment-000001.h5: expected the bytes that were written (xxh64:"), std::string::npos) << bit;
        EXPECT_EQ(message.find('\n'), std::string::npos);
    }
}

}  // namespace craft

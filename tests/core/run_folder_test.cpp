#include "core/run_folder.h"

#include "core/error.h"
#include "core/files.h"
#include "temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

class Run : public ::testing::Test {
protected:
    RunIdentity identity() {
        RunIdentity made;
        made.command = "sft";
        made.options = {{"train", {{"lr", 0.1}, {"steps", 5}}}, {"data", "d.jsonl"}};
        made.inputs = {folder_.path() / "d.jsonl"};
        made.seed = 3;
        made.command_line = {"craft-train", "sft", "--lr", "0.1"};
        made.configuration = made.options;
        made.configuration["threads"] = 2;
        return made;
    }
    Json manifest() { return read_json_file(out_ / "manifest.json"); }
    // What opening says, or "(nothing thrown)".
    std::string opening(const RunIdentity& other, bool overwrite = false) {
        return message_of([&] { RunFolder::open(out_, other, overwrite); });
    }
    TemporaryFolder folder_;
    std::string data_ = folder_.file("d.jsonl", "{}\n");
    fs::path out_ = folder_.path() / "out";
};

TEST_F(Run, ManifestHoldsWhatWasRun) {
    const RunFolder run = RunFolder::open(out_, identity(), false);
    EXPECT_FALSE(run.finished());
    EXPECT_FALSE(run.resumed());
    const Json written = manifest();
    EXPECT_EQ(written["command"], "sft");
    EXPECT_EQ(written["command_line"], Json({"craft-train", "sft", "--lr", "0.1"}));
    EXPECT_EQ(written["configuration"], identity().configuration);
    EXPECT_EQ(written["seed"], 3);
    EXPECT_EQ(written["versions"]["craft-train"], "0.1.0");
    EXPECT_EQ(written["data_hashes"][data_], file_hash(data_));
    EXPECT_EQ(written["finished"], false);
}

TEST_F(Run, ResumesKeepsCountsAndAddsTime) {
    {
        RunFolder run = RunFolder::open(out_, identity(), false);
        run.count_dropped("too long", 2);
        run.set_dropped("ties", 5);
        run.note("splitter", "simple");
        run.note_version("libtorch", "2.11");
        run.save_manifest();
    }
    Json first = manifest();
    first["wall_seconds"] = 100.0;
    first["peak_memory_bytes"] = int64_t{1} << 50;
    write_json_file(out_ / "manifest.json", first);

    RunFolder run = RunFolder::open(out_, identity(), false);
    EXPECT_TRUE(run.resumed());
    run.count_dropped("too long");
    run.set_dropped("ties", 4);
    run.finish();
    const Json last = manifest();
    EXPECT_EQ(last["dropped"], Json({{"too long", 3}, {"ties", 4}}));
    EXPECT_EQ(last["notes"]["splitter"], "simple");
    EXPECT_EQ(last["versions"]["libtorch"], "2.11");
    EXPECT_EQ(last["resumes"], 1);
    EXPECT_GE(last["wall_seconds"], 100.0);
    EXPECT_LT(last["wall_seconds"], 110.0);
    EXPECT_EQ(last["peak_memory_bytes"], int64_t{1} << 50);
    EXPECT_EQ(last["finished"], true);
}

TEST_F(Run, FinishedRunIsLeftAlone) {
    RunFolder::open(out_, identity(), false).finish();
    const std::string before = read_file(out_ / "manifest.json");
    const RunFolder again = RunFolder::open(out_, identity(), false);
    EXPECT_TRUE(again.finished());
    EXPECT_FALSE(again.resumed());
    EXPECT_EQ(read_file(out_ / "manifest.json"), before);
}

TEST_F(Run, AnotherRunIsRefusedWithTheFirstDifference) {
    RunFolder::open(out_, identity(), false);
    const std::string start = out_.string() + ": expected the run that is there: ";
    const std::string hint = " (give another --out, or --overwrite to start anew)";
    RunIdentity other = identity();
    other.options["train"]["steps"] = 6;
    EXPECT_EQ(opening(other), start + "train.steps 5, got 6" + hint);
    other = identity();
    other.command = "align";
    EXPECT_EQ(opening(other), start + "command \"sft\", got \"align\"" + hint);
    other = identity();
    other.seed = 4;
    EXPECT_EQ(opening(other), start + "seed 3, got 4" + hint);
    other = identity();
    other.inputs.clear();
    EXPECT_NE(opening(other), "(nothing thrown)");
    other = identity();
    other.configuration["threads"] = 9;
    EXPECT_EQ(opening(other), "(nothing thrown)") << "what is not compared may change";
}

TEST_F(Run, ChangedInputsAreRefused) {
    RunFolder::open(out_, identity(), false);
    folder_.file("d.jsonl", "{}\n{}\n");
    EXPECT_NE(opening(identity()).find("input " + data_), std::string::npos);
    EXPECT_NE(opening(identity()).find("content has changed"), std::string::npos);
}

TEST_F(Run, OverwriteEmptiesOnlyFoldersOfOurs) {
    RunFolder::open(out_, identity(), false).finish();
    folder_.file("out/tb/events", "x");
    RunIdentity other = identity();
    other.options["train"]["lr"] = 0.5;
    {
        const RunFolder run = RunFolder::open(out_, other, true);
        EXPECT_FALSE(run.finished());
        EXPECT_FALSE(run.resumed());
    }
    EXPECT_FALSE(fs::exists(out_ / "tb"));

    const std::string photo = folder_.file("holiday/photo.jpg", "x");
    for (const bool overwrite : {false, true}) {
        out_ = folder_.path() / "holiday";
        EXPECT_EQ(opening(identity(), overwrite), out_.string() +
                                                      ": expected an empty folder or a run of craft-train, "
                                                      "got a folder that holds other files (give another --out)");
        EXPECT_TRUE(fs::exists(photo));
    }
    folder_.file("holiday/manifest.json", "{\"program\": \"another\"}");
    EXPECT_NE(opening(identity(), true), "(nothing thrown)");
    EXPECT_TRUE(fs::exists(photo));
}

TEST_F(Run, OverwriteDoesNotEatItsInputs) {
    RunFolder::open(out_, identity(), false);
    RunIdentity other = identity();
    other.inputs = {folder_.file("out/pairs.jsonl", "{}\n")};
    EXPECT_NE(opening(other, true).find("an input outside the folder"), std::string::npos);
    EXPECT_TRUE(fs::exists(out_ / "pairs.jsonl"));
}

TEST_F(Run, TwoProcessesCannotWriteOneRun) {
    const RunFolder run = RunFolder::open(out_, identity(), false);
    for (const bool overwrite : {false, true})
        EXPECT_NE(opening(identity(), overwrite).find("another process is writing"), std::string::npos);
    EXPECT_TRUE(fs::exists(out_ / "manifest.json"));
}

TEST_F(Run, LockGoesWithTheObject) {
    { const RunFolder run = RunFolder::open(out_, identity(), false); }
    EXPECT_EQ(opening(identity()), "(nothing thrown)");
}

TEST_F(Run, LeftoversOfAnInterruptedStartAreNoForeignFiles) {
    folder_.file("out/.lock", "");
    folder_.file("out/manifest.json.tmp-17", "{");
    EXPECT_EQ(opening(identity()), "(nothing thrown)");
}

TEST_F(Run, BrokenManifestsAndMissingInputsSayWhich) {
    RunIdentity other = identity();
    other.inputs = {"/nowhere.jsonl"};
    EXPECT_EQ(opening(other), "/nowhere.jsonl: cannot read: No such file or directory");
    folder_.file("out/manifest.json", "{\"program\"");
    EXPECT_NE(opening(identity()).find("manifest.json: not JSON"), std::string::npos);
    folder_.file("out/manifest.json", "{\"program\": \"craft-train\", \"format\": 99}");
    EXPECT_NE(opening(identity()).find("format: expected 1, got 99"), std::string::npos);
    folder_.file("out/manifest.json", "{\"program\": \"craft-train\", \"format\": 1}");
    EXPECT_NE(opening(identity()).find("command null, got \"sft\""), std::string::npos);
}

TEST_F(Run, UnwritableFoldersSayWhy) {
    out_ = fs::path(data_) / "run";
    EXPECT_EQ(opening(identity()), out_.string() + ": cannot create the folder: Not a directory");
}

TEST_F(Run, StagesAreCompleteWhenTheirMarkerIsWritten) {
    const Stage stage(out_ / "round-1" / "pairs");
    EXPECT_TRUE(fs::is_directory(stage.path()));
    EXPECT_FALSE(stage.complete());
    EXPECT_THROW(stage.summary(), Error);
    stage.mark_complete({{"pairs", 12}});
    EXPECT_TRUE(Stage(out_ / "round-1" / "pairs").complete());
    EXPECT_EQ(stage.summary()["pairs"], 12);
}

TEST(PeakMemory, GrowsWithUse) {
    const int64_t before = peak_memory_bytes();
    const std::string large(size_t{64} << 20, 'x');
    EXPECT_GE(peak_memory_bytes() + (large[5] == 'y' ? 1 : 0), before);
    EXPECT_GE(peak_memory_bytes(), int64_t{64} << 20);
}

}  // namespace
}  // namespace craft

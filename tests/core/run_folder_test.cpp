#include "core/run_folder.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/process_memory.h"
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
    std::vector<std::string> names() {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(out_)) found.push_back(entry.path().filename().string());
        std::sort(found.begin(), found.end());
        return found;
    }
    // What opening says, or "(nothing thrown)".
    std::string opening(const RunIdentity& other, bool overwrite = false) {
        return message_of([&] { RunFolder::open(out_, other, overwrite); });
    }
    // Something that the run has made.
    void work(const std::string& file = "metrics.jsonl") { folder_.file("out/" + file, "{}\n"); }
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

TEST_F(Run, FactsBelongToWhatARunIs) {
    RunIdentity before = identity();
    before.facts = {{"models", {{"openai:own", "one"}}}};
    {
        RunFolder run = RunFolder::open(out_, before, false);
        work();
    }
    EXPECT_EQ(manifest()["facts"], before.facts);
    RunIdentity now = before;
    now.facts["models"]["openai:own"] = "two";
    EXPECT_NE(opening(now).find("models.openai:own \"one\", got \"two\""), std::string::npos) << opening(now);
    EXPECT_EQ(opening(before), "(nothing thrown)");
}

TEST_F(Run, ResumesKeepsCountsAndAddsTime) {
    {
        RunFolder run = RunFolder::open(out_, identity(), false);
        run.set_dropped("too long", 2);
        run.set_dropped("ties", 5);
        run.note("splitter", "simple");
        run.note_version("libtorch", "2.11");
        run.save_manifest();
        work();
    }
    Json first = manifest();
    first["wall_seconds"] = 100.0;
    first["peak_memory_bytes"] = int64_t{1} << 50;
    write_json_file(out_ / "manifest.json", first);

    RunFolder run = RunFolder::open(out_, identity(), false);
    EXPECT_TRUE(run.resumed());
    run.set_dropped("ties", 4);
    run.finish();
    const Json last = manifest();
    EXPECT_EQ(last["dropped"], Json({{"too long", 2}, {"ties", 4}}));
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
    work();
    const std::string start = out_.string() + ": expected the run that is there: ";
    const std::string hint = " (use the earlier value or another --out, or --overwrite to start over)";
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
    work();
    folder_.file("d.jsonl", "{}\n{}\n");
    EXPECT_NE(opening(identity()).find("input " + data_), std::string::npos);
    EXPECT_NE(opening(identity()).find("content has changed"), std::string::npos);
}

// Options that name files are what these hold: another spelling, a copy and a moved model are the same run.
TEST_F(Run, InputsAreKnownByTheirContent) {
    const auto with = [&](const std::string& data, const std::string& system) {
        RunIdentity made = identity();
        made.options = {{"--data", {{"content_of", data}}}, {"--judge", {{"content_of", system}}}};
        made.inputs = {data, folder_.path() / "m", folder_.path() / "a"};
        return made;
    };
    folder_.file("m/config.json", "{}");
    folder_.file("a/adapter_config.json", "{}");
    const std::string judge = "local:" + (folder_.path() / "m").string() + "+" + (folder_.path() / "a").string();
    RunFolder::open(out_, with(data_, judge), false);
    work();
    EXPECT_EQ(opening(with(folder_.path() / "." / "d.jsonl", judge)), "(nothing thrown)");
    EXPECT_EQ(opening(with(folder_.file("copy.jsonl", "{}\n"), judge)), "(nothing thrown)");
    EXPECT_NE(opening(with(data_, "rules")).find("--judge \"local:" + (folder_.path() / "m").string() + " (xxh64:"),
              std::string::npos)
        << opening(with(data_, "rules"));
    const std::string other = folder_.file("other.jsonl", "{}\n{}\n");
    EXPECT_EQ(opening(with(other, judge)), out_.string() + ": expected the run that is there: --data \"" + data_ + " (" +
                                               file_hash(data_) + ")\", got \"" + other + " (" + file_hash(other) +
                                               ")\" (use the earlier value or another --out, or --overwrite to start over)");
    folder_.file("a/adapter_config.json", "{ }");
    EXPECT_NE(opening(with(data_, judge)).find("--judge \"local:"), std::string::npos) << "the adapter has changed";
}

TEST_F(Run, AResumeRemembersWhatTheStartCouldNot) {
    folder_.file("d.jsonl", std::string(size_t{2} << 20, 'x'));
    RunFolder::open(out_, identity(), false);
    work();
    EXPECT_TRUE(manifest()["data_files"].empty()) << "the input was just written";
    fs::last_write_time(data_, fs::file_time_type::clock::now() - std::chrono::hours(1));
    RunFolder::open(out_, identity(), false);
    EXPECT_EQ(manifest()["data_files"].size(), 1u);
}

// What opening believes shows in the hash that it expects.
TEST_F(Run, LargeInputsAreReadOnce) {
    folder_.file("d.jsonl", std::string(size_t{2} << 20, 'x'));
    fs::last_write_time(data_, fs::file_time_type::clock::now() - std::chrono::hours(1));
    RunFolder::open(out_, identity(), false);
    Json first = manifest();
    const std::string name = fs::canonical(data_).string();
    ASSERT_EQ(first["data_files"][name]["hash"], first["data_hashes"][data_]);
    first["data_files"][name]["hash"] = "xxh64:remembered";
    write_json_file(out_ / "manifest.json", first);
    RunFolder::open(out_, identity(), false);
    EXPECT_EQ(manifest()["data_hashes"][data_], "xxh64:remembered") << "a start that made nothing is begun anew";
    work();
    RunFolder::open(out_, identity(), false);
    EXPECT_EQ(manifest()["resumes"], 1);
    fs::last_write_time(data_, fs::file_time_type::clock::now() - std::chrono::hours(2));
    EXPECT_NE(opening(identity()).find("got \"" + file_hash(data_) + "\" (its content has changed)"), std::string::npos);
}

TEST_F(Run, OverwriteEmptiesOnlyFoldersOfOurs) {
    RunFolder::open(out_, identity(), false).finish();
    folder_.file("out/tb/events", "x");
    RunIdentity other = identity();
    other.options["train"]["lr"] = 0.5;
    {
        RunFolder run = RunFolder::open(out_, other, true);
        EXPECT_FALSE(run.finished());
        EXPECT_FALSE(run.resumed());
        EXPECT_FALSE(fs::exists(out_ / "tb"));
        work();
        run.finish();
    }
    EXPECT_FALSE(fs::exists(out_ / "tb"));
    EXPECT_EQ(names(), (std::vector<std::string>{".lock", "manifest.json", "metrics.jsonl"}));

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

// A finished run with a file; what it holds afterwards shows which run is there.
TEST_F(Run, OverwriteKeepsTheFormerRunUntilThereIsANewOne) {
    RunFolder::open(out_, identity(), false).finish();
    work("adapter/weights");
    const std::string former = read_file(out_ / "manifest.json");
    RunIdentity other = identity();
    other.seed = 4;
    {
        RunFolder run = RunFolder::open(out_, other, true);
        EXPECT_FALSE(fs::exists(out_ / "adapter"));
        run.note("read", true);
        run.save_manifest();
        work("adapter/half");
    }
    EXPECT_FALSE(fs::exists(out_ / "adapter/half")) << "what a run made that found its inputs unfit";
    EXPECT_EQ(read_file(out_ / "manifest.json"), former);
    EXPECT_TRUE(fs::exists(out_ / "adapter/weights"));
    EXPECT_EQ(names(), (std::vector<std::string>{".lock", "adapter", "manifest.json"}));
    {
        RunFolder run = RunFolder::open(out_, other, true);
        run.replace_former();
    }
    EXPECT_EQ(manifest()["seed"], 4);
    EXPECT_EQ(names(), (std::vector<std::string>{".lock", "manifest.json"}));
}

// The folder as a process leaves it that is killed while it overwrites.
TEST_F(Run, AKilledOverwriteIsSettledByTheNextStart) {
    const auto begin = [&] {
        fs::remove_all(out_);
        RunFolder::open(out_, identity(), false).finish();
        work("adapter/weights");
        fs::create_directory(out_ / ".former");
    };
    const auto expect_former = [&](const std::string& when) {
        EXPECT_TRUE(RunFolder::open(out_, identity(), false).finished()) << when;
        EXPECT_TRUE(fs::exists(out_ / "adapter/weights")) << when;
        EXPECT_FALSE(fs::exists(out_ / ".former")) << when;
    };
    begin();
    fs::rename(out_ / "adapter", out_ / ".former/adapter");
    expect_former("while the former run was set aside, or put back");
    begin();
    fs::rename(out_ / "adapter", out_ / ".former/adapter");
    fs::rename(out_ / "manifest.json", out_ / ".former/manifest.json");
    expect_former("before the new manifest");
    begin();
    fs::rename(out_ / "adapter", out_ / ".former/adapter");
    fs::copy_file(out_ / "manifest.json", out_ / ".former/manifest.json");
    expect_former("before the new run made anything");
    begin();
    fs::rename(out_ / "adapter", out_ / ".former/adapter");
    fs::rename(out_ / "manifest.json", out_ / ".former/manifest.json");
    work();
    folder_.file("out/manifest.json", "{\"program\": \"craft-train\", \"format\": 1}");
    expect_former("after the new run made something, and before it found its inputs fit");
}

TEST_F(Run, AStartThatMadeNothingIsNoObstacle) {
    RunFolder::open(out_, identity(), false);
    RunIdentity other = identity();
    other.seed = 4;
    EXPECT_EQ(opening(other), "(nothing thrown)");
    EXPECT_EQ(manifest()["seed"], 4);
    work("tb/events");
    EXPECT_NE(opening(identity()).find("seed 4, got 3"), std::string::npos);
}

TEST_F(Run, OverwriteTakesAManifestThatCannotBeRead) {
    for (const std::string broken : {"{\"program\"", R"({"program": "craft-train", "format": 99})"}) {
        RunFolder::open(out_, identity(), true);
        folder_.file("out/manifest.json", broken);
        work("adapter/weights");
        EXPECT_NE(opening(identity()), "(nothing thrown)");
        { const RunFolder run = RunFolder::open(out_, identity(), true); }
        EXPECT_EQ(read_file(out_ / "manifest.json"), broken) << "nothing replaced it";
        {
            RunFolder run = RunFolder::open(out_, identity(), true);
            work();
            run.finish();
        }
        EXPECT_EQ(manifest()["seed"], 3);
        EXPECT_FALSE(fs::exists(out_ / "adapter"));
    }
    folder_.file("site/manifest.json", "{'name': 'a web page'}");
    out_ = folder_.path() / "site";
    EXPECT_NE(opening(identity(), true).find("not JSON"), std::string::npos) << "no folder of ours";
}

TEST_F(Run, AnInputMayHoldTheRun) {
    RunIdentity inside = identity();
    folder_.file("model/config.json", "{}");
    inside.inputs = {folder_.path() / "model"};
    out_ = folder_.path() / "model" / "runs" / "a";
    RunFolder::open(out_, inside, false).finish();
    EXPECT_TRUE(RunFolder::open(out_, inside, false).finished());
    folder_.file("model/config.json", "{\"layers\": 2}");
    EXPECT_NE(opening(inside).find("content has changed"), std::string::npos);
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
    work();
    EXPECT_NE(opening(identity()).find("version of craft-train an older one, got 0.1.0"), std::string::npos);
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
    const int64_t before = peak_resident_bytes();
    const std::string large(size_t{64} << 20, 'x');
    EXPECT_GE(peak_resident_bytes() + (large[5] == 'y' ? 1 : 0), before);
    EXPECT_GE(peak_resident_bytes(), int64_t{64} << 20);
}

}  // namespace
}  // namespace craft

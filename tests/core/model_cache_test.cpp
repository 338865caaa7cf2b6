#include "core/model_cache.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "core/error.h"
#include "temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// Set for a test, and afterwards as it was.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        set(value);
    }
    ~Variable() { set(before_ ? before_->c_str() : nullptr); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    void set(const char* value) const { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

class ModelCache : public ::testing::Test {
protected:
    // A file as huggingface_hub keeps it: a link of the snapshot to a blob.
    void store(const std::string& name, const std::string& bytes) {
        folder_.file("hub/models--org--tiny-1.5/blobs/" + name + "-hash", bytes);
        fs::create_directories(snapshot_);
        fs::create_symlink("../../blobs/" + name + "-hash", snapshot_ / name);
    }
    void refer(const std::string& revision) { folder_.file("hub/models--org--tiny-1.5/refs/main", revision); }
    std::string problem() const {
        try {
            return "no error: " + named_model("org/tiny-1.5").string();
        } catch (const Error& error) {
            return error.what();
        }
    }

    TemporaryFolder folder_;
    fs::path hub_ = folder_.path() / "hub", snapshot_ = hub_ / "models--org--tiny-1.5" / "snapshots" / "abc123";
    Variable cache_{"HF_HUB_CACHE", hub_.c_str()};
};

TEST_F(ModelCache, LiesWhereHuggingFaceHasIt) {
    const Variable home("HF_HOME", "/hf"), xdg("XDG_CACHE_HOME", "/xdg"), user("HOME", "/home/me");
    EXPECT_EQ(model_cache(), hub_);
    cache_.set("");
    EXPECT_EQ(model_cache(), "/hf/hub");
    home.set(nullptr);
    EXPECT_EQ(model_cache(), "/xdg/huggingface/hub");
    xdg.set(nullptr);
    EXPECT_EQ(model_cache(), "/home/me/.cache/huggingface/hub");
}

TEST_F(ModelCache, ANameLeadsToTheSnapshotOfMain) {
    store("config.json", "{}");
    refer("abc123\n");
    EXPECT_EQ(named_model("org/tiny-1.5"), snapshot_);
    for (const std::string other : {"org/unknown", "tiny-1.5", "org/tiny-1.5/", "../tiny-1.5", "a/b/c", "org/", "/org"})
        EXPECT_EQ(named_model(other), other);
}

TEST_F(ModelCache, SaysHowToGetWhatItLacks) {
    EXPECT_THAT(download_hint("org/unknown"),
                AllOf(HasSubstr("no such path"), HasSubstr(model_cache().string()), HasSubstr("`hf download org/unknown`")));
    store("config.json", "{}");
    refer("abc123\n");
    EXPECT_THAT(download_hint("org/tiny-1.5"), HasSubstr("models--org--tiny-1.5"));
    for (const std::string other : {"tiny-1.5", "../tiny-1.5", "a/b/c", "/tmp", "org/"}) EXPECT_EQ(download_hint(other), "");
    const fs::path before = fs::current_path();
    fs::current_path(folder_.path());
    fs::create_directories("runs");
    EXPECT_EQ(download_hint("runs/unknown"), "") << "rather a path that is misspelt";
    fs::current_path(before);
}

TEST_F(ModelCache, APathThatExistsWins) {
    store("config.json", "{}");
    refer("abc123");
    fs::create_directories(folder_.path() / "org" / "tiny-1.5");
    const fs::path before = fs::current_path();
    fs::current_path(folder_.path());
    EXPECT_EQ(named_model("org/tiny-1.5"), "org/tiny-1.5");
    fs::current_path(before);
}

TEST_F(ModelCache, AGgufFileMayBeTheModel) {
    store("tiny.gguf", "GGUF");
    refer("abc123");
    EXPECT_EQ(named_model("org/tiny-1.5"), snapshot_ / "tiny.gguf");
    store("small.gguf", "GGUF");
    EXPECT_THAT(problem(), AllOf(HasSubstr("got 2 GGUF files"), HasSubstr("give the path")));
}

TEST_F(ModelCache, WhatIsMissingInItIsNamed) {
    store("config.json", "{}");
    EXPECT_THAT(problem(), HasSubstr("refs/main: expected the revision of org/tiny-1.5, got no such file"));
    refer("another");
    EXPECT_THAT(problem(), HasSubstr("got 'another' (download org/tiny-1.5 again)"));
    refer("../../../elsewhere");
    EXPECT_THAT(problem(), HasSubstr("expected a revision that is in snapshots/"));
    refer("abc123");
    store("model.safetensors", "weights");
    fs::remove(hub_ / "models--org--tiny-1.5" / "blobs" / "model.safetensors-hash");
    EXPECT_THAT(problem(), AllOf(HasSubstr("model.safetensors: expected a file of the Hugging Face cache"),
                                 HasSubstr("blobs/model.safetensors-hash, which is gone")));
}

}  // namespace
}  // namespace craft

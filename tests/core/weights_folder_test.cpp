#include "core/weights_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

// Runs in a folder of its own, with the shipped files of another.
class WeightsPlace : public ::testing::Test {
protected:
    WeightsPlace() : before_(fs::current_path()) {
        if (const char* share = std::getenv("CRAFT_SHARE")) share_before_ = share;
        fs::create_directories(tree_.path() / "share");
        ::setenv("CRAFT_SHARE", (tree_.path() / "share").c_str(), 1);
        fs::current_path(here_.path());
    }
    ~WeightsPlace() override {
        fs::current_path(before_);
        if (share_before_.empty()) {
            ::unsetenv("CRAFT_SHARE");
        } else {
            ::setenv("CRAFT_SHARE", share_before_.c_str(), 1);
        }
    }
    fs::path before_;
    std::string share_before_;
    TemporaryFolder here_, tree_;
};

TEST_F(WeightsPlace, IsHereThenBesideShippedFiles) {
    EXPECT_EQ(weights_place("tables/a.csv"), fs::path("weights/tables/a.csv")) << "nowhere: for the message";
    tree_.file("weights/tables/a.csv", "x");
    EXPECT_EQ(weights_place("tables/a.csv"), tree_.path() / "weights/tables/a.csv");
    here_.file("weights/tables/a.csv", "x");
    EXPECT_EQ(weights_place("tables/a.csv"), fs::path("weights/tables/a.csv"));
}

TEST_F(WeightsPlace, OfAFolderGoesByAFileWithinIt) {
    here_.file("weights/model/other", "x");
    tree_.file("weights/model/config.cfg", "x");
    EXPECT_EQ(weights_place("model", "config.cfg"), tree_.path() / "weights/model");
    EXPECT_EQ(weights_place("model"), fs::path("weights/model"));
}

}  // namespace
}  // namespace craft

// Rounds on a planner that babbles, for the tests of align().
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "align/align.h"
#include "core/files.h"
#include "core/json.h"
#include "tests/align/tiny_planner.h"
#include "tests/core/temporary_folder.h"

namespace craft::test {

// A summary without what the clock says.
inline Json timeless(Json value) {
    if (value.is_object()) {
        for (const char* key : {"seconds", "generation_seconds", "train_tokens_per_second"}) value.erase(key);
        for (auto& [key, member] : value.items()) member = timeless(member);
    } else if (value.is_array()) {
        for (auto& member : value) member = timeless(member);
    }
    return value;
}

class Align : public ::testing::Test {
protected:
    // One model for all tests of a program.
    static void SetUpTestSuite() {
        model_ = std::filesystem::temp_directory_path() / ("craft-align-model-" + std::to_string(::getpid()));
        std::filesystem::remove_all(model_);
        make_tiny_planner(model_);
    }
    static void TearDownTestSuite() { std::filesystem::remove_all(model_); }

    struct Run {
        Summary summary;
        Planner planner;
    };

    // From the planner as it comes, without an adapter.
    Run run(const AlignOptions& options, const std::filesystem::path& folder) {
        Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
        RevisionEnvironment environment = environment_of(planner);
        const AlignInputs inputs{some_texts("train", 8), some_instructions(environment, "select", 4),
                                 some_instructions(environment, "dev", 4)};
        Summary summary = align(planner, environment, inputs, options, folder, "base");
        return {std::move(summary), std::move(planner)};
    }

    static std::vector<std::string> names(const Summary& summary) {
        std::vector<std::string> out;
        for (const auto& stage : summary.stages) out.push_back(stage.name);
        return out;
    }
    static Json first_row(const std::filesystem::path& file) { return JsonLinesReader(file.string()).next().value(); }
    static void expect_no_change(const std::filesystem::path& adapter_folder) {
        Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
        planner.load_adapter(adapter_folder);
        for (const auto& [name, leaf] : planner.decoder.trainable())
            EXPECT_EQ(leaf.abs().max().item<float>() > 0, name.ends_with("lora_A.weight")) << name;
    }
    static std::string adapter(const std::filesystem::path& folder) {
        return read_file(folder / "adapter_model.safetensors");
    }

    inline static std::filesystem::path model_;
    TemporaryFolder folder_;
};

}  // namespace craft::test

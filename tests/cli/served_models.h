// Small models after a real server, `transformers serve`, for commands that ask hosted models.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/parity/model_server.h"

namespace craft::test {

// A test that serves models begins with CRAFT_NEEDS_MODEL_SERVER().
class ServedModels : public testing::Test {
protected:
    // `name` is a folder of this test's, and the profile in config.json. `says`: as make_served.py has it.
    void make_and_serve(const std::string& name, const std::string& says = "") {
        const std::string more = says.empty() ? "" : "--says '" + says + "'";
        ASSERT_TRUE(run_parity_script("make_served.py", at(name), more));
        serve(name);
    }
    void serve(const std::string& name) {
        servers_.push_back(std::make_unique<ModelServer>(at(name), folder_.path() / ("server-" + name)));
        ASSERT_NE(servers_.back()->url(), "") << servers_.back()->log();
        // Without a config that samples the server would give a question that is asked again the same answer.
        const Json sampling = {{"do_sample", true}, {"eos_token_id", 2}, {"pad_token_id", 0}};
        profiles_[name] = {{"base_url", servers_.back()->url()},
                           {"model", at(name)},
                           {"extra_body", {{"generation_config", sampling.dump()}}}};
        folder_.file("config.json", Json{{"openai", profiles_}}.dump());
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    // Of a run without a usable answer those that it left beside its output; likewise its manifest.
    std::vector<Json> rows(const std::string& file) const {
        std::vector<Json> all;
        const bool is_written = std::filesystem::exists(at(file));
        JsonLinesReader reader(at(is_written ? file : file + ".partial"));
        while (auto row = reader.next()) {
            if (is_written)
                all.push_back(std::move(*row));
            else if (row->contains("row"))
                all.push_back((*row)["row"]);
        }
        return all;
    }
    Json manifest(const std::string& file) const {
        const bool is_written = std::filesystem::exists(at(file));
        return read_json_file(at(file + (is_written ? ".manifest.json" : ".partial.manifest.json")));
    }

    TemporaryFolder folder_;

private:
    std::vector<std::unique_ptr<ModelServer>> servers_;
    Json profiles_ = Json::object();
};

}  // namespace craft::test

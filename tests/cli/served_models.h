// Small models behind a real server, `transformers serve`, for commands that ask hosted models.
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
    std::vector<Json> rows(const std::string& file) const {
        std::vector<Json> all;
        JsonLinesReader reader(at(file));
        while (auto row = reader.next()) all.push_back(std::move(*row));
        return all;
    }
    Json manifest(const std::string& file) const { return read_json_file(at(file + ".manifest.json")); }

    TemporaryFolder folder_;

private:
    std::vector<std::unique_ptr<ModelServer>> servers_;
    Json profiles_ = Json::object();
};

}  // namespace craft::test

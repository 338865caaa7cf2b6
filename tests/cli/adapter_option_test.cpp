#include <gmock/gmock.h>

#include <sstream>

#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;

// Every command that has the option, however the folder is given.
TEST(AdapterOption, ARunFolderStandsForItsAdapter) {
    const TemporaryFolder folder;
    folder.file("run/adapter/adapter_config.json", "{}");
    const std::string run = (folder.path() / "run").string(),
                      config = folder.file("c.json", "{\"adapter\": \"" + run + "\"}");
    int found = 0;
    for (const Command& command : commands()) {
        if (test::help_of(command).find("--adapter ") == std::string::npos) continue;
        ++found;
        for (const test::Arguments& given :
             {test::Arguments{"--adapter", run}, test::Arguments{"--adapter", run + "/adapter"},
              test::Arguments{"--config", config}, test::Arguments{"--set", "adapter=" + run}}) {
            test::Arguments arguments = test::words_of(command.name);
            arguments.insert(arguments.end(), given.begin(), given.end());
            arguments.push_back("--dump-config");
            const test::Outcome outcome = test::run_command(arguments);
            EXPECT_THAT(outcome.out, HasSubstr("\"adapter\": \"" + run + "/adapter\"")) << command.name << outcome.err;
        }
    }
    EXPECT_GE(found, 6);
}

}  // namespace
}  // namespace craft

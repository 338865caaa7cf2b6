// What all commands check of their common options.
#include <gmock/gmock.h>

#include "core/machine.h"
#include "tests/cli/command_inputs.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

struct CommonOptionsOfCommands : test::CommandInputs {};

TEST_F(CommonOptionsOfCommands, MoreThreadsThanProcessorsAreWarnedOf) {
    const int64_t processors = this_machine().cores;
    for (const test::Arguments& command :
         std::vector<test::Arguments>{{"constraints", "--texts", "{dir}/text.jsonl", "--count", "1", "--output", "-"},
                                      {"eval", "metric", "fkgl", "--input", "{dir}/text.jsonl", "--output", "-"},
                                      {"tokenize", "--model", "{model}", "--input", "{dir}/text.jsonl", "--output", "-"},
                                      {"score", "--model", "{model}", "--input", "{dir}/sft.jsonl", "--output", "-"}}) {
        const auto warned = [&](int64_t threads) {
            test::Arguments arguments = test::filled(test::filled(command, "{dir}", dir()), "{model}", test::tiny_model());
            arguments.insert(arguments.end(), {"--threads", std::to_string(threads), "--quiet"});
            return test::run_command(arguments).err;
        };
        const std::string some = std::to_string(processors) + (processors == 1 ? " processor" : " processors");
        EXPECT_THAT(warned(processors + 1),
                    HasSubstr("warning: --threads: " + std::to_string(processors + 1) + " threads on " + some))
            << command[0];
        EXPECT_THAT(warned(processors), Not(HasSubstr("--threads"))) << command[0];
    }
}

}  // namespace
}  // namespace craft

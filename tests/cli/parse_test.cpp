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

// What stands wrongly on a command line is told in our words, each problem once.
TEST_F(CommonOptionsOfCommands, BrokenCommandLinesAreToldInOurWords) {
    const auto errors = [](const test::Arguments& more) {
        test::Arguments arguments = {"loss"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::run_command(arguments).errors();
    };
    using testing::Contains;
    EXPECT_THAT(errors({"--model"}), testing::AllOf(Contains("--model: expected a value, got none"),
                                                    Not(Contains(testing::StartsWith("missing --model")))));
    EXPECT_THAT(errors({"--model", "--input", "i"}),
                testing::AllOf(Contains("--model: expected a value, got the option --input"),
                               Not(Contains(testing::StartsWith("missing --model")))));
    EXPECT_THAT(errors({"--micro-batch-tokens", "1e400"}),
                Contains("--micro-batch-tokens: expected an integer, got '1e400'"));
    for (const auto& negative : std::vector<test::Arguments>{{"--micro-batch-tokens", "-3"}, {"--micro-batch-tokens=-3"}})
        EXPECT_THAT(errors(negative), Contains("--micro-batch-tokens: expected at least 0, got -3"));
    EXPECT_THAT(errors({"--micro-batch-tokens", "1", "--micro-batch-tokens=2"}),
                Contains("--micro-batch-tokens: given twice, as '1' and as '2'"));
    EXPECT_THAT(errors({"--skip-bad-lines=maybe"}), Contains("--skip-bad-lines: expected true or false, got 'maybe'"));
    EXPECT_THAT(errors({"--", "--model"}), Contains("unexpected argument '--model'"));
    EXPECT_THAT(test::run_command({"eval", "metric", "--", "--saari"}).errors(),
                Contains(HasSubstr("unknown metric '--saari'")));
    EXPECT_THAT(errors({"--modle", "m"}), Contains("unknown option '--modle'; did you mean '--model'?"));
    EXPECT_THAT(errors({"-m", "m"}), Contains("unknown option '-m' (--help lists the known ones)"));
    EXPECT_THAT(errors({"--config"}), Contains("--config: expected a value, got none"));
    EXPECT_THAT(errors({"--set", "a"}), Contains("--set: expected KEY=VALUE, got 'a'"));
    EXPECT_THAT(errors({"--device", "gpu"}), Contains(HasSubstr("did you mean 'cuda'?")));
    EXPECT_THAT(errors({"--dtype", "bfloat"}), Contains(HasSubstr("did you mean 'bfloat16'?")));
}

TEST_F(CommonOptionsOfCommands, NamesAreFoundNearTheirMistypedForms) {
    const auto error = [](const test::Arguments& arguments) { return test::failure_of(arguments); };
    EXPECT_THAT(error({"algin"}), HasSubstr("unknown command 'algin'; did you mean 'align'?"));
    EXPECT_THAT(error({"evl", "metric"}), HasSubstr("did you mean 'eval metric'?"));
    EXPECT_THAT(error({"eval", "metrics"}), HasSubstr("did you mean 'eval metric'?"));
    EXPECT_THAT(error({"evall", "--help"}), HasSubstr("did you mean 'eval'?"));
    const auto said = [](const test::Arguments& arguments) { return test::run_command(arguments).err; };
    EXPECT_THAT(said({"sft", "--loss", "sfft"}), HasSubstr("; did you mean 'sft'?"));
    EXPECT_THAT(said({"revise", "--method", "serach"}), HasSubstr("; did you mean 'search'?"));
    EXPECT_THAT(said({"constraints", "--domain", "c11"}), HasSubstr("; did you mean 'c1'?"));
    EXPECT_THAT(said({"gec", "--tools", "spell_chek"}), HasSubstr("; did you mean 'spell_check'?"));
    EXPECT_THAT(said({"gec", "--model", "rule"}), HasSubstr("; did you mean 'rules'?"));
    EXPECT_THAT(said({"eval", "editeval", "--datasets", "jfelg"}), HasSubstr("; did you mean 'jfleg'?"));
    EXPECT_THAT(said({"eval", "metric", "saari", "--input", "i"}), HasSubstr("; did you mean 'sari'?"));
    EXPECT_THAT(said({"sft", "--lora-targets", "q_prj"}), HasSubstr("; did you mean 'q_proj'?"));
    EXPECT_THAT(said({"sft", "--set", "train.schedule=cosin"}), HasSubstr("; did you mean 'cosine'?"));
}

}  // namespace
}  // namespace craft

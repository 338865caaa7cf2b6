// Rows without an id: every command gives them the same one, by which the next command finds them.
#include <gmock/gmock.h>

#include "core/json.h"
#include "tests/cli/command_inputs.h"
#include "tests/model/random_model.h"

namespace craft {
namespace {

using test::Arguments;

struct RowIds : test::CommandInputs {
    std::vector<Json> ids_of(Arguments command) {
        const std::string output = dir() + "/ids.jsonl";
        command.insert(command.end(), {"--output", output, "--overwrite"});
        const test::Outcome outcome = test::run_command(command);
        // A run whose answers are all cut leaves its rows beside the output.
        const bool is_written = std::filesystem::exists(output);
        const std::string file = is_written ? output : output + ".partial";
        EXPECT_TRUE(std::filesystem::exists(file)) << command[0] << ": " << outcome.err;
        std::vector<Json> ids;
        JsonLinesReader rows(file, {.number_rows = false});
        while (const auto line = rows.next())
            if (const Json row = is_written ? *line : line->value("row", Json()); !row.is_null())
                ids.push_back(row.value("id", Json("none")));
        std::filesystem::remove(file);
        return ids;
    }
};

TEST_F(RowIds, ByLineNumbersAreTheSameInAllCommands) {
    const std::string row = R"("prompt":"a b","completion":"c","instruction":"Cut:","text":"It is very cold .")";
    const std::string input = folder_.file("no_ids.jsonl", "{" + row + "}\n\n{" + row + "}\n");
    const std::string chats = folder_.file("chats.jsonl",
                                           "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n\n"
                                           "{\"messages\":[{\"role\":\"user\",\"content\":\"b\"}]}\n");
    const std::string plain = folder_.file("lines.txt", "It is very cold .\n\nIt is very cold .\n");
    const std::string model = test::tiny_model(), local = "local:" + model;
    const std::vector<Json> first_and_third = {"1", "3"};
    for (const Arguments& command : std::vector<Arguments>{
             {"tokenize", "--model", model, "--input", input},
             {"chat", "--model", model, "--input", chats},
             {"generate", "--model", model, "--input", input, "--max-new-tokens", "2"},
             {"score", "--model", model, "--input", input},
             {"embed", "--model", test::kShare + "/examples/encoder", "--input", input},
             {"simplify", "run", "--model", "rules:copy", "--policy", "lexical", "--input", input},
             {"gec", "--model", local, "--method", "zero_shot", "--max-new-tokens", "2", "--input", input},
             {"revise", "--reviser", local, "--method", "direct", "--scorers", "none", "--set",
              "reviser_sampling.max_new_tokens=2", "--input", input}})
        EXPECT_EQ(ids_of(command), first_and_third) << command[0];
    EXPECT_EQ(ids_of({"gec", "--model", local, "--method", "zero_shot", "--max-new-tokens", "2", "--input", plain}),
              (std::vector<Json>{"1", "2", "3"}));
}

}  // namespace
}  // namespace craft

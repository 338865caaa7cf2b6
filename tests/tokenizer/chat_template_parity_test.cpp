#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "core/json.h"
#include "tests/parity/run_python.h"
#include "tokenizer/chat_files.h"
#include "tokenizer/jinja_chat.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

Conversation conversation_of(const Json& row) {
    Conversation made;
    made.messages = row["messages"];
    made.tools = row["tools"];
    made.variables = row["variables"];
    made.generation_prompt = row["generation_prompt"];
    made.continue_final = row["continue_final"];
    return made;
}

// Every template and conversation that tests/parity/make_chats.py gives to transformers: the same text, or both refuse.
TEST(TransformersParity, ChatTemplates) {
    CRAFT_NEEDS_PARITY_PYTHON();
    const fs::path folder = fs::temp_directory_path() / ("craft-chats-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    ASSERT_TRUE(test::run_parity_script("make_chats.py", folder));
    JsonLinesReader rows((folder / "chats.jsonl").string());
    std::map<std::string, int> wrong;
    int64_t equal = 0, refused = 0;
    while (const auto row = rows.next()) {
        const std::string name = (*row)["name"];
        ChatFiles files;
        files.main = {(*row)["template"].get<std::string>(), name};
        for (const auto& [key, value] : (*row)["special"].items()) files.special_tokens.emplace_back(key, value);
        Json got;
        std::string problem;
        try {
            got = JinjaChat(name, files).render(conversation_of((*row)["conversation"]));
        } catch (const Error& error) {
            problem = error.what();
        }
        if (got == (*row)["text"]) {
            ++(got.is_null() ? refused : equal);
            continue;
        }
        if (++wrong[name] <= 2)
            ADD_FAILURE() << name << "\n  conversation " << dump_line((*row)["conversation"]) << "\n  theirs "
                          << dump_line((*row)["text"]) << " " << row->value("error", "") << "\n  ours   " << dump_line(got)
                          << " " << problem;
    }
    for (const auto& [name, count] : wrong) std::cout << name << ": " << count << " differences\n";
    std::cout << equal << " equal texts, " << refused << " refused by both\n";
    EXPECT_GT(equal, 100);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace craft

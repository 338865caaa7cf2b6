#include <gtest/gtest.h>

#include "core/json.h"
#include "model/chat/chat_template.h"
#include "tests/model/tokenizer/small_tokenizer.h"
#include "tests/parity/run_python.h"

namespace craft {
namespace {

TEST(TransformersParity, TokenizerFolder) {
    CRAFT_NEEDS_PARITY_PYTHON();
    const test::TokenizerFolder folder("tokenizer-parity");
    const auto tokenizer = open_tokenizer(folder.path);
    const auto chat = open_chat_template(folder.path);
    Json expected = {{"texts", Json::array()}, {"chats", Json::array()}};
    for (const std::string text :
         {"The quiet river.", " two  blanks ", "day 2024\n\nThen", "caf\xc3\xa9 \xe6\xbc\xa2\xf0\x9f\x98\x80", "",
          "a<|im_end|>b</s> c", "\ttab\r\n", "###THOUGHT: x = f(\"y\", 3)\n```python\n"})
        expected["texts"].push_back({{"text", text}, {"ids", tokenizer->encode(text, true)}});
    const std::vector<Message> talk = {
        {Role::system, "Revise."}, {Role::user, "the river\nflows"}, {Role::assistant, "done!"}, {Role::tool, "0"}};
    for (const bool prompt : {false, true})
        expected["chats"].push_back({{"messages", to_json(talk)},
                                     {"generation_prompt", prompt},
                                     {"text", chat->render(talk, {.generation_prompt = prompt})},
                                     {"ids", chat->encode(*tokenizer, talk, {.generation_prompt = prompt}).tokens}});
    write_json_file(folder.path / "expected.json", expected);
    EXPECT_TRUE(test::run_parity_script("compare_tokenizer.py", folder.path));
}

}  // namespace
}  // namespace craft

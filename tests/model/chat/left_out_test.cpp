// Calls and tools that a template does not print.
#include <gtest/gtest.h>

#include <map>

#include "core/files.h"
#include "core/json.h"
#include "model/chat/chat_template.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

using test::TokenizerFolder;

// A question with tools, a call without content, one with, and an answer.
Conversation calling() {
    Conversation talk = {{Role::user, "a"},      {Role::assistant, ""}, {Role::user, "b"},
                         {Role::assistant, "c"}, {Role::user, "d"},     {Role::assistant, "e"}};
    const Json call = {{"function", {{"name", "f"}, {"arguments", {{"x", 1}}}}}};
    talk.messages[1]["tool_calls"] = talk.messages[3]["tool_calls"] = Json::array({call});
    talk.tools = Json::array({{{"name", "f"}}});
    return talk;
}

TEST(IgnoredFields, CallsAndToolsAreTold) {
    const TokenizerFolder folder("left out");
    for (const std::string name : {"chatml", "llama-3", "mistral", "phi-3"}) {
        const IgnoredFields left = open_chat_template(folder.path, name)->left_out(calling());
        EXPECT_EQ(left.calls, (std::vector<size_t>{1, 3})) << name;
        EXPECT_TRUE(left.tools) << name;
    }
    for (const std::string name : {"llama-3.1", "qwen2.5", "qwen3"}) {
        const IgnoredFields left = open_chat_template(folder.path, name)->left_out(calling());
        EXPECT_TRUE(left.calls.empty() && !left.tools) << name;
    }
    write_file_atomic(
        folder.path / "chat_template.jinja",
        "{% for m in messages %}{% if m.content %}{{ m.content }}{% else %}{{ m.tool_calls | tojson }}{% endif %}"
        "{% endfor %}");
    const auto either = open_chat_template(folder.path);
    EXPECT_EQ(either->left_out(calling()).calls, std::vector<size_t>{3}) << "beside content this template drops calls";
    write_file_atomic(folder.path / "chat_template.jinja",
                      "{% if not tools or not messages[1].tool_calls %}{{ raise_exception('none') }}{% endif %}"
                      "{% for m in messages %}{{ m.content }}{% endfor %}");
    const IgnoredFields needed = open_chat_template(folder.path)->left_out(calling());
    EXPECT_TRUE(needed.calls.empty() && !needed.tools) << "the template goes by them";
    Conversation plain = {{Role::user, "a"}, {Role::assistant, "f"}};
    plain.tools = plain.messages[1]["tool_calls"] = Json::array();
    EXPECT_TRUE(either->left_out(plain).calls.empty() && !either->left_out(plain).tools) << "there are none";
}

TEST(IgnoredFields, IsCountedAsKeysThatNobodyReads) {
    const TokenizerFolder folder("left out");
    const auto chat = open_chat_template(folder.path, "chatml");
    UnknownKeys unknown;
    count_left_out(*chat, calling(), {}, unknown);
    count_left_out(*chat, calling(), {}, unknown, /*first=*/2);  // of the tools and the first call somebody else has told
    EXPECT_EQ(unknown.counts(),
              (std::map<std::string, int64_t>{{"message: tool_calls (the template leaves them out: --chat-template)", 3},
                                              {"tools (the template leaves them out: --chat-template)", 1}}));
}

}  // namespace
}  // namespace craft

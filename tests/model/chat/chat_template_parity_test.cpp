#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/model/chat/chat_expectations.h"
#include "tests/parity/run_python.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

// Every template and conversation that tests/parity/make_chats.py gives to transformers.
TEST(TransformersParity, ChatTemplates) {
    CRAFT_NEEDS_PARITY_PYTHON();
    const fs::path folder = fs::temp_directory_path() / ("craft-chats-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    ASSERT_TRUE(test::run_parity_script("make_chats.py", folder));
    EXPECT_GT(test::expect_chats_as_transformers(folder / "chats.jsonl"), 100);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace craft

// The stored conversations, against what transformers made of them (tests/parity/make_chats.py with --stored).
#include "tests/model/chat/chat_expectations.h"
#include "tests/source.h"

namespace craft {
namespace {

TEST(StoredChats, EveryShippedTemplateAsTransformers) {
    const std::filesystem::path file = std::filesystem::path(test_source()) / "tests/model/chat/stored/chats.jsonl";
    EXPECT_EQ(test::expect_chats_as_transformers(file), 40);
}

}  // namespace
}  // namespace craft

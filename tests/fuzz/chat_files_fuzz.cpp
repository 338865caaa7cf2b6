// libFuzzer target: a tokenizer_config.json, a zero byte and a chat_template.json. Whatever they say, they are refused with
// an error or render a conversation. Run as `chat_files_fuzz -max_total_time=60`.
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "core/error.h"
#include "model/chat/chat_template.h"
#include "model/tokenizer/tokenizer_config.h"

namespace {

void write(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("craft-chat-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::string all(reinterpret_cast<const char*>(data), size);
    const size_t end = std::min(all.find('\0'), all.size());
    write(folder / "tokenizer_config.json", all.substr(0, end));
    std::filesystem::remove(folder / "chat_template.json");
    if (end < all.size()) write(folder / "chat_template.json", all.substr(end + 1));
    try {
        craft::read_tokenizer_config(craft::ModelDocuments(folder));
    } catch (const craft::Error&) {}
    try {
        const auto chat = craft::open_chat_template(folder);
        chat->render({{craft::Role::user, "x"}, {craft::Role::assistant, "y"}}, {.generation_prompt = true});
    } catch (const craft::Error&) {}
    return 0;
}

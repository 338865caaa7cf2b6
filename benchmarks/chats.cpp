// Seconds to render, and to render and encode, a conversation of 20 turns: bench_chats MODEL [TEMPLATE].
#include <chrono>
#include <cstdio>

#include "model/chat/chat_template.h"

namespace {

template <class Work>
double microseconds(int times, Work work) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) work();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / times;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace craft;
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_chats MODEL [TEMPLATE]\n");
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    const std::string name = argc > 2 ? argv[2] : "qwen2.5";
    const auto tokenizer = open_tokenizer(folder);
    const auto chat = open_chat_template(folder, name);
    std::vector<Message> messages = {{Role::system, "You revise texts."}};
    for (int i = 0; i < 10; ++i) {
        messages.push_back(
            {Role::user, "Make it shorter, in one sentence: the river was very, very wide, and nobody crossed it."});
        messages.push_back(
            {Role::assistant, "Nobody crossed the wide river, which ran on and on through the quiet valley."});
    }
    const Conversation talk = messages;
    std::printf("%s: render %.0f us, render and encode %.0f us\n", name.c_str(),
                microseconds(500, [&] { chat->render(talk); }), microseconds(100, [&] { chat->encode(*tokenizer, talk); }));
}

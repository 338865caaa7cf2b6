// How fast a tokenizer encodes and decodes, one core: bench_tokenizer FOLDER FILE [REPEATS]. The file is read as one text a
// line, as benchmarks/tokenizer.py reads it for the `tokenizers` library; and a run of 1 MB without blanks is one word.
#include "model/tokenizer/tokenizer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files.h"

namespace {

// Of the processor: other work on the machine does not count.
template <class Work>
double seconds(Work work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        lines.push_back(text.substr(at, end - at));
        at = end;
    }
    return lines;
}

void run(const std::string& folder, const std::string& file, int repeats) {
    std::shared_ptr<const craft::Tokenizer> tokenizer;
    std::printf("load %.3f s\n", seconds([&] { tokenizer = craft::open_tokenizer(folder); }));
    const std::string text = craft::read_file(file);
    const std::vector<std::string> lines = lines_of(text);
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    std::vector<std::vector<int64_t>> ids(lines.size());
    for (int turn = 0; turn < repeats; ++turn) {
        const double encoding = seconds([&] {
            for (size_t i = 0; i < lines.size(); ++i) ids[i] = tokenizer->encode(lines[i], true);
        });
        size_t tokens = 0;
        for (const auto& row : ids) tokens += row.size();
        const double decoding = seconds([&] {
            for (const auto& row : ids) static_cast<void>(tokenizer->decode(row, true));
        });
        std::printf("encode %.1f MB/s, decode %.1f MB/s, %zu tokens\n", megabytes / encoding, megabytes / decoding, tokens);
    }
    for (const size_t size : {size_t{1} << 19, size_t{1} << 20}) {
        std::string word;
        for (size_t i = 0; word.size() < size; ++i) word += static_cast<char>('a' + (i * i * 7 + i / 13) % 26);
        std::printf("one word of %zu bytes: %.3f s\n", size, seconds([&] { tokenizer->encode(word, true); }));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: bench_tokenizer FOLDER FILE [REPEATS]\n");
        return 2;
    }
    try {
        run(argv[1], argv[2], argc > 3 ? std::atoi(argv[3]) : 3);
    } catch (const craft::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

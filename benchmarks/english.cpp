// How fast English texts are annotated, one core: bench_english FILE [REPEATS]. The file is read as one text a line, as
// benchmarks/english.py reads it for spaCy.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "english/pipeline.h"

namespace {

// Of the processor: other work on the machine does not count.
template <class Work>
double seconds(Work work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void run(const std::string& file, int repeats) {
    const std::clock_t start = std::clock();
    const craft::EnglishPipeline pipeline = craft::EnglishPipeline::load(craft::english_model_folder());
    std::printf("load %.3f s\n", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    const std::string text = craft::read_file(file);
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    for (int turn = 0; turn < repeats; ++turn) {
        size_t tokens = 0;
        const double taken = seconds([&] {
            for (const std::string& line : lines) tokens += pipeline.annotate(line).size();
        });
        std::printf("%.0f tokens/s, %zu tokens\n", static_cast<double>(tokens) / taken, tokens);
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::fprintf(stderr, "bench_english FILE [REPEATS]\n");
        return 2;
    }
    try {
        run(arguments[1], count > 2 ? std::atoi(arguments[2]) : 3);
    } catch (const craft::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

// How much processor time queries of the retrieval database take, one by one: bench_retrieval DATABASE PAIRS.jsonl
// [ENCODER]. Each pair's source is a query, every second one with a concept.
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "data/sentence_pair.h"
#include "gec/retrieval/retrieval_database.h"
#include "gec/run/sentence_encoder.h"

namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 3) throw craft::UsageError("bench_retrieval DATABASE PAIRS.jsonl [ENCODER]");
    const craft::PlacementOptions placing{.threads = 1};
    const bool has_encoder = argc > 3 && *argv[3] != '\0';
    const craft::SentenceEncoder encoder =
        has_encoder ? craft::open_sentence_encoder(argv[3], placing) : craft::SentenceEncoder{};
    craft::RetrievalDatabase database(argv[1], encoder);
    std::vector<double> seconds, encoding;
    const auto timed = [](std::vector<double>& times, const auto& work) {
        const std::clock_t begin = std::clock();
        work();
        times.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    };
    const std::vector<craft::SentencePair> pairs = craft::read_sentence_pairs(argv[2]);
    const auto ask = [&](size_t i) {
        const std::string wanted = i % 2 == 1 ? "wrong preposition" : "";
        const auto found = database.search({.sentence = pairs[i].source, .wanted = wanted});
        if (found.examples.empty()) std::printf("nothing for: %s\n", pairs[i].source.c_str());
    };
    std::vector<double> first;
    timed(first, [&] { ask(0); });  // reads the vectors
    for (size_t i = 0; i < pairs.size(); ++i) {
        timed(seconds, [&] { ask(i); });
        if (has_encoder) timed(encoding, [&] { encoder.encode({pairs[i].source}); });
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf(
        "%lld pairs, %zu queries: first %.1f ms; median %.2f ms, nine in ten %.2f ms, longest %.2f ms; of these the encoder "
        "%.2f ms\n",
        static_cast<long long>(database.pairs()), seconds.size(), first[0] * 1e3, median(seconds) * 1e3,
        seconds[seconds.size() * 9 / 10] * 1e3, seconds.back() * 1e3, median(encoding) * 1e3);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

// libFuzzer target: any bytes as pairs of sentences, M2 or two columns by their first byte. They are refused with an error,
// or each pair has an id and two sides. Run as `sentence_pairs_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "data/sentence_pair.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    try {
        int64_t empty = 0;
        const auto pairs = craft::parse_sentence_pairs(bytes, bytes.starts_with("S") ? "fuzz.m2" : "fuzz.tsv", &empty);
        if (pairs.empty()) std::abort();
        for (const craft::SentencePair& pair : pairs)
            if (pair.id.empty() || pair.source.empty() || pair.target.empty()) std::abort();
    } catch (const craft::Error&) {
        return 0;
    }
    return 0;
}

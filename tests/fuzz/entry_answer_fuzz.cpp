// libFuzzer target: any bytes as a model's entries of a sentence pair. The answer has entries or a problem, never both, and
// the words of an entry stand in the sentences. Run as `entry_answer_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gec/retrieval/entry_answer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const craft::SentencePair pair{"1", "She depend of apple.", "She depends on an apple.", {}};
    const craft::EntryAnswer answer = craft::read_entry_answer({reinterpret_cast<const char*>(data), size}, pair);
    if (answer.entries.empty() == answer.problem.empty()) std::abort();
    for (const craft::GrammarEntry& entry : answer.entries) {
        if (pair.source.find(entry.from) == std::string::npos || pair.target.find(entry.to) == std::string::npos)
            std::abort();
        if (entry.from.empty() && entry.to.empty()) std::abort();
    }
    return 0;
}

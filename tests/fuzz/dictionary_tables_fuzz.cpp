// libFuzzer target: the files of what is known of English words, and link-grammar's trees; the first byte says which. They
// are refused with an error, or what is made of them can be used. Run as `dictionary_tables_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "english/bracketed_tree.h"
#include "english/dictionary/inflection.h"
#include "english/dictionary/word_difficulty.h"
#include "english/dictionary/wordnet_files.h"

namespace {

// Index and data apart by a zero byte: every meaning of every lemma is read.
void use_wordnet(const std::string& bytes) {
    const size_t end = bytes.find('\0');
    if (end == std::string::npos) return;
    const std::string index = bytes.substr(0, end);
    const craft::WordnetKind kind(index, bytes.substr(end + 1), "index", "data");
    for (size_t at = 0; at < index.size(); ++at) {
        if (at > 0 && index[at - 1] != '\n') continue;
        const std::string lemma = index.substr(at, index.find(' ', at) - at);
        const auto entry = kind.find(lemma);
        if (!entry) continue;
        for (const int64_t offset : entry->offsets)
            if (kind.synset(offset).offset != offset) std::abort();
    }
}

void use_inflections(const std::string& bytes) {
    const craft::Inflections inflections = craft::Inflections::parse(bytes, "fuzz");
    const std::string lemma = bytes.substr(0, bytes.find(','));
    for (const char* tag : {"NNS", "VBD", "VBN", "VBG", "VBZ", "JJR", "RBS"})
        for (const std::string& form : inflections.forms(lemma, tag))
            if (form.empty()) std::abort();
}

void use(char kind, const std::string& bytes) {
    switch (kind) {
        case 'w':
            return use_wordnet(bytes);
        case 'c':
            craft::SenseCounts(bytes, "fuzz").uses("begin", 2, 1);
            return;
        case 'i':
            return use_inflections(bytes);
        case 'm': {
            const double value = craft::count_difficulty_of(bytes, "fuzz")->of("word");
            if (!(value >= 0 && value <= 1)) std::abort();
            return;
        }
        case 't': {
            const auto tree = craft::tree_with_words(bytes, {{"a", "a"}, {"(b", "b"}, {"c", "c"}});
            if (tree && (tree->bracketed.front() != '(' || tree->bracketed.back() != ')')) std::abort();
            return;
        }
        default:
            return;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    try {
        use(static_cast<char>(data[0]), std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
    } catch (const craft::Error&) {}
    return 0;
}

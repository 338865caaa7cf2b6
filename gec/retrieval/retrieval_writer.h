// What puts sentence pairs into the retrieval database.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/sentence_pair.h"
#include "gec/retrieval/grammar_entry.h"
#include "gec/retrieval/retrieval_file.h"

namespace craft {

struct IndexedPair {
    const SentencePair* pair = nullptr;
    std::vector<GrammarEntry> entries = {};
    std::vector<float> vector = {};  // empty: there is no encoder
};

// A batch is there whole or not at all, whatever ends the process. Several processes may write at once: each waits for the
// other's batch. Not thread-safe. Throws as RetrievalFile does.
class RetrievalWriter {
public:
    // Makes the file where there is none.
    RetrievalWriter(const std::filesystem::path& file, SentenceEncoder encoder,
                    RetrievalFileOptions options = {.make = true});
    ~RetrievalWriter();
    // Whether a pair of these two sentences is there.
    bool has(const SentencePair& pair);
    // Pairs that are there already are left as they are. Returns of each whether it was new.
    std::vector<bool> add(const std::vector<IndexedPair>& pairs);
    RetrievalFile& file() { return file_; }

private:
    struct Statements;
    void add_entry(int64_t pair, const GrammarEntry& entry);
    int64_t knowledge_id(const GrammarEntry& entry);

    RetrievalFile file_;
    SentenceEncoder encoder_;
    std::unique_ptr<Statements> statements_;
};

}  // namespace craft

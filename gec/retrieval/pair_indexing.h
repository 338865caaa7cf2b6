// Sentence pairs to entries and vectors in the retrieval database, in batches.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gec/retrieval/model_entries.h"
#include "gec/retrieval/retrieval_writer.h"
#include "gec/retrieval/rule_entries.h"

namespace craft {

struct PairIndexingOptions {
    int64_t batch = 1024;  // pairs that are written together
    int64_t threads = 1;   // that make entries by rules side by side
};

struct PairIndexingCounts {
    int64_t pairs = 0;                            // read
    int64_t indexed = 0;                          // new ones
    int64_t there_already = 0;                    // by both sentences, of this run too
    int64_t correct = 0;                          // of the new ones, those of equal sentences
    int64_t entries = 0;                          // of the new ones
    int64_t by_model = 0;                         // of the new ones, those whose entries a model made
    int64_t awaited = 0;                          // left out, since their answers are in a batch file
    std::map<std::string, int64_t> dropped = {};  // "empty sentence", "bad line", "too long", "edits not found"
};
Json to_json(const PairIndexingCounts& counts);

struct PairIndexers {
    const EntryLanguage& language;
    const GrammarKnowledge& knowledge;
    const SentenceEncoder& encoder;
    ModelEntries* model = nullptr;  // null: entries by rules alone; where its answer cannot be read, those by rules stay
};

// Each pair is counted under one of indexed, there_already, awaited and dropped. A stop signal ends it after a batch
// (throws Stopped). Throws what the writer, the encoder and the model throw.
PairIndexingCounts index_pairs(const std::vector<SentencePair>& pairs, const PairIndexers& with, RetrievalWriter& writer,
                               const PairIndexingOptions& options);

}  // namespace craft

// Corrected sentences that are like a sentence, teach a concept, or have the same error (GEC-Agent §3.3.2, Appendix D).
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "data/sentence_pair.h"
#include "gec/retrieval/grammar_entry.h"
#include "gec/retrieval/retrieval_file.h"

namespace craft {

struct ExampleQuery {
    std::string sentence = {};  // any text; empty: the concept alone says what is looked for
    // A concept in words ("missing article"), a word pair ("of -> on"), or an entry's pattern; empty: any.
    std::string wanted = {};
    int64_t top = 5;            // pairs at most
    bool with_correct = false;  // correct sentences, too, which teach nothing but that they are
};

struct FoundExample {
    SentencePair pair;
    std::vector<GrammarEntry> entries;  // those that were looked for first
    double score = 0;                   // sum of reciprocal ranks
    // Which rankings have it: "words" (BM25), "vectors", "same error" (its wrong words stand in the sentence); "concept":
    // none, but it answers what is wanted.
    std::vector<std::string> found_by;
};

struct FoundExamples {
    std::vector<FoundExample> examples;  // highest score first
    bool by_vectors = false;             // false: without an encoder, or without a sentence
    // Whether entries answer what was wanted: with none the nearest sentences are given. True where nothing was.
    bool has_wanted = true;
};

// Thread-safe: one query runs at a time. Pairs that another process adds meanwhile are found from the next query on, a batch
// whole or not at all. Throws as RetrievalFile does.
class RetrievalDatabase {
public:
    // `encoder` makes vectors of queries; none: BM25 and equal errors alone. Throws Error where the database has vectors of
    // another one, or none.
    explicit RetrievalDatabase(const std::filesystem::path& file, SentenceEncoder encoder = {},
                               RetrievalFileOptions options = {});
    ~RetrievalDatabase();

    // What is wanted narrows, the sentence ranks: by BM25, by vectors, and by the longest wrong words that stand in it, made
    // one by reciprocal ranks; what is wanted and in no ranking comes after. An empty query finds nothing.
    FoundExamples search(const ExampleQuery& query);
    // Examples for a prompt: the nearest pairs, correct ones among them.
    std::vector<SentencePair> nearest_pairs(const std::string& sentence, int64_t count);
    int64_t pairs();
    std::string encoder();  // as RetrievalFile::encoder()

private:
    struct Statements;
    struct Wanted;
    struct Ranking;
    Wanted find_wanted(const std::string& wanted);
    std::vector<int64_t> by_words(const std::string& sentence, const Wanted& wanted);
    std::vector<int64_t> by_vectors(const std::vector<float>& vector, const Wanted& wanted);
    std::vector<int64_t> by_errors(const std::string& sentence, const Wanted& wanted);
    std::vector<Ranking> rankings(const std::string& sentence, const std::vector<float>& vector, const Wanted& wanted);
    std::vector<FoundExample> fused(const std::vector<Ranking>& rankings, const Wanted& wanted, int64_t top);
    FoundExample example(int64_t pair, const Wanted& wanted);
    void refresh();

    std::mutex mutex_;
    RetrievalFile file_;
    SentenceEncoder encoder_;
    std::unique_ptr<Statements> statements_;
    VectorMatrix vectors_;
    std::vector<bool> corrected_;  // by a pair's id
    int64_t version_ = -1;         // PRAGMA data_version that these are of
};

}  // namespace craft

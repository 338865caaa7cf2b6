#include "gec/retrieval/retrieval_database.h"

#include <algorithm>
#include <set>

#include "core/database/schema.h"
#include "gec/retrieval/compared_words.h"
#include "gec/retrieval/rank_fusion.h"
#include "gec/retrieval/retrieval_query.h"
#include "text/utf8.h"

namespace craft {

RetrievalDatabase::RetrievalDatabase(const std::filesystem::path& file, SentenceEncoder encoder,
                                     RetrievalFileOptions options)
    : file_(file, options), encoder_(std::move(encoder)), statements_(std::make_unique<Statements>(file_.database())) {
    if (encoder_) file_.check_encoder(encoder_);
}

RetrievalDatabase::~RetrievalDatabase() = default;

int64_t RetrievalDatabase::pairs() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return file_.pairs();
}

std::string RetrievalDatabase::encoder() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return file_.encoder();
}

// Takes over what has been written since the last query, within its transaction.
void RetrievalDatabase::refresh() {
    file_.database().number("SELECT count(*) FROM settings");  // the first reading is what a transaction sees from then on
    const int64_t version = file_.database().number("PRAGMA data_version");
    if (version == version_) return;
    const std::string& path = file_.database().path().string();
    VectorMatrix vectors(file_.vector_size());
    std::vector<bool> corrected(static_cast<size_t>(file_.database().number("SELECT coalesce(max(id), 0) FROM pairs")) + 1);
    const ResetAtEnd reset_vectors(statements_->vectors), reset_corrected(statements_->corrected);
    while (encoder_ && statements_->vectors.step())
        if (!vectors.add(statements_->vectors.integer(0), statements_->vectors.bytes(1)))
            throw Error(path + ": vector of pair " + std::to_string(statements_->vectors.integer(0)),
                        std::to_string(file_.vector_size()) + " values", "others", "the file is damaged: reindex the pairs");
    while (statements_->corrected.step()) corrected.at(static_cast<size_t>(statements_->corrected.integer(0))) = true;
    vectors_ = std::move(vectors);
    corrected_ = std::move(corrected);
    version_ = version;
}

FoundExample RetrievalDatabase::example(int64_t pair, const Wanted& wanted) {
    FoundExample found;
    const ResetAtEnd reset_pair(statements_->pair), reset_entries(statements_->entries);
    if (!statements_->pair.bind(1, pair).step())
        throw Error(file_.database().path().string() + ": pair " + std::to_string(pair), "what an index names", "none",
                    "the file is damaged: reindex the pairs");
    found.pair = {statements_->pair.bytes(0), statements_->pair.bytes(1), statements_->pair.bytes(2), {}};
    std::vector<GrammarEntry> others;
    statements_->entries.bind(1, pair);
    while (statements_->entries.step()) {
        Statement& row = statements_->entries;
        const auto modification = modification_of(row.bytes(3));
        GrammarEntry entry{row.bytes(1), row.bytes(2), modification.value_or(EditOperation::transform),
                           row.bytes(4), row.bytes(5), row.bytes(6),
                           row.bytes(7)};
        if (!entry.type.empty()) found.pair.error_types.push_back(entry.type);
        (wanted.entries.contains(row.integer(0)) ? found.entries : others).push_back(std::move(entry));
    }
    found.entries.insert(found.entries.end(), others.begin(), others.end());
    return found;
}

std::vector<FoundExample> RetrievalDatabase::fused(const std::vector<Ranking>& rankings, const Wanted& wanted, int64_t top) {
    std::vector<std::vector<int64_t>> lists;
    for (const Ranking& ranking : rankings) lists.push_back(ranking.pairs);
    std::vector<std::pair<int64_t, double>> ranked = fused_ranks(lists);
    std::set<int64_t> met;
    for (const auto& one : ranked) met.insert(one.first);
    for (size_t i = 0; i < wanted.pairs.size() && static_cast<int64_t>(ranked.size()) < top; ++i)
        if (met.insert(wanted.pairs[i]).second) ranked.emplace_back(wanted.pairs[i], 0);
    ranked.resize(std::min(ranked.size(), static_cast<size_t>(top)));
    std::vector<FoundExample> examples;
    for (const auto& one : ranked) {
        FoundExample& found = examples.emplace_back(example(one.first, wanted));
        found.score = one.second;
        for (const Ranking& ranking : rankings)
            if (std::find(ranking.pairs.begin(), ranking.pairs.end(), one.first) != ranking.pairs.end())
                found.found_by.emplace_back(ranking.name);
        if (found.found_by.empty()) found.found_by.emplace_back("concept");
    }
    return examples;
}

FoundExamples RetrievalDatabase::search(const ExampleQuery& query) {
    FoundExamples found;
    const std::string text = trim(query.wanted);
    const bool has_sentence = !search_words(query.sentence).empty();
    if ((!has_sentence && text.empty()) || query.top <= 0) return found;
    std::vector<float> vector;  // before the lock, since it takes the most time
    if (encoder_ && has_sentence) vector = encoder_.encode({query.sentence}).at(0);
    const std::lock_guard<std::mutex> lock(mutex_);
    in_transaction(file_.database(), "BEGIN", [&] {
        refresh();
        Wanted wanted = text.empty() ? Wanted{} : find_wanted(text);
        found.has_wanted = text.empty() || !wanted.entries.empty();
        if (!has_sentence && !found.has_wanted) return;
        if (!wanted.entries.empty())
            wanted.allow_own();
        else if (query.with_correct)
            wanted.allowed.assign(corrected_.size(), true);
        else
            wanted.allowed = corrected_;
        found.by_vectors = !vector.empty() && vectors_.rows() > 0;
        found.examples = fused(rankings(query.sentence, vector, wanted), wanted, query.top);
    });
    return found;
}

std::vector<SentencePair> RetrievalDatabase::nearest_pairs(const std::string& sentence, int64_t count) {
    std::vector<SentencePair> pairs;
    for (FoundExample& one : search({.sentence = sentence, .top = count, .with_correct = true}).examples)
        pairs.push_back(std::move(one.pair));
    return pairs;
}

}  // namespace craft

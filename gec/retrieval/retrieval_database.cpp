#include "gec/retrieval/retrieval_database.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "database/schema.h"
#include "gec/retrieval/compared_words.h"
#include "gec/retrieval/error_keys.h"
#include "gec/retrieval/rank_fusion.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kRanked = 100;      // pairs of a ranking that count
constexpr size_t kMostWords = 12;    // of a query, the rarest ones: frequent ones say little
constexpr int64_t kMostRows = 2000;  // pairs that its words stand in, added up: each takes microseconds
constexpr size_t kMostOfKey = 20;    // entries of a key that are looked at

bool is_plain(const std::string& word) {
    return std::all_of(word.begin(), word.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

// "of -> on" and "of → on", the two sides trimmed; absent otherwise.
std::optional<std::pair<std::string, std::string>> word_pair_of(std::string_view text) {
    for (const std::string_view arrow : {std::string_view("→"), std::string_view("->")})
        if (const size_t at = text.find(arrow); at != std::string_view::npos && text.find('[') == std::string_view::npos) {
            const auto side = [](std::string_view words) {
                const std::string made = trim(words);
                return made == "nothing" ? std::string() : made;
            };
            return std::pair{side(text.substr(0, at)), side(text.substr(at + arrow.size()))};
        }
    return std::nullopt;
}

}  // namespace

struct RetrievalDatabase::Statements {
    explicit Statements(Database& database) : in(database) {}
    Database& in;
    Statement vectors = in.prepare("SELECT id, vector FROM pairs ORDER BY id");
    Statement corrected = in.prepare("SELECT DISTINCT pair FROM entries");
    Statement frequency = in.prepare("SELECT doc FROM pair_words_counts WHERE term = ?1");
    Statement words = in.prepare("SELECT rowid FROM pair_words WHERE pair_words MATCH ?1 ORDER BY rank, rowid");
    Statement concepts = in.prepare(
        "SELECT rowid, bm25(knowledge_words, 4, 1) AS score FROM knowledge_words WHERE knowledge_words MATCH ?1 "
        "ORDER BY score, rowid");
    Statement of_concept = in.prepare("SELECT id, pair FROM entries WHERE knowledge = ?1");
    Statement of_words = in.prepare("SELECT id, pair FROM entries WHERE wrong = ?1 AND correct = ?2");
    Statement of_pattern = in.prepare("SELECT id, pair FROM entries WHERE pattern = ?1");
    Statement of_edit_words = in.prepare(
        "SELECT entries.id, entries.pair FROM entry_words JOIN entries ON entries.id = entry_words.rowid "
        "WHERE entry_words MATCH ?1");
    Statement of_key = in.prepare("SELECT entries.pair FROM error_keys JOIN entries ON entries.id = entry WHERE key = ?1");
    Statement pair = in.prepare("SELECT name, source, target FROM pairs WHERE id = ?1");
    Statement entries = in.prepare(
        "SELECT entries.id, name, rule, modification, wrong, correct, pattern, type FROM entries JOIN knowledge ON "
        "knowledge.id = "
        "entries.knowledge WHERE pair = ?1 ORDER BY entries.id");
};

struct RetrievalDatabase::Ranking {
    const char* name;
    std::vector<int64_t> pairs;  // best first
};

// The entries that answer what is wanted, and which pairs may be found.
struct RetrievalDatabase::Wanted {
    std::set<int64_t> entries;
    std::vector<int64_t> pairs;  // of these, in their order
    std::vector<bool> allowed;   // by a pair's id
    void allow_own() {
        allowed.resize(static_cast<size_t>(*std::max_element(pairs.begin(), pairs.end())) + 1);
        for (const int64_t pair : pairs) allowed[static_cast<size_t>(pair)] = true;
    }
    bool allows(int64_t pair) const {
        return static_cast<size_t>(pair) < allowed.size() && allowed[static_cast<size_t>(pair)];
    }
};

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
                        std::to_string(file_.vector_size()) + " values", "others",
                        "the file is damaged: index the pairs anew");
    while (statements_->corrected.step()) corrected.at(static_cast<size_t>(statements_->corrected.integer(0))) = true;
    vectors_ = std::move(vectors);
    corrected_ = std::move(corrected);
    version_ = version;
}

RetrievalDatabase::Wanted RetrievalDatabase::find_wanted(const std::string& wanted) {
    Wanted found;
    const auto take = [&](Statement& statement) {
        while (statement.step())
            if (found.entries.insert(statement.integer(0)).second) found.pairs.push_back(statement.integer(1));
    };
    if (const auto words = word_pair_of(wanted)) {
        const ResetAtEnd reset(statements_->of_words);
        take(statements_->of_words.bind_text(1, words->first).bind_text(2, words->second));
    }
    if (found.entries.empty()) {
        const ResetAtEnd reset(statements_->of_pattern);
        take(statements_->of_pattern.bind_text(1, wanted));
    }
    const std::string query = any_of_words(search_words(wanted));
    if (found.entries.empty() && !query.empty()) {
        const ResetAtEnd reset(statements_->concepts);
        double best = 0;  // scores are below 0, the lower the better
        statements_->concepts.bind_text(1, query);
        while (statements_->concepts.step()) {
            const double score = statements_->concepts.real(1);
            best = std::min(best, score);
            if (score > best / 2) break;
            const ResetAtEnd of(statements_->of_concept);
            take(statements_->of_concept.bind(1, statements_->concepts.integer(0)));
        }
    }
    if (found.entries.empty() && !query.empty()) {
        const ResetAtEnd reset(statements_->of_edit_words);
        take(statements_->of_edit_words.bind_text(1, query));
    }
    return found;
}

std::vector<int64_t> RetrievalDatabase::by_words(const std::string& sentence, const Wanted& wanted) {
    std::vector<std::pair<int64_t, std::string>> words;  // with the number of pairs that have each
    for (std::string& word : search_words(sentence)) {
        const ResetAtEnd reset(statements_->frequency);
        const bool is_known = statements_->frequency.bind_text(1, word).step();
        // SQLite cuts and folds other words by rules of its own, so that their number is not known.
        if (is_known || !is_plain(word))
            words.emplace_back(is_known ? statements_->frequency.integer(0) : 0, std::move(word));
    }
    std::stable_sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> asked;
    int64_t rows = 0;
    for (auto& word : words) {
        if (asked.size() == kMostWords || (rows > 0 && rows + word.first > kMostRows)) break;
        rows += word.first;
        asked.push_back(std::move(word.second));
    }
    std::vector<int64_t> ranked;
    const std::string query = any_of_words(asked);
    if (query.empty()) return ranked;
    const ResetAtEnd reset(statements_->words);
    statements_->words.bind_text(1, query);
    while (ranked.size() < kRanked && statements_->words.step())
        if (wanted.allows(statements_->words.integer(0))) ranked.push_back(statements_->words.integer(0));
    return ranked;
}

std::vector<int64_t> RetrievalDatabase::by_vectors(const std::vector<float>& vector, const Wanted& wanted) {
    const std::vector<float> products = vectors_.products(vector);
    std::vector<size_t> rows;
    for (size_t row = 0; row < products.size(); ++row)
        if (wanted.allows(vectors_.id(row))) rows.push_back(row);
    const size_t kept = std::min(kRanked, rows.size());
    std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end(),
                      [&](size_t a, size_t b) { return products[a] != products[b] ? products[a] > products[b] : a < b; });
    std::vector<int64_t> ranked;
    for (size_t i = 0; i < kept; ++i) ranked.push_back(vectors_.id(rows[i]));
    return ranked;
}

std::vector<int64_t> RetrievalDatabase::by_errors(const std::string& sentence, const Wanted& wanted) {
    std::vector<int64_t> ranked;
    for (const std::string& key : possible_error_keys(sentence)) {
        const ResetAtEnd reset(statements_->of_key);
        statements_->of_key.bind_text(1, key);
        for (size_t looked = 0; looked < kMostOfKey && ranked.size() < kRanked && statements_->of_key.step(); ++looked) {
            const int64_t pair = statements_->of_key.integer(0);
            if (wanted.allows(pair) && std::find(ranked.begin(), ranked.end(), pair) == ranked.end()) ranked.push_back(pair);
        }
    }
    return ranked;
}

FoundExample RetrievalDatabase::example(int64_t pair, const Wanted& wanted) {
    FoundExample found;
    const ResetAtEnd reset_pair(statements_->pair), reset_entries(statements_->entries);
    if (!statements_->pair.bind(1, pair).step())
        throw Error(file_.database().path().string() + ": pair " + std::to_string(pair), "what an index names", "none",
                    "the file is damaged: index the pairs anew");
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

std::vector<RetrievalDatabase::Ranking> RetrievalDatabase::rankings(const std::string& sentence,
                                                                    const std::vector<float>& vector, const Wanted& wanted) {
    if (search_words(sentence).empty()) return {};
    std::vector<Ranking> all = {{"words", by_words(sentence, wanted)}, {"same error", by_errors(sentence, wanted)}};
    if (!vector.empty() && vectors_.rows() > 0) all.push_back({"vectors", by_vectors(vector, wanted)});
    return all;
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

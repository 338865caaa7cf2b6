// The rankings of a query: by words, by vectors, by the same error; and the entries that answer what is wanted.
#include <algorithm>
#include <optional>

#include "core/database/schema.h"
#include "gec/retrieval/compared_words.h"
#include "gec/retrieval/error_keys.h"
#include "gec/retrieval/retrieval_query.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kRanked = 100;     // pairs of a ranking that count
constexpr size_t kMaxWords = 12;    // of a query, the rarest ones: frequent ones say little
constexpr int64_t kMaxRows = 2000;  // pairs that its words stand in, added up: each takes microseconds
constexpr size_t kMaxOfKey = 20;    // entries of a key that are looked at

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
        if (asked.size() == kMaxWords || (rows > 0 && rows + word.first > kMaxRows)) break;
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
        for (size_t looked = 0; looked < kMaxOfKey && ranked.size() < kRanked && statements_->of_key.step(); ++looked) {
            const int64_t pair = statements_->of_key.integer(0);
            if (wanted.allows(pair) && std::find(ranked.begin(), ranked.end(), pair) == ranked.end()) ranked.push_back(pair);
        }
    }
    return ranked;
}

std::vector<RetrievalDatabase::Ranking> RetrievalDatabase::rankings(const std::string& sentence,
                                                                    const std::vector<float>& vector, const Wanted& wanted) {
    if (search_words(sentence).empty()) return {};
    std::vector<Ranking> all = {{"words", by_words(sentence, wanted)}, {"same error", by_errors(sentence, wanted)}};
    if (!vector.empty() && vectors_.rows() > 0) all.push_back({"vectors", by_vectors(vector, wanted)});
    return all;
}

}  // namespace craft

// What a query of the database is made of: its statements, what is wanted, rankings (retrieval_database.h alone has use for
// them).
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "gec/retrieval/retrieval_database.h"

namespace craft {

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

}  // namespace craft

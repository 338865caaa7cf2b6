#include "gec/retrieval/retrieval_file.h"

#include <charconv>

#include "core/database/schema.h"

namespace craft {

namespace {

constexpr int64_t kRetrievalApplication = 0x63726772;  // "crgr"

constexpr const char* kRetrievalTables = R"(
CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;  -- encoder, vector_size
CREATE TABLE pairs(
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,  -- of both sentences
  name TEXT NOT NULL,         -- the id that the pair had in its file
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  vector BLOB NOT NULL        -- packed_vector() of the source; empty: there is no encoder
);
CREATE TABLE knowledge(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, rule TEXT NOT NULL);
CREATE TABLE entries(
  id INTEGER PRIMARY KEY,
  pair INTEGER NOT NULL REFERENCES pairs(id),
  knowledge INTEGER NOT NULL REFERENCES knowledge(id),
  modification TEXT NOT NULL,
  wrong TEXT NOT NULL,        -- the word pair
  correct TEXT NOT NULL,
  pattern TEXT NOT NULL,
  type TEXT NOT NULL
);
CREATE INDEX entries_by_pair ON entries(pair);
CREATE INDEX entries_by_knowledge ON entries(knowledge, pair);
CREATE INDEX entries_by_words ON entries(wrong, correct);
CREATE INDEX entries_by_pattern ON entries(pattern);
CREATE TABLE error_keys(key TEXT NOT NULL, entry INTEGER NOT NULL REFERENCES entries(id), PRIMARY KEY(key, entry)) WITHOUT ROWID;
CREATE VIRTUAL TABLE pair_words USING fts5(source, content='', tokenize='unicode61');
CREATE VIRTUAL TABLE pair_words_counts USING fts5vocab(pair_words, row);
CREATE VIRTUAL TABLE knowledge_words USING fts5(name, rule, content='', tokenize='porter unicode61');
CREATE VIRTUAL TABLE entry_words USING fts5(pattern, content='', tokenize='porter unicode61');
)";

std::filesystem::path present_file(const std::filesystem::path& file, const RetrievalFileOptions& options) {
    std::error_code none;
    if (options.make) {
        create_database_file(file, 0644);
    } else if (!std::filesystem::is_regular_file(file, none)) {
        throw Error(file.string(), "a retrieval database", "no file", "craft-train gec index makes one");
    }
    return file;
}

}  // namespace

RetrievalFile::RetrievalFile(const std::filesystem::path& file, const RetrievalFileOptions& options)
    : database_(present_file(file, options), options.busy) {
    if (!options.make && database_.number("PRAGMA application_id") != kRetrievalApplication)
        throw Error(file.string(), "a retrieval database", "another file", "craft-train gec index makes one");
    prepare_schema(database_,
                   {kRetrievalApplication, kRetrievalSchema, kRetrievalTables, "a retrieval database", "reindex the pairs"},
                   options.busy);
}

std::string RetrievalFile::setting(const char* name) {
    Statement find = database_.prepare("SELECT value FROM settings WHERE name = ?1");
    return find.bind_text(1, name).step() ? find.bytes(0) : "";
}

std::string RetrievalFile::encoder() {
    return setting("encoder");
}

size_t RetrievalFile::vector_size() {
    const std::string text = setting("vector_size");
    size_t size = 0;
    std::from_chars(text.data(), text.data() + text.size(), size);
    return size;
}

void RetrievalFile::check_encoder(const SentenceEncoder& encoder) {
    const std::string own = this->encoder();
    if (own == encoder.name || pairs() == 0) return;
    throw Error(database_.path().string(),
                own.empty() ? "no encoder, since it has no vectors" : "the encoder of its vectors, " + own,
                encoder.name.empty() ? "none" : encoder.name,
                "vectors of two encoders do not compare: index into another file");
}

void RetrievalFile::set_encoder(const SentenceEncoder& encoder, size_t size) {
    check_encoder(encoder);
    if (pairs() > 0) return;
    Statement set =
        database_.prepare("INSERT INTO settings(name, value) VALUES(?1, ?2) ON CONFLICT DO UPDATE SET value = ?2");
    const std::string size_text = std::to_string(size);
    for (const auto& setting :
         {std::pair<const char*, const std::string*>{"encoder", &encoder.name}, {"vector_size", &size_text}}) {
        const ResetAtEnd reset(set);
        set.bind_text(1, setting.first).bind_text(2, *setting.second).step();
    }
}

}  // namespace craft

#include "gec/retrieval/retrieval_writer.h"

#include "core/database/schema.h"
#include "core/file_hash.h"

namespace craft {

namespace {

std::string content_hash(const SentencePair& pair) {
    return hash128_text(std::to_string(pair.source.size()) + ":" + pair.source + pair.target);
}

}  // namespace

struct RetrievalWriter::Statements {
    explicit Statements(Database& database) : in(database) {}
    Database& in;
    Statement find = in.prepare("SELECT 1 FROM pairs WHERE hash = ?1");
    Statement add_pair = in.prepare(
        "INSERT INTO pairs(hash, name, source, target, vector) VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(hash) DO NOTHING "
        "RETURNING id");
    Statement add_words = in.prepare("INSERT INTO pair_words(rowid, source) VALUES(?1, ?2)");
    Statement find_knowledge = in.prepare("SELECT id FROM knowledge WHERE name = ?1");
    Statement add_knowledge = in.prepare("INSERT INTO knowledge(name, rule) VALUES(?1, ?2) RETURNING id");
    Statement add_knowledge_words = in.prepare("INSERT INTO knowledge_words(rowid, name, rule) VALUES(?1, ?2, ?3)");
    Statement add_entry = in.prepare(
        "INSERT INTO entries(pair, knowledge, modification, wrong, correct, pattern, type) VALUES(?1, ?2, ?3, ?4, ?5, ?6, "
        "?7) "
        "RETURNING id");
    Statement add_entry_words = in.prepare("INSERT INTO entry_words(rowid, pattern) VALUES(?1, ?2)");
    Statement add_key = in.prepare("INSERT INTO error_keys(key, entry) VALUES(?1, ?2) ON CONFLICT DO NOTHING");
};

RetrievalWriter::RetrievalWriter(const std::filesystem::path& file, SentenceEncoder encoder, RetrievalFileOptions options)
    : file_(file, options), encoder_(std::move(encoder)), statements_(std::make_unique<Statements>(file_.database())) {
    file_.check_encoder(encoder_);
}

RetrievalWriter::~RetrievalWriter() = default;

bool RetrievalWriter::has(const SentencePair& pair) {
    const std::string hash = content_hash(pair);
    const ResetAtEnd reset(statements_->find);
    return statements_->find.bind_text(1, hash).step();
}

int64_t RetrievalWriter::knowledge_id(const GrammarEntry& entry) {
    const ResetAtEnd find(statements_->find_knowledge), add(statements_->add_knowledge),
        words(statements_->add_knowledge_words);
    if (statements_->find_knowledge.bind_text(1, entry.knowledge).step()) return statements_->find_knowledge.integer(0);
    statements_->add_knowledge.bind_text(1, entry.knowledge).bind_text(2, entry.rule).step();
    const int64_t id = statements_->add_knowledge.integer(0);
    statements_->add_knowledge_words.bind(1, id).bind_text(2, entry.knowledge).bind_text(3, entry.rule).step();
    return id;
}

void RetrievalWriter::add_entry(int64_t pair, const GrammarEntry& entry) {
    const int64_t knowledge = knowledge_id(entry);
    const ResetAtEnd add(statements_->add_entry), words(statements_->add_entry_words);
    statements_->add_entry.bind(1, pair)
        .bind(2, knowledge)
        .bind_text(3, operation_name(entry.modification))
        .bind_text(4, entry.from)
        .bind_text(5, entry.to)
        .bind_text(6, entry.pattern)
        .bind_text(7, entry.type)
        .step();
    const int64_t id = statements_->add_entry.integer(0);
    const std::string words_of_edit = entry.pattern + " " + entry.from + " " + entry.to;  // tags in a pattern say no words
    statements_->add_entry_words.bind(1, id).bind_text(2, words_of_edit).step();
    for (const std::string& key : entry.keys) {
        const ResetAtEnd reset(statements_->add_key);
        statements_->add_key.bind_text(1, key).bind(2, id).step();
    }
}

std::vector<bool> RetrievalWriter::add(const std::vector<IndexedPair>& pairs) {
    std::vector<bool> is_new(pairs.size());
    if (pairs.empty()) return is_new;
    in_transaction(file_.database(), "BEGIN IMMEDIATE", [&] {
        const size_t size = pairs.front().vector.size();
        file_.set_encoder(encoder_, size);
        for (size_t i = 0; i < pairs.size(); ++i) {
            const IndexedPair& one = pairs[i];
            if (one.vector.size() != size)
                throw Error("vectors of sentences", std::to_string(size) + " values each",
                            std::to_string(one.vector.size()));
            const std::string hash = content_hash(*one.pair), vector = size > 0 ? packed_vector(one.vector) : "";
            const ResetAtEnd add_pair(statements_->add_pair), words(statements_->add_words);
            statements_->add_pair.bind_text(1, hash)
                .bind_text(2, one.pair->id)
                .bind_text(3, one.pair->source)
                .bind_text(4, one.pair->target)
                .bind_blob(5, vector);
            if (!statements_->add_pair.step()) continue;
            const int64_t id = statements_->add_pair.integer(0);
            statements_->add_words.bind(1, id).bind_text(2, one.pair->source).step();
            for (const GrammarEntry& entry : one.entries) add_entry(id, entry);
            is_new[i] = true;
        }
    });
    return is_new;
}

}  // namespace craft

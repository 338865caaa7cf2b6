// The file of the retrieval database: its tables, opening it, and what it says of the vectors in it.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "core/database/database.h"
#include "gec/retrieval/sentence_vectors.h"

namespace craft {

constexpr int64_t kRetrievalSchema = 1;

struct RetrievalFileOptions {
    std::chrono::milliseconds busy{30'000};  // how long another process that writes is waited for
    bool make = false;                       // an absent or empty file becomes a database
};

// Throws DatabaseError, and Error where the file is absent (unless it is to be made), another program's or of another
// schema.
class RetrievalFile {
public:
    RetrievalFile(const std::filesystem::path& file, const RetrievalFileOptions& options);
    Database& database() { return database_; }
    // The encoder of the vectors; empty: the database has none, or no pair yet.
    std::string encoder();
    size_t vector_size();
    int64_t pairs() { return database_.number("SELECT count(*) FROM pairs"); }
    // Makes an empty database one of this encoder's vectors, within a transaction of the caller's. Throws Error if it has
    // pairs of another one, or with vectors where `encoder` is none or without where it is one.
    void set_encoder(const SentenceEncoder& encoder, size_t size);
    // Throws Error as set_encoder() does.
    void check_encoder(const SentenceEncoder& encoder);

private:
    std::string setting(const char* name);
    Database database_;
};

}  // namespace craft

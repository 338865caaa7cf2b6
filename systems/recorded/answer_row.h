// A row of the table `answers`: how a reply is written into one and read back, and the digest that tells a damaged one.
#pragma once

#include <string>

#include "core/database/database.h"
#include "systems/recorded/answer_cache.h"

namespace craft {

// The columns that read_answer() expects, from `answers` joined with `requests`.
constexpr const char* kAnswerColumns =
    "answers.key, requests.request, answers.sample, text, reasoning, cut, mean_logprob, prompt_tokens, new_tokens, "
    "cached_tokens, seconds, retries, usd, model, asked_at, times_asked, digest, server, server IS NULL";

// The key of an answer's row: that of what was asked, where nothing is known of the server; else a hash of both.
std::string row_key(const std::string& asked_key, const std::string& server);
// Of all that `answer` holds but its request, which is compared itself, and of its row's key.
std::string digest_of(const NewAnswer& answer);
// Binds parameters 3 to 15 of the statement that inserts: sample, text ... model, digest; and 17, server.
void bind_answer(Statement& insert, const NewAnswer& answer, const std::string& digest);
// Nothing if the digest does not fit: the file is damaged. Throws DatabaseError.
std::optional<StoredAnswer> read_answer(const Statement& row);

}  // namespace craft

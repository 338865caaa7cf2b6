// Turns a cache of answers back into what schema 1 was, for tests of how it is brought up.
#pragma once

namespace craft::test {

inline constexpr const char* kMakeSchema1 = R"(
ALTER TABLE answers RENAME TO later;
DROP INDEX answers_by_request;
DROP INDEX answers_of_old_form;
CREATE TABLE answers(
  key TEXT NOT NULL PRIMARY KEY,  -- hash of request and sample
  request INTEGER NOT NULL REFERENCES requests(id),
  sample INTEGER NOT NULL,
  text BLOB NOT NULL,             -- bytes: what a model wrote need not be UTF-8
  reasoning BLOB NOT NULL,
  cut INTEGER NOT NULL,           -- 1: at the limit of new tokens
  mean_logprob REAL,
  prompt_tokens INTEGER NOT NULL,
  new_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  seconds REAL NOT NULL,
  retries INTEGER NOT NULL,
  usd REAL,                       -- NULL: no price known
  model TEXT NOT NULL,
  asked_at INTEGER NOT NULL,      -- when it was kept, in milliseconds since 1970
  times_asked INTEGER NOT NULL,   -- 1, and one for each unusable answer before it
  digest TEXT NOT NULL            -- of the answer's bytes and numbers, for SQLite checks none
);
INSERT INTO answers SELECT key, request, sample, text, reasoning, cut, mean_logprob, prompt_tokens, new_tokens,
  cached_tokens, seconds, retries, usd, model, asked_at, times_asked, digest FROM later;
DROP TABLE later;
PRAGMA user_version=1;
)";

}  // namespace craft::test

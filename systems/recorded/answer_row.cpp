#include "systems/recorded/answer_row.h"

#include <array>
#include <cstring>

#include "core/file_hash.h"

namespace craft {

namespace {

void append_bytes(std::string& out, std::string_view bytes) {
    out += std::to_string(bytes.size()) + ':';
    out += bytes;
}

void append_real(std::string& out, const std::optional<double>& value) {
    std::array<char, sizeof(double)> bits{};
    if (value) std::memcpy(bits.data(), &*value, bits.size());
    out += value ? '+' : '-';
    out.append(bits.data(), bits.size());
}

std::string digest_of_answer(const std::string& key, uint64_t sample, const Reply& reply, const std::string& model) {
    std::string bytes;
    bytes.reserve(reply.text.size() + reply.reasoning.size() + 256);
    for (const std::string* text : {&key, &reply.text, &reply.reasoning, &model}) append_bytes(bytes, *text);
    const Usage& usage = reply.usage;
    for (const int64_t number : {static_cast<int64_t>(sample), static_cast<int64_t>(reply.status), usage.prompt_tokens,
                                 usage.new_tokens, usage.cached_tokens, usage.retries})
        bytes += std::to_string(number) + ' ';
    append_real(bytes, usage.seconds);
    append_real(bytes, usage.usd);
    append_real(bytes, reply.mean_logprob);
    return hash128_text(bytes);
}

}  // namespace

std::string row_key(const std::string& asked_key, const std::string& server) {
    return server.empty() ? asked_key : hash128_text(asked_key + "\n" + server);
}

std::string digest_of(const NewAnswer& answer) {
    return digest_of_answer(row_key(answer.asked.key, answer.server), answer.asked.sample, answer.reply, answer.model);
}

void bind_answer(Statement& insert, const NewAnswer& answer, const std::string& digest) {
    const Reply& reply = answer.reply;
    insert.bind(3, static_cast<int64_t>(answer.asked.sample))
        .bind_blob(4, reply.text)
        .bind_blob(5, reply.reasoning)
        .bind(6, int64_t{reply.status == Reply::Status::cut})
        .bind(7, reply.mean_logprob)
        .bind(8, reply.usage.prompt_tokens)
        .bind(9, reply.usage.new_tokens)
        .bind(10, reply.usage.cached_tokens)
        .bind(11, reply.usage.seconds)
        .bind(12, reply.usage.retries)
        .bind(13, reply.usage.usd)
        .bind_text(14, answer.model)
        .bind_text(15, digest)
        .bind_text(17, answer.server);
}

std::optional<StoredAnswer> read_answer(const Statement& row) {
    StoredAnswer answer;
    answer.key = row.bytes(0);
    answer.asked = recorded_request(row.bytes(1), static_cast<uint64_t>(row.integer(2)));
    Reply& reply = answer.reply;
    reply.text = row.bytes(3);
    reply.reasoning = row.bytes(4);
    reply.status = row.integer(5) != 0 ? Reply::Status::cut : Reply::Status::finished;
    reply.mean_logprob = row.optional_real(6);
    reply.usage.prompt_tokens = row.integer(7);
    reply.usage.new_tokens = row.integer(8);
    reply.usage.cached_tokens = row.integer(9);
    reply.usage.seconds = row.real(10);
    reply.usage.retries = row.integer(11);
    reply.usage.usd = row.optional_real(12);
    reply.recorded = true;
    answer.model = row.bytes(13);
    answer.asked_at = row.integer(14);
    answer.times_asked = row.integer(15);
    answer.server = row.bytes(17);
    answer.is_of_old_form = row.integer(18) != 0;
    const bool is_complete = answer.key == row_key(answer.asked.key, answer.server) &&
                             digest_of_answer(answer.key, answer.asked.sample, reply, answer.model) == row.bytes(16);
    return is_complete ? std::optional(std::move(answer)) : std::nullopt;
}

}  // namespace craft

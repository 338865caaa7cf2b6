#include "systems/recorded/export_answers.h"

#include "core/log.h"
#include "systems/recorded/canonical_json.h"

namespace craft {

namespace {

Json usage_row(const Usage& usage) {
    return {{"prompt_tokens", usage.prompt_tokens},
            {"new_tokens", usage.new_tokens},
            {"cached_tokens", usage.cached_tokens},
            {"seconds", usage.seconds},
            {"retries", usage.retries},
            {"usd", value_or_null(usage.usd)}};
}

}  // namespace

// The request is canonical JSON already, and goes in as it is.
std::string answer_line(const StoredAnswer& answer) {
    const Reply& reply = answer.reply;
    return "{\"key\":" + canonical_string(answer.key) + ",\"sample\":" + std::to_string(answer.asked.sample) +
           ",\"request\":" + answer.asked.request + ",\"text\":" + canonical_string(reply.text) +
           ",\"reasoning\":" + canonical_string(reply.reasoning) +
           ",\"status\":" + (reply.status == Reply::Status::cut ? "\"cut\"" : "\"finished\"") +
           ",\"mean_logprob\":" + value_or_null(reply.mean_logprob).dump() + ",\"usage\":" + usage_row(reply.usage).dump() +
           ",\"model\":" + canonical_string(answer.model) +
           ",\"server\":" + (answer.server.empty() ? "null" : answer.server) +
           ",\"asked_at\":" + std::to_string(answer.asked_at) + ",\"times_asked\":" + std::to_string(answer.times_asked) +
           "}\n";
}

ExportCounts export_lines(const AnswerCache& cache, OutputFile& out) {
    ExportCounts counts;
    cache.for_each(
        [&](const StoredAnswer& answer) {
            out.write(answer_line(answer));
            ++counts.answers;
            return true;
        },
        [&](const std::string& key) {
            log_warning("a damaged answer is skipped", {{"key", key}, {"cache", cache.file().string()}});
            ++counts.damaged;
        });
    return counts;
}

}  // namespace craft

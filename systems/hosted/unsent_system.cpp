#include "systems/hosted/unsent_system.h"

#include "core/error.h"
#include "systems/hosted/chat_reply.h"
#include "systems/hosted/chat_request.h"
#include "systems/hosted/error_watch.h"
#include "systems/hosted/hosted_record.h"
#include "systems/hosted/http_refusal.h"
#include "systems/hosted/run_ending.h"
#include "systems/hosted/spending.h"

namespace craft {

namespace {

// The limit of new tokens, by either name; 0: none was sent.
int64_t asked_limit(const Json& body) {
    for (const char* name : {"max_tokens", "max_completion_tokens"})
        if (has_value(body, name) && body[name].is_number_integer()) return body[name];
    return 0;
}

std::vector<std::string> asked_stops(const Json& body) {
    std::vector<std::string> stops;
    if (has_value(body, "stop") && body["stop"].is_array())
        for (const Json& stop : body["stop"])
            if (stop.is_string()) stops.push_back(stop);
    return stops;
}

bool is_of_old_form(const std::string& record) {
    return record.find("\"" + std::string(kAskedOf) + "\":") == std::string::npos;  // within texts quotes are escaped
}

// Empty where a history holds bytes that are no UTF-8, which canonical JSON has and others do not take.
Json body_of(const std::string& record) {
    try {
        Json body = parse_json(record, "the record");
        if (body.is_object()) body.erase(kAskedOf);
        return body.is_object() ? body : Json::object();
    } catch (const Error&) {
        return Json::object();
    }
}

}  // namespace

std::vector<Reply> UnsentSystem::answer_into(const std::vector<Request>& /*requests*/, const SamplingOptions& /*sampling*/,
                                             const ReplySink& /*sink*/) {
    throw Error(name(), "requests that are written into files", "one that would have to be sent");
}

Json UnsentSystem::record(const Request& request, const SamplingOptions& sampling) const {
    return hosted_record(profile_, request, sampling);
}

Json UnsentSystem::body(const Request& request, const SamplingOptions& sampling, bool learnt) const {
    return chat_body(profile_, request, sampling,
                     {.field = learnt ? MaxTokensField::max_completion_tokens : profile_.max_tokens_field});
}

FileReply UnsentSystem::read(int64_t status, const Json& sent, const std::string& record) const {
    const Json asked = body_of(record);
    // An error of a line that says no status is read as one that stands in an answer.
    const bool is_answer = status == 0 || (status >= 200 && status < 300);
    const long refused = is_answer ? status_within(part_within(sent, "error")) : static_cast<long>(status);
    FileReply read = refused == 0 ? read_answer(sent, asked) : read_refusal(refused, sent, asked);
    if (is_of_old_form(record))
        read.warning = name() +
                       ": answers to batch files of an older version, which do not name their server: they are ignored, and "
                       "their requests repeated";
    return read;
}

FileReply UnsentSystem::read_answer(const Json& completion, const Json& asked) const {
    FileReply read;
    read.limit = asked_limit(asked);
    ChatReply answer = read_chat_document(completion, {.max_new_tokens = read.limit});
    read.reply = std::move(answer.choices.front());
    if (answer.has_usage) read.reply.usage.usd = price_of(profile_.prices, read.reply.usage);
    cut_at_stop(read.reply, asked_stops(asked));
    if (is_far_above(read.reply.usage.new_tokens, read.limit)) read.warning = far_above_warning(profile_.name);
    if (may_be_repeated(read.reply.failure)) read.next = FileReply::Next::again;
    return read;
}

FileReply UnsentSystem::read_refusal(long status, const Json& sent, const Json& asked) const {
    FileReply read;
    const HttpRefusal refusal = read_http_refusal(status, dump_line(sent), {}, fields_of(asked));
    read.reply = Reply::failed(refusal.failure, refusal.error);
    read.ending = run_ending(profile_, profile_.endpoints.front(), status, refusal);
    using Next = FileReply::Next;
    if (refusal.wants_max_completion_tokens && profile_.max_tokens_field == MaxTokensField::automatic)
        read.next = Next::learn;
    else if (!read.ending.empty())
        read.next = refusal.is_final ? Next::end_run_again : Next::end_run;
    else if (may_be_repeated(refusal.failure))
        read.next = Next::again;
    return read;
}

}  // namespace craft

#include "systems/hosted/unsent_system.h"

#include "core/error.h"
#include "systems/hosted/chat_reply.h"
#include "systems/hosted/chat_request.h"
#include "systems/hosted/spending.h"

namespace craft {

std::vector<Reply> UnsentSystem::answer_into(const std::vector<Request>& /*requests*/, const SamplingOptions& /*sampling*/,
                                             const ReplySink& /*sink*/) {
    throw Error(name(), "requests that are written into files", "one that would have to be sent");
}

Json UnsentSystem::record(const Request& request, const SamplingOptions& sampling) const {
    return chat_body(profile_, request, sampling, {.field = profile_.max_tokens_field, .for_record = true});
}

Json UnsentSystem::body(const Request& request, const SamplingOptions& sampling) const {
    return chat_body(profile_, request, sampling, {.field = profile_.max_tokens_field});
}

Reply UnsentSystem::reply(const Json& completion) const {
    ChatReply read = read_chat_document(completion, {});
    Reply& first = read.choices.front();
    if (read.has_usage) first.usage.usd = price_of(profile_.prices, first.usage);
    return std::move(first);
}

}  // namespace craft

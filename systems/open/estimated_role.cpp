#include "systems/open/estimated_role.h"

#include "systems/hosted/chat_request.h"
#include "systems/hosted/spending.h"

namespace craft {

std::optional<double> hosted_price(const SystemSpec& spec, const Json& profiles, const Usage& usage) {
    return price_of(hosted_profile(spec, profiles).prices, usage);
}

EstimatedRole::EstimatedRole(const SystemSpec& spec, const RoleSystemOptions& systems, const SamplingOptions& sampling)
    : spec_(spec), sampling_(sampling) {
    if (spec.kind == SystemSpec::Kind::hosted) {
        profile_ = hosted_profile(spec, systems.profiles);
    } else {
        tokenizer_ = open_tokenizer(spec.model);
        chat_ = open_chat_template(spec.model, systems.chat);
    }
}

void EstimatedRole::add(const Conversation& conversation, const AskedTimes& asked) {
    prompt_tokens_ += asked.least * tokens_of(conversation);
    asked_.least += asked.least;
    asked_.most += asked.most;
}

std::optional<double> EstimatedRole::usd() const {
    if (!profile_) return std::nullopt;
    return price_of(profile_->prices, {.prompt_tokens = prompt_tokens_, .new_tokens = new_tokens()});
}

Json EstimatedRole::to_json() const {
    return {{"system", spec_.text()},
            {"requests", {{"least", asked_.least}, {"most", asked_.most}}},
            {"prompt_tokens", prompt_tokens_},
            {"new_tokens", {{"least_requests", new_tokens()}, {"most_requests", asked_.most * sampling_.limit()}}},
            {"usd", value_or_null(usd())}};
}

int64_t EstimatedRole::tokens_of(const Conversation& conversation) const {
    const Request request = {.conversation = conversation};
    if (profile_) return estimated_prompt_tokens(dump_line(chat_body(*profile_, request, sampling_, {})));
    return static_cast<int64_t>(chat_->encode(*tokenizer_, conversation, {.generation_prompt = true}).tokens.size());
}

}  // namespace craft

// The body of a Chat Completions request.
#pragma once

#include <string>

#include "systems/hosted/profile.h"
#include "systems/system.h"

namespace craft {

// What is asked for beyond the request itself.
struct ChatBodyOptions {
    MaxTokensField field = MaxTokensField::automatic;  // automatic: max_tokens
    int64_t samples = 1;                               // choices in one reply ("n"); 1: the field is not sent
    bool for_record = false;  // as a record has it: the profile's own seed, which does not depend on the sample
};

// The body as the profile's server takes it: no key, URL or header is part of it. Throws Error where answers are to be
// constrained and the profile names no way in which the server takes a grammar. Messages lose what servers do not know
// (weight, thinking, and reasoning unless the profile sends it); a tool's answer that is no text becomes its JSON.
Json chat_body(const HostedProfile& profile, const Request& request, const SamplingOptions& sampling,
               const ChatBodyOptions& options);

// A rough upper estimate of the prompt's tokens, from its bytes: what is reserved under limits and budgets until the reply
// says how many there were.
int64_t estimated_prompt_tokens(const std::string& body);

}  // namespace craft

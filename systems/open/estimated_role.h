// What a system would be asked and what it would cost, for dry runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "model/chat/chat_template.h"
#include "model/tokenizer/tokenizer.h"
#include "systems/open/asking_run.h"

namespace craft {

struct AskedTimes {
    int64_t least = 0, most = 0;
    AskedTimes times(int64_t fewest, int64_t highest) const { return {least * fewest, most * highest}; }
};

// What a hosted system asks for so many tokens; absent where its profile has no prices. Throws UsageError as
// hosted_profile() does.
std::optional<double> hosted_price(const SystemSpec& spec, const Json& profiles, const Usage& usage);

// Of a local system its tokenizer and template are opened and no weights; of a hosted one the profile is read and no key.
class EstimatedRole {
public:
    // Throws Error and UsageError as these do.
    EstimatedRole(const SystemSpec& spec, const RoleSystemOptions& systems, const SamplingOptions& sampling);
    // A request that is made so often.
    void add(const Conversation& conversation, const AskedTimes& asked);
    const AskedTimes& asked() const { return asked_; }
    int64_t prompt_tokens() const { return prompt_tokens_; }                 // of the least requests
    int64_t new_tokens() const { return asked_.least * sampling_.limit(); }  // what these may bring at most
    std::optional<double> usd() const;                                       // of both; absent where no price is known
    bool has_price() const { return profile_.has_value(); }
    // {"system", "requests": {"least", "most"}, "prompt_tokens", "new_tokens": {"least_requests", "most_requests"}, "usd"}
    Json to_json() const;

private:
    int64_t tokens_of(const Conversation& conversation) const;

    SystemSpec spec_;
    SamplingOptions sampling_;
    std::optional<HostedProfile> profile_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    std::shared_ptr<const ChatTemplate> chat_;
    AskedTimes asked_;
    int64_t prompt_tokens_ = 0;
};

}  // namespace craft

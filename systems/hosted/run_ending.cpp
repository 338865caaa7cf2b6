#include "systems/hosted/run_ending.h"

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr size_t kShownName = 60;  // bytes

std::string place_of_key(const HostedEndpoint& endpoint) {
    if (!endpoint.key_env.empty()) return "the key comes from the environment variable " + endpoint.key_env;
    if (!endpoint.key_file.empty()) return "the key comes from " + endpoint.key_file.string();
    return "the profile names no key: key_env, key_file";
}

}  // namespace

std::string run_ending(const HostedProfile& profile, const HostedEndpoint& endpoint, long status,
                       const HttpRefusal& refusal) {
    const std::string where = "openai." + profile.name;
    if (refusal.is_final)
        return Error(where, "access to " + profile.model, refusal.error,
                     status == 407 ? "proxy_auth_env" : place_of_key(endpoint))
            .what();
    const std::string& name = refusal.parameter;
    if (name.empty() && !refusal.wants_max_completion_tokens) return "";
    const std::string expected = "a request that the server takes";
    if (refusal.wants_max_completion_tokens || name == "max_tokens" || name == "max_completion_tokens")
        return Error(where + ".max_tokens_field", expected, refusal.error, "set max_tokens_field").what();
    if (name == "model" || name == "messages")
        return Error(where, expected, refusal.error, "the field '" + name + "' is needed in every request").what();
    return Error(where + ".omit", expected, refusal.error,
                 "\"omit\": [\"" + shortened(one_line(name), kShownName) + "\"] omits it")
        .what();
}

}  // namespace craft

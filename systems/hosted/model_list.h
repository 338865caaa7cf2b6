// A server's list of its models (GET .../models), and what it says of the one that answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "systems/hosted/profile.h"
#include "systems/hosted/transport.h"

namespace craft {

// One answer for each endpoint, in order; asked side by side with the profile's keys, headers and proxy, once and without
// retries. `patience` is how many seconds an answer may take, connecting included; a stop signal ends it at once, and what
// has not come by then is timed_out. Throws Error where libcurl cannot be started.
std::vector<HttpAnswer> ask_model_lists(HostedProfile profile, const HostedKeys& keys, double patience);

// The entries of a list; absent where the bytes are no list of models.
std::optional<std::vector<Json>> listed_models(const std::string& bytes);

// What tells one model from another in the list's entry of `model`, or in its only entry, for a server of one model answers
// whatever name it is asked by: "id", "root" and "parent" (vLLM: the files, and the base of an adapter), and of llama.cpp's
// "meta" what the file is ("n_params", "size", "n_vocab", "n_embd"). Times and windows are left out: a server that is
// started again with the same model says the same. Null: nothing is known.
Json reported_model(const std::string& bytes, const std::string& model);

}  // namespace craft

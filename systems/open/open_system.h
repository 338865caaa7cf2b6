// The systems by their specifications: the one place that opens them.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <string>

#include "model/chat/chat_template.h"
#include "systems/hosted/profile.h"
#include "systems/local/local_system.h"
#include "systems/system.h"

namespace craft {

// `rules`, `local:MODEL[+ADAPTER]`, or `openai:PROFILE`.
struct SystemSpec {
    enum class Kind { rules, local, hosted };
    Kind kind = Kind::rules;
    std::filesystem::path model = {}, adapter = {};  // of a local one; adapter may be empty
    std::string profile = {};                        // of a hosted one

    // MODEL is a path, or org/name of the Hugging Face cache (core/model_cache.h), of which `model` is the snapshot. A `+`
    // that belongs to the model's own path separates nothing. Throws UsageError naming `where` ("--teacher") and the forms
    // that are known, or what is wrong with the cache.
    static SystemSpec parse(const std::string& text, const std::string& where);
    std::string text() const;  // as parse() reads it
};

struct SystemOptions {
    at::ScalarType dtype = at::ScalarType::Float;
    at::Device device = at::Device(at::DeviceType::CPU);
    Quantization quantize = Quantization::none;
    ChatOptions chat = {};
    LocalSystemOptions local = {};
    Json profiles = Json::object();  // of hosted models: {PROFILE: {...}} (systems/hosted/profile.h)
    int64_t processes = 1;           // that ask the same hosted models, and keep to budgets and limits together
    bool with_identity = false;      // a local one's record() holds hashes of its files, which are read for it
};

// The profile of a hosted system. Throws UsageError as HostedProfile::named() does.
HostedProfile hosted_profile(const SystemSpec& spec, const Json& profiles);

// A local one does what its folder's generation_config.json asks for beside what each call says. On a CPU, keys and values
// of a local one's rows and kept histories may take a quarter of the memory that is free now, 2 GiB at least, unless
// options.local says how many. Throws Error as Decoder::load, Decoder::load_adapter, open_tokenizer and open_chat_template
// do; UsageError as HostedProfile::named() and HostedSystem do, and for `rules`, which read an instruction's gold calls and
// answer no messages.
std::unique_ptr<System> open_system(const SystemSpec& spec, const SystemOptions& options);

// The model in memory as a system, for a planner under training: it must be destroyed before the decoder is trained further.
std::unique_ptr<System> open_system(StepSource source, std::shared_ptr<const Tokenizer> tokenizer,
                                    std::shared_ptr<const ChatTemplate> chat, const LocalSystemOptions& options);

}  // namespace craft

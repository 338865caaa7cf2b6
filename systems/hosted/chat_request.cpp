#include "systems/hosted/chat_request.h"

#include <algorithm>

#include "core/error.h"
#include "data/response_grammar.h"

namespace craft {

namespace {

Json sent_message(const Json& message, bool send_reasoning) {
    Json sent = Json::object();
    for (const auto& [key, value] : message.items()) {
        if (key == "weight" || key == "thinking" || value.is_null()) continue;
        if ((key == "reasoning_content" || key == "reasoning") && !send_reasoning) continue;
        // Servers take texts and lists of parts; what a tool answered may be any JSON.
        const bool is_text =
            value.is_string() || (value.is_array() && !value.empty() && value[0].is_object() && value[0].contains("type"));
        sent[key] = key == "content" && !is_text ? Json(dump_line(value)) : value;
    }
    // A turn of calls alone has no content, which servers want to see said.
    if (!sent.contains("content")) sent["content"] = nullptr;
    return sent;
}

void add_limit(Json& body, MaxTokensField field, int64_t limit) {
    if (field == MaxTokensField::none) return;
    body[field == MaxTokensField::max_completion_tokens ? "max_completion_tokens" : "max_tokens"] = limit;
}

void add_sampling(Json& body, const HostedProfile& profile, const SamplingOptions& sampling) {
    const double temperature = profile.temperature.value_or(sampling.temperature);
    body["temperature"] = temperature;
    if (temperature > 0) body["top_p"] = profile.top_p.value_or(sampling.top_p);
    if (!sampling.stop.empty()) body["stop"] = sampling.stop;
    if (sampling.logprobs) body["logprobs"] = true;
}

void add_variables(Json& body, const HostedProfile& profile, const Conversation& conversation) {
    if (!conversation.tools.is_null()) body["tools"] = conversation.tools;
    if (!conversation.documents.is_null()) body["documents"] = conversation.documents;
    body.update(profile.extra_body);
    Json variables = profile.chat_template_kwargs;
    if (body.contains("chat_template_kwargs")) variables = body["chat_template_kwargs"];
    variables.update(conversation.variables);  // what a row says goes before what the profile says
    if (!variables.empty()) body["chat_template_kwargs"] = variables;
}

void add_grammar(Json& body, const HostedProfile& profile) {
    const char* const field = grammar_field(profile.grammar);
    switch (profile.grammar) {
        case HostedGrammar::none:
            throw Error("openai:" + profile.name, "a server that takes grammars, for answers of constrained form",
                        "a profile that names none", "openai." + profile.name + ".grammar says how (docs/hosted.md)");
        case HostedGrammar::structured_outputs:
            body[field] = {{"grammar", response_gbnf()}};
            break;
        case HostedGrammar::guided_grammar:
        case HostedGrammar::gbnf:
            body[field] = response_gbnf();
            break;
    }
}

}  // namespace

Json chat_body(const HostedProfile& profile, const Request& request, const SamplingOptions& sampling,
               const ChatBodyOptions& options) {
    Json body = {{"model", profile.model}, {"messages", Json::array()}};
    for (const Json& message : request.conversation.messages)
        body["messages"].push_back(sent_message(message, profile.send_reasoning));
    // One that the profile configures is final, whatever it is called.
    if (!profile.extra_body.contains("max_tokens") && !profile.extra_body.contains("max_completion_tokens"))
        add_limit(body, options.field, sampling.limit());
    add_sampling(body, profile, sampling);
    if (profile.seed) {
        const uint64_t further = options.for_record ? 0 : request.sample;
        body["seed"] = static_cast<int64_t>((static_cast<uint64_t>(*profile.seed) + further) & 0x7fffffffffffffffULL);
    }
    if (options.samples > 1) body["n"] = options.samples;
    add_variables(body, profile, request.conversation);
    if (sampling.constrain_calls) add_grammar(body, profile);
    for (const std::string& name : profile.omit) body.erase(name);
    return body;
}

int64_t estimated_prompt_tokens(const std::string& body) {
    return static_cast<int64_t>(body.size() / 3) + 1;  // English has about four bytes a token
}

}  // namespace craft

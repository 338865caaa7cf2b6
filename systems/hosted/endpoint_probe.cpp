#include "systems/hosted/endpoint_probe.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"
#include "systems/hosted/http_refusal.h"
#include "systems/hosted/model_list.h"
#include "systems/hosted/url.h"

namespace craft {

namespace {

// "3 models, small among them", or "" where that is no list of models.
std::string models_line(const std::string& bytes, const std::string& model) {
    const std::optional<std::vector<Json>> models = listed_models(bytes);
    if (!models) return "";
    const bool is_there = std::any_of(models->begin(), models->end(), [&](const Json& one) {
        return one.is_object() && has_value(one, "id") && one["id"] == model;
    });
    return std::to_string(models->size()) + (models->size() == 1 ? " model, " : " models, ") +
           shortened(one_line(model), 80) + (is_there ? " among them" : " not among them");
}

void judge(EndpointProbe& probe, const HttpAnswer& answer, const std::string& model, const HostedKeys& keys) {
    using State = EndpointProbe::State;
    if (answer.end != HttpAnswer::End::replied) {
        probe.state = State::not_reachable;
        probe.said = answer.error;
    } else if (answer.status >= 200 && answer.status < 300) {
        probe.said = models_line(answer.body, model);
        if (probe.said.empty()) probe.said = "no list of models: HTTP " + std::to_string(answer.status);
    } else if (answer.status >= 300 && answer.status < 400) {
        probe.said = "no list of models: HTTP " + std::to_string(answer.status) + ", a redirect";
    } else {
        const HttpRefusal refusal =
            read_http_refusal(answer.status, answer.body, [&](const std::string& text) { return keys.redacted(text); });
        if (refusal.is_final) probe.state = State::refused;
        probe.said = (refusal.is_final ? "" : "no list of models: ") + refusal.error;
    }
}

}  // namespace

const char* probe_state_name(EndpointProbe::State state) {
    switch (state) {
        case EndpointProbe::State::reachable:
            return "reachable";
        case EndpointProbe::State::refused:
            return "refused";
        case EndpointProbe::State::not_reachable:
            return "not reachable";
        case EndpointProbe::State::no_key:
            return "no key";
    }
    return "";
}

std::vector<EndpointProbe> probe_endpoints(const HostedProfile& profile, double patience) {
    std::vector<EndpointProbe> probes;
    for (const HostedEndpoint& endpoint : profile.endpoints) probes.push_back({.url = without_query(endpoint.base_url)});
    HostedKeys keys;
    try {
        keys = HostedKeys::read(profile);
    } catch (const UsageError& error) {
        for (EndpointProbe& probe : probes) {
            probe.state = EndpointProbe::State::no_key;
            probe.said = one_line(error.what());
        }
        return probes;
    }
    const std::vector<HttpAnswer> answers = ask_model_lists(profile, keys, patience);
    for (size_t i = 0; i < probes.size(); ++i) judge(probes[i], answers[i], profile.model, keys);
    return probes;
}

}  // namespace craft

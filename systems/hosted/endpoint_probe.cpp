#include "systems/hosted/endpoint_probe.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"
#include "systems/hosted/chat_reply.h"
#include "systems/hosted/transport.h"
#include "systems/hosted/url.h"

namespace craft {

namespace {

std::string shown_url(const std::string& text) {
    return text.substr(0, text.find('?'));
}

// "3 models, small among them": {"data": [{"id"}...]}, or "" where that is not what came.
std::string models_line(const std::string& bytes, const std::string& model) {
    try {
        const Json body = parse_json(bytes, "the list of models");
        if (!body.is_object() || !body.contains("data") || !body["data"].is_array()) return "";
        bool is_there = false;
        for (const Json& one : body["data"])
            is_there = is_there || (one.is_object() && one.contains("id") && one["id"] == model);
        const size_t count = body["data"].size();
        return std::to_string(count) + (count == 1 ? " model, " : " models, ") + shortened(one_line(model), 80) +
               (is_there ? " among them" : " not among them");
    } catch (const Error&) {
        return "";
    }
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

std::vector<EndpointProbe> probe_endpoints(HostedProfile profile, double patience) {
    std::vector<EndpointProbe> probes;
    for (const HostedEndpoint& endpoint : profile.endpoints) probes.push_back({.url = shown_url(endpoint.base_url)});
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
    for (double* limit : {&profile.timeouts.connect, &profile.timeouts.first_byte, &profile.timeouts.whole})
        *limit = std::min(*limit, patience);
    Transport transport(profile, keys);
    for (size_t i = 0; i < probes.size(); ++i)
        transport.start_get(i, i, url_below(profile.endpoints[i].base_url, "/models"));
    while (transport.in_flight() > 0) {
        for (const HttpAnswer& answer : transport.turn(1)) {
            judge(probes[answer.id], answer, profile.model, keys);
        }
    }
    return probes;
}

}  // namespace craft

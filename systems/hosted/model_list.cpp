#include "systems/hosted/model_list.h"

#include <algorithm>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/signals.h"
#include "systems/hosted/url.h"

namespace craft {

namespace {

constexpr double kLookEvery = 0.1;  // seconds between two looks for a stop signal

constexpr size_t kLongestText = 200;  // bytes; of a longer one its hash tells it from others

// Those of `names` that hold a text or a number.
Json known_fields(const Json& object, std::initializer_list<const char*> names) {
    Json fields = Json::object();
    if (!object.is_object()) return fields;
    for (const char* name : names) {
        const Json value = has_value(object, name) ? object[name] : Json();
        if (value.is_number()) fields[name] = value;
        if (!value.is_string()) continue;
        const auto& text = value.get_ref<const std::string&>();
        fields[name] = text.size() > kLongestText ? hash128_text(text) : text;
    }
    return fields;
}

}  // namespace

std::vector<HttpAnswer> ask_model_lists(HostedProfile profile, const HostedKeys& keys, double patience) {
    for (double* limit : {&profile.timeouts.connect, &profile.timeouts.first_byte, &profile.timeouts.total})
        *limit = std::min(*limit, patience);
    HttpAnswer unanswered;
    unanswered.end = HttpAnswer::End::timed_out;
    unanswered.error = "no answer before the run was stopped";
    std::vector<HttpAnswer> answers(profile.endpoints.size(), unanswered);
    Transport transport(profile, keys);
    for (size_t i = 0; i < answers.size(); ++i)
        transport.start_get(i, i, url_below(profile.endpoints[i].base_url, "/models"));
    while (transport.in_flight() > 0 && stop_signal() == 0)
        for (HttpAnswer& answer : transport.turn(kLookEvery)) answers[answer.id] = std::move(answer);
    return answers;
}

std::optional<std::vector<Json>> listed_models(const std::string& bytes) {
    try {
        const Json body = parse_json(bytes, "the list of models");
        if (!body.is_object() || !has_value(body, "data") || !body["data"].is_array()) return std::nullopt;
        return std::vector<Json>(body["data"].begin(), body["data"].end());
    } catch (const Error&) {
        return std::nullopt;
    }
}

Json reported_model(const std::string& bytes, const std::string& model) {
    const std::vector<Json> models = listed_models(bytes).value_or(std::vector<Json>());
    const auto is_it = [&](const Json& one) { return one.is_object() && has_value(one, "id") && one["id"] == model; };
    auto found = std::find_if(models.begin(), models.end(), is_it);
    if (found == models.end() && models.size() == 1 && models.front().is_object()) found = models.begin();
    if (found == models.end()) return nullptr;
    Json said = known_fields(*found, {"id", "root", "parent"});
    if (!has_value(*found, "meta")) return said;
    if (Json meta = known_fields((*found)["meta"], {"n_params", "size", "n_vocab", "n_embd"}); !meta.empty())
        said["meta"] = std::move(meta);
    return said;
}

}  // namespace craft

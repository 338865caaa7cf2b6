#include "cli/loss_request.h"

#include <algorithm>

#include "cli/model_rows.h"
#include "core/error.h"
#include "losses/choice_names.h"
#include "model/chat/prompt_rows.h"

namespace craft {

namespace {

void check_keys(const Json& object, const std::vector<std::string>& known, const std::string& where) {
    if (!object.is_object()) throw Error(where, "an object", object.type_name());
    for (const auto& [key, value] : object.items())
        if (std::find(known.begin(), known.end(), key) == known.end()) throw_unknown("key in " + where, key, known);
}

template <class T>
T choice_of(const Json& value, const std::vector<std::pair<std::string, T>>& choices, const std::string& where) {
    std::vector<std::string> names;
    for (const auto& [name, choice] : choices) {
        if (value == name) return choice;
        names.push_back(name);
    }
    throw_unknown("value of " + where, value.is_string() ? value.get<std::string>() : dump_line(value).substr(0, 40), names);
}

void read_coefficient(const Json& json, double& value, const std::string& where) {
    if (!json.is_number()) throw Error(where, "a number", dump_line(json).substr(0, 40));
    value = json.get<double>();
}

void read_coefficient(const Json& json, bool& value, const std::string& where) {
    if (!json.is_boolean()) throw Error(where, "true or false", dump_line(json));
    value = json.get<bool>();
}

template <class E>
void read_coefficient(const Json& json, E& value, const std::string& where) {
    value = choice_of(json, choice_names<E>(), where);
}

LossOptions loss_options(const Json& request, bool pairs, const std::string& where) {
    LossOptions loss = default_loss_options(pairs ? LossName::craft : LossName::sft);
    std::vector<std::string> keys = {"loss"};
    for_each_coefficient(loss, [&](const char* name, const auto&, const char*) { keys.emplace_back(name); });
    check_keys(request, keys, where);
    const auto at = [&](const std::string& key) { return where + ": field '" + key + "'"; };
    if (request.contains("loss")) loss = default_loss_options(choice_of(request["loss"], loss_names(), at("loss")));
    for_each_coefficient(loss, [&](const char* name, auto& value, const char*) {
        if (request.contains(name)) read_coefficient(request[name], value, at(name));
    });
    if (const auto problems = loss_problems(loss); !problems.empty())
        throw Error(at(problems.front().field) + ": " + problems.front().problem);
    return loss;
}

MaskedTokens sequence_of(const Json& given, const DecoderConfig& config, const std::string& where) {
    const Json sequence = without_nulls(given);
    check_keys(sequence, {"input_ids", "completion_mask"}, where);
    MaskedTokens tokens{ids_field(sequence, "input_ids", config.vocab_size, where), {}};
    const std::string field = where + ": field 'completion_mask'";
    if (!sequence.contains("completion_mask") || !sequence["completion_mask"].is_array())
        throw Error(field, "a list of 0 and 1", sequence.contains("completion_mask") ? "something else" : "none");
    for (const Json& flag : sequence["completion_mask"]) {
        const bool known = flag.is_boolean() || flag == 0 || flag == 1;
        if (!known) throw Error(field, "a list of 0 and 1", dump_line(flag).substr(0, 40));
        tokens.counted.push_back(flag == true || flag == 1 ? 1 : 0);
    }
    if (tokens.counted.size() != tokens.tokens.size())
        throw Error(field, std::to_string(tokens.tokens.size()) + " values, one for each of input_ids",
                    std::to_string(tokens.counted.size()));
    if (config.learned_positions && static_cast<int64_t>(tokens.tokens.size()) > config.max_positions)
        throw Error(where, "at most the model's " + std::to_string(config.max_positions) + " positions",
                    std::to_string(tokens.tokens.size()) + " tokens");
    tokens.counted.front() = 0;
    if (std::count(tokens.counted.begin(), tokens.counted.end(), uint8_t{1}) == 0)
        throw Error(field, "at least one token that counts, after the first", "none", "an empty response has no likelihood");
    return tokens;
}

// What one pair gives by "reference".
ReferenceSums reference_of(const Json& given, const std::string& where) {
    check_keys(given, {"chosen", "rejected"}, where);
    ReferenceSums sums;
    for (const auto& [side, sum] : {std::pair("chosen", &sums.chosen), std::pair("rejected", &sums.rejected)}) {
        const std::string field = where + ": field '" + side + "'";
        if (!given.contains(side)) throw Error(field, "a sum of log-probabilities", "none");
        read_coefficient(given[side], *sum, field);
    }
    return sums;
}

const Json& list_field(const Json& row, const char* name, const std::string& where) {
    if (!row[name].is_array() || row[name].empty())
        throw Error(where + ": field '" + name + "'", "a list of at least one", dump_line(row[name]).substr(0, 40));
    return row[name];
}

}  // namespace

LossRequest loss_request(const Json& row, const DecoderConfig& config, const std::string& where) {
    const bool pairs = row.contains("pairs");
    if (pairs == row.contains("sequences")) throw Error(where, "either 'pairs' or 'sequences'", pairs ? "both" : "neither");
    LossRequest request;
    request.loss = loss_options(row.contains("request") ? without_nulls(row["request"]) : Json::object(), pairs,
                                where + ": field 'request'");
    if (needs_pairs(request.loss.name) != pairs)
        throw Error(where, pairs ? "'sequences'" : "'pairs'", pairs ? "'pairs'" : "'sequences'",
                    "the loss is " + loss_name(request.loss.name));
    const char* const name = pairs ? "pairs" : "sequences";
    for (const Json& given : list_field(row, name, where)) {
        const Json example = without_nulls(given);
        const std::string at = where + ": " + name + "[" + std::to_string(request.examples.size()) + "]";
        if (!pairs) {
            request.examples.push_back({{}, {sequence_of(example, config, at)}});
            continue;
        }
        std::vector<std::string> keys = {"chosen", "rejected"};
        if (needs_reference(request.loss.name)) keys.emplace_back("reference");
        check_keys(example, keys, at);
        if (example.contains("reference"))
            request.references.push_back(reference_of(example["reference"], at + ": reference"));
        for (const char* side : {"chosen", "rejected"})
            if (!example.contains(side)) throw Error(at, std::string("a '") + side + "' side", "none");
        request.examples.push_back({{},
                                    {sequence_of(example["chosen"], config, at + ": chosen"),
                                     sequence_of(example["rejected"], config, at + ": rejected")}});
    }
    if (!request.references.empty() && request.references.size() != request.examples.size())
        throw Error(where, "'reference' in all pairs or in none",
                    "in " + std::to_string(request.references.size()) + " of " + std::to_string(request.examples.size()));
    return request;
}

}  // namespace craft

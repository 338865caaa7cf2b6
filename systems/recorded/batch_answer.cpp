#include "systems/recorded/batch_answer.h"

#include "core/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongestError = 200;  // bytes

bool is_status(const Json& value) {
    return value.is_number_integer() && value >= 100 && value <= 599;
}

int64_t status_of(const Json& response, const std::string& where) {
    const auto found = response.find("status_code");
    if (found == response.end() || !is_status(*found))
        throw Error(where + ": field 'response.status_code'", "a status from 100 to 599",
                    found == response.end() ? "none" : shortened(dump_line(*found), kLongestError));
    return found->get<int64_t>();
}

std::string why_unasked(const Json& error) {
    if (!error.is_object() || !has_value(error, "code")) return "";
    return error["code"] == "batch_expired" ? "expired" : error["code"] == "batch_cancelled" ? "cancelled" : "";
}

}  // namespace

BatchAnswer batch_answer(const Json& line, const std::string& where) {
    BatchAnswer answer;
    answer.custom_id = string_field(line, "custom_id", where);
    if (answer.custom_id.empty()) throw Error(where + ": field 'custom_id'", "an id", "an empty text");
    const Json response = has_value(line, "response") ? line["response"] : Json();
    const Json error = has_value(line, "error") ? line["error"] : Json();
    if (!response.is_null() && !response.is_object())
        throw Error(where + ": field 'response'", "an object or null", response.type_name());
    if (response.is_null() && error.is_null()) throw Error(where, "a response or an error", "neither");
    const Json body = response.is_object() && has_value(response, "body") ? response["body"] : Json();
    if (response.is_object()) answer.status = status_of(response, where);
    // What the server sent says more than what the batch says of it: which filter it was, which parameter.
    const bool is_refused = body.is_object() && has_value(body, "error");
    if (!error.is_null() && !is_refused)
        answer.body = {{"error", error}};
    else if (body.is_object())
        answer.body = body;
    else if (answer.status == 200)
        throw Error(where + ": field 'response.body'", "an object", body.type_name());
    else
        answer.body = body.is_null() ? Json::object() : Json({{"error", body}});
    answer.unasked = why_unasked(error);
    return answer;
}

}  // namespace craft

#include "systems/recorded/batch_answer.h"

#include "core/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongestError = 200;  // bytes

// A text field of an error object, or the error itself where that is a text; empty if there is none.
std::string text_of(const Json& error, const char* name) {
    if (error.is_string()) return error;
    if (!error.is_object() || !has_value(error, name)) return "";
    const Json& value = error[name];
    return value.is_string() ? value.get<std::string>() : dump_line(value);
}

std::string shown(const std::string& text) {
    return one_line(shortened(text, kLongestError));
}

Failure failure_of_status(int64_t status) {
    if (status == 429) return Failure::rate_limited;
    if (status == 408 || status == 504) return Failure::timed_out;
    return status >= 500 ? Failure::server_error : Failure::refused_request;
}

// What kept a request from being answered; its own error or that of the body.
void read_error(BatchAnswer& answer, const Json& error, int64_t status) {
    const std::string code = text_of(error, "code");
    const bool expired = code == "batch_expired", cancelled = code == "batch_cancelled";
    answer.kind = expired || cancelled ? BatchAnswer::Kind::unasked : BatchAnswer::Kind::failed;
    answer.failure = expired     ? "expired"
                     : cancelled ? "cancelled"
                                 : failure_name(status == 0 ? Failure::server_error : failure_of_status(status));
    answer.error = shown(text_of(error, "message"));
    if (answer.error.empty()) answer.error = code.empty() ? "HTTP " + std::to_string(status) : shown(code);
}

int64_t status_of(const Json& response, const std::string& where) {
    const auto found = response.find("status_code");
    const bool fits = found != response.end() && found->is_number_integer() && *found >= 100 && *found <= 599;
    if (!fits)
        throw Error(where + ": field 'response.status_code'", "a status from 100 to 599",
                    found == response.end() ? "none" : shortened(dump_line(*found), kLongestError));
    return found->get<int64_t>();
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
    const int64_t status = response.is_object() ? status_of(response, where) : 0;
    if (error.is_null() && status == 200) {
        if (!body.is_object()) throw Error(where + ": field 'response.body'", "an object", body.type_name());
        answer.body = body;
        return answer;
    }
    const Json within = body.is_object() && has_value(body, "error") ? body["error"] : body;
    read_error(answer, error.is_null() ? within : error, status);
    return answer;
}

}  // namespace craft

#include "systems/hosted/server_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/utf8.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool is_filter_code(const std::string& code) {
    for (const char* known : {"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation",
                              "data_inspection_failed", "DataInspectionFailed"})
        if (code == known) return true;
    return false;
}

// OpenAI's names of errors, with the statuses under which they come.
constexpr std::array<std::pair<const char*, long>, 10> kNamedStatuses = {{{"invalid_request_error", 400},
                                                                          {"context_length_exceeded", 400},
                                                                          {"invalid_api_key", 401},
                                                                          {"model_not_found", 404},
                                                                          {"request_timeout", 408},
                                                                          {"insufficient_quota", 429},
                                                                          {"rate_limit_exceeded", 429},
                                                                          {"rate_limit_error", 429},
                                                                          {"server_error", 500},
                                                                          {"internal_server_error", 500}}};

}  // namespace

std::string text_within(const Json& object, const char* key) {
    if (!object.is_object()) return "";
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

const Json& part_within(const Json& object, const char* key) {
    static const Json none;
    if (!object.is_object()) return none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

// Keys go before anything is cut: the half of one would not be found.
std::string shown_words(const std::string& text, const Redactor& redacted) {
    std::string shown = shortened(redacted ? redacted(text) : text, kQuoted);
    for (size_t at = invalid_utf8_at(shown); at != std::string::npos; at = invalid_utf8_at(shown)) shown[at] = '?';
    return one_line(std::move(shown));
}

std::string error_words(const Json& error, const Redactor& redacted) {
    if (error.is_string()) return shown_words(error.get_ref<const std::string&>(), redacted);
    const std::string message = text_within(error, "message");
    return shown_words(message.empty() ? dump_line(error) : message, redacted);
}

bool holds_error(const Json& error) {
    if (error.is_object()) return std::any_of(error.begin(), error.end(), holds_error);
    return !error.empty() && error != Json("") && error != Json(false) && error != Json(0);  // null is empty, too
}

bool is_filter_error(const Json& error) {
    const Json& metadata = part_within(error, "metadata");
    for (const std::string& code :
         {text_within(error, "code"), text_within(error, "type"), text_within(part_within(error, "innererror"), "code"),
          text_within(metadata, "error_type")})
        if (is_filter_code(code)) return true;
    if (!text_within(metadata, "flagged_input").empty()) return true;
    const std::string words = lowercase(error.is_string() ? error.get<std::string>() : text_within(error, "message"));
    for (const char* said : {"content exists risk", "datainspectionfailed", "flagged as potentially violating"})
        if (words.find(said) != std::string::npos) return true;
    return false;
}

long status_within(const Json& error) {
    const Json& code = part_within(error, "code");
    if (code.is_number_integer() && code >= 400 && code <= 599) return code.get<long>();
    for (const std::string& name : {text_within(error, "code"), text_within(error, "type")})
        for (const auto& [known, status] : kNamedStatuses)
            if (name == known) return status;
    return 0;
}

}  // namespace craft

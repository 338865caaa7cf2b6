#include "systems/hosted/server_words.h"

#include "core/utf8.h"

namespace craft {

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
    return one_line(shortened(redacted ? redacted(text) : text, kQuoted));
}

std::string error_words(const Json& error, const Redactor& redacted) {
    if (error.is_string()) return shown_words(error.get_ref<const std::string&>(), redacted);
    const std::string message = text_within(error, "message");
    return shown_words(message.empty() ? dump_line(error) : message, redacted);
}

bool holds_error(const Json& error) {
    return !error.empty() && error != Json("") && error != Json(false);  // null is empty, too
}

}  // namespace craft

#include "systems/hosted/http_refusal.h"

#include <algorithm>
#include <cctype>

#include "core/ascii.h"

namespace craft {

namespace {

bool mentions(const std::string& text, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return text.find(word) != std::string::npos; });
}

// OpenAI's code, and the words of vLLM, llama.cpp, SGLang, Mistral, TGI, Gemini and Alibaba for the same.
bool is_window_error(const std::string& code, const std::string& words) {
    return code == "context_length_exceeded" ||
           mentions(words, {"maximum context length", "context length", "context window", "exceeds the available context",
                            "exceed_context_size", "longer than the model's", "prompt is too long", "too many tokens",
                            "tokens + `max_new_tokens` must be", "`inputs` must have less than",
                            "exceeds the maximum number of tokens", "range of input length"});
}

bool refuses_a_parameter(const std::string& code, const std::string& words) {
    return code.starts_with("unsupported") || code.starts_with("unknown_parameter") ||
           mentions(words, {"unsupported parameter", "unsupported value", "not supported", "unrecognized request argument",
                            "extra inputs are not permitted", "extra fields not permitted", "unknown parameter",
                            "unknown field", "unrecognized parameter", "unrecognized field", "unexpected keyword",
                            "unexpected fields in the request"});
}

// What is between the first two quotation marks; "" where there are none.
std::string first_quoted(const std::string& text) {
    const size_t begin = text.find('\'');
    const size_t end = begin == std::string::npos ? begin : text.find('\'', begin + 1);
    return end == std::string::npos ? "" : text.substr(begin + 1, end - begin - 1);
}

// Where a name stands in a text as a word of its own, in quotation marks or (unless it has one letter) without.
size_t place_of(const std::string& name, const std::string& text, bool quoted) {
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto is_mark = [](char c) { return c == '\'' || c == '"' || c == '`'; };
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const char before = at > 0 ? text[at - 1] : ' ';
        const char after = at + name.size() < text.size() ? text[at + name.size()] : ' ';
        if (quoted ? is_mark(before) && !is_letter(after) : !is_letter(before) && !is_letter(after)) return at;
    }
    return std::string::npos;
}

// The field that a message names first, a quoted one before others; "" if it names none of them.
std::string named_field(const std::string& words, const std::vector<std::string>& fields) {
    for (const bool quoted : {true, false}) {
        std::string named;
        size_t first = std::string::npos;
        for (const std::string& field : fields) {
            if (!quoted && field.size() == 1) continue;
            const size_t at = place_of(ascii_lower(field), words, quoted);
            if (at < first) first = at, named = field;
        }
        if (!named.empty()) return named;
    }
    return "";
}

// Which part of a request FastAPI's `loc` names: ["body", "top_k"], or with a type's name between the two.
std::string located_field(const Json& loc, const std::vector<std::string>& fields) {
    if (!loc.is_array()) return "";
    for (const Json& part : loc)
        if (part.is_string() && std::find(fields.begin(), fields.end(), part.get<std::string>()) != fields.end())
            return part;
    return loc.size() > 1 && loc[0] == "body" && loc[1].is_string() ? loc[1].get<std::string>() : "";
}

// FastAPI's form of an error, in OpenAI's fields: `detail` is a text (transformers serve), or a list of what is wrong with
// which part of the request, of which a part that is refused says most.
Json error_of_detail(const Json& detail, const std::vector<std::string>& fields) {
    if (detail.is_string()) {
        Json error = {{"message", detail}};
        if (ascii_lower(detail.get<std::string>()).starts_with("unexpected fields"))
            error["param"] = first_quoted(detail.get<std::string>());
        return error;
    }
    if (!detail.is_array() || detail.empty()) return nullptr;
    const auto refused = std::find_if(detail.begin(), detail.end(), [](const Json& one) {
        return refuses_a_parameter(text_within(one, "type"), ascii_lower(text_within(one, "msg")));
    });
    const Json& one = refused == detail.end() ? detail[0] : *refused;
    return {{"message", text_within(one, "msg")},
            {"code", text_within(one, "type")},
            {"param", located_field(part_within(one, "loc"), fields)}};
}

Failure class_of(long status) {
    if (status == 429) return Failure::rate_limited;
    if (status >= 500) return Failure::server_error;
    if (status == 408) return Failure::timed_out;
    return Failure::refused_request;
}

}  // namespace

std::vector<std::string> fields_of(const Json& body) {
    std::vector<std::string> fields;
    if (!body.is_object()) return fields;
    for (const auto& [name, value] : body.items())
        if (name != "model" && name != "messages") fields.push_back(name);
    return fields;
}

HttpRefusal read_http_refusal(long status, std::string_view bytes, const Redactor& redacted,
                              const std::vector<std::string>& fields) {
    HttpRefusal refusal;
    refusal.failure = class_of(status);
    Json error;
    bool is_page = false;
    try {
        Json body = parse_json(std::string(bytes), "the reply");
        if (body.is_array() && body.size() == 1) body = Json(body[0]);  // Gemini's errors stand in a list
        error = part_within(body, "error");
        if (error.is_null()) error = error_of_detail(part_within(body, "detail"), fields);
        if (error.is_null()) error = body;  // vLLM before 0.10 has the error's fields at the top
    } catch (const Error&) {
        // A proxy's page, or nothing: the status says what there is to say.
        error = std::string(bytes);
        is_page = true;
    }
    const std::string said = error_words(error, redacted);
    std::string words = ascii_lower(error.is_string() ? error.get<std::string>() : text_within(error, "message"));
    if (is_page) words.resize(std::min(words.size(), kQuoted));  // its head says what it is
    const std::string code = text_within(error, "code");
    refusal.error = "HTTP " + std::to_string(status) + (said.empty() ? "" : ": " + said);
    // Of this item alone, also where the status is that of a wrong key (OpenRouter's 403).
    if (!is_page && status != 429 && is_filter_error(error)) {
        refusal.failure = Failure::content_filtered;
        return refusal;
    }
    const bool is_wrong_key = status == 400 && mentions(words, {"api key not valid"});  // Gemini's
    refusal.is_final =
        is_wrong_key || status == 401 || status == 403 || status == 402 || status == 407 ||
        (status == 429 && (code == "insufficient_quota" || text_within(error, "type") == "insufficient_quota"));
    if (status != 400 && status != 413 && status != 422) return refusal;
    if (is_window_error(code, words)) {
        refusal.failure = Failure::prompt_too_long;
    } else if (status != 413 && refuses_a_parameter(code, words)) {
        refusal.parameter = text_within(error, "param");
        if (refusal.parameter.empty()) refusal.parameter = named_field(words, fields);
        refusal.wants_max_completion_tokens =
            (mentions(words, {"max_completion_tokens"}) || refusal.parameter == "max_tokens") &&
            refusal.parameter != "max_completion_tokens";
    }
    return refusal;
}

}  // namespace craft

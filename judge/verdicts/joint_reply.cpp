#include "judge/verdicts/joint_reply.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/ascii.h"
#include "core/error.h"
#include "core/json.h"
#include "text/utf8.h"

namespace craft {

namespace {

// Small letters and digits alone: "Over-correction" is "overcorrection", "Output 1" is "output1".
std::string plain_key(std::string_view key) {
    std::string plain;
    for (const char c : key) {
        if (is_ascii_letter(c)) plain += static_cast<char>(c | 0x20);
        if (c >= '0' && c <= '9') plain += c;
    }
    return plain;
}

// The value under a key, whatever its form; null: none.
const Json* value_under(const Json& object, const std::string& key, Leniency& let_pass) {
    const auto exact = object.find(key);
    if (exact != object.end()) return &*exact;
    for (const auto& [written, value] : object.items()) {
        if (plain_key(written) != plain_key(key)) continue;
        note_leniency(let_pass, "key form", true);
        return &value;
    }
    return nullptr;
}

std::optional<size_t> mark_place(const std::vector<std::string>& marks, const std::string& mark) {
    const auto found = std::find(marks.begin(), marks.end(), mark);
    return found == marks.end() ? std::nullopt : std::optional(static_cast<size_t>(found - marks.begin()));
}

// A mark in other words: 3 errors are "2 or more", and the names of App. E.5 are those of the scale.
std::string other_words(std::string written) {
    constexpr std::string_view kOver = " over-correction";
    for (char& c : written) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    if (written.ends_with(kOver)) written.resize(written.size() - kOver.size());
    if (written == "no") return "none";
    if (written == "minor") return "slight";
    const bool is_number = !written.empty() && written.size() < 6 &&
                           std::all_of(written.begin(), written.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_number && std::stoi(written) >= 2 ? "2 or more" : written;
}

std::optional<size_t> read_mark(const Json& value, const MarkScale& scale, Leniency& let_pass) {
    std::string written;
    if (value.is_string()) {
        written = trim(value.get<std::string>());
    } else if (value.is_number()) {
        const double number = value.get<double>();
        if (!(number >= 0 && number < 1000) || number != std::floor(number)) return std::nullopt;
        written = std::to_string(static_cast<int>(number));
    }
    if (const auto place = mark_place(scale.marks, written)) {
        // One to five are asked for as numbers, the others as words.
        note_leniency(let_pass, "mark form", value.is_string() == (scale.marks[0] == "1"));
        return place;
    }
    const auto place = mark_place(scale.marks, other_words(written));
    note_leniency(let_pass, "mark form", place.has_value());
    return place;
}

// The object from the first brace to the last one; null: there is none.
Json object_in(std::string_view text, Leniency& let_pass) {
    const size_t open = text.find('{'), close = text.rfind('}');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return nullptr;
    const std::string_view inner = text.substr(open, close + 1 - open);
    try {
        Json object = parse_json(std::string(inner), "reply");
        note_leniency(let_pass, "text around", inner.size() < text.size());
        return object;
    } catch (const Error&) {
        return nullptr;
    }
}

std::string id_problem(const Json& object, const std::string& id, Leniency& let_pass) {
    const Json* written = value_under(object, "id", let_pass);
    if (written == nullptr) {
        note_leniency(let_pass, "no id", true);
        return "";
    }
    const std::string said = written->is_string() ? written->get<std::string>() : written->dump();
    return said == id ? "" : "another id";
}

}  // namespace

JointReply read_joint(std::string_view reply, const std::string& id, const std::vector<std::string>& names,
                      const std::vector<MarkScale>& scales) {
    JointReply read;
    const auto without = [](std::string problem) { return JointReply{{}, std::move(problem), {}}; };
    std::string_view text = trim_view(reply);
    note_leniency(read.let_pass, "thinking", cut_thinking(text));
    note_leniency(read.let_pass, "fenced", cut_fence(text));
    if (text.empty()) return without("empty");
    const Json object = object_in(text, read.let_pass);
    if (!object.is_object()) return without("no object");
    if (std::string problem = id_problem(object, id, read.let_pass); !problem.empty()) return without(std::move(problem));
    for (const std::string& name : names) {
        const Json* of_text = value_under(object, name, read.let_pass);
        if (of_text == nullptr || !of_text->is_object()) return without("output missing");
        std::map<std::string, size_t> marks;
        for (const MarkScale& scale : scales) {
            const Json* value = value_under(*of_text, scale.name, read.let_pass);
            if (value == nullptr || value->is_null()) return without("mark missing");
            const auto place = read_mark(*value, scale, read.let_pass);
            if (!place) return without("no mark");
            marks[scale.name] = *place;
        }
        read.marks.push_back(std::move(marks));
    }
    return read;
}

}  // namespace craft

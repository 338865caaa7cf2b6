#include "data/wordings.h"

#include <algorithm>

#include "core/files.h"

namespace craft {

namespace {

const std::vector<std::string>& known_slots() {
    static const std::vector<std::string> slots = {"I",   "ids", "A",       "N",         "M",        "N+1",
                                                   "N-1", "M+1", "N:times", "N+1:times", "N-1:times"};
    return slots;
}

void check_slots(const std::string& text, const std::string& where) {
    for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
        const size_t close = text.find('}', open);
        if (close == std::string::npos) throw Error(where, "a closing }", "'" + text + "'");
        const std::string slot = text.substr(open + 1, close - open - 1);
        const auto& slots = known_slots();
        if (std::find(slots.begin(), slots.end(), slot) == slots.end())
            throw Error(where, "a known slot", "{" + slot + "}", "known: {I} {ids} {A} {N} {M} and their shifted forms");
    }
}

Form form_from_name(const std::string& name, const std::string& where) {
    if (name == "say") return Form::say;
    if (name == "that") return Form::that;
    if (name == "with") return Form::with;
    if (name == "ing") return Form::ing;
    throw Error(where, "say, that, with or ing", "'" + name + "'");
}

// Rows are [split, text] (openers) or [split, form, text] (constraints).
std::vector<Wording> read_rows(const Json& rows, bool with_form, const std::string& where) {
    std::vector<Wording> out;
    for (const auto& row : rows) {
        const std::string place = where + "[" + std::to_string(out.size()) + "]";
        if (!row.is_array() || row.size() != (with_form ? 3u : 2u))
            throw Error(place, with_form ? "[split, form, text]" : "[split, text]", row.dump());
        for (const auto& cell : row)
            if (!cell.is_string()) throw Error(place, "strings", row.dump());
        const std::string split = row[0].get<std::string>();
        if (split != "train" && split != "dev") throw Error(place, "train or dev", "'" + split + "'");
        Wording wording;
        wording.dev = split == "dev";
        if (with_form) wording.form = form_from_name(row[1].get<std::string>(), place);
        wording.text = row.back().get<std::string>();
        check_slots(wording.text, place);
        out.push_back(std::move(wording));
    }
    for (const bool dev : {false, true})
        if (std::none_of(out.begin(), out.end(), [&](const Wording& w) { return w.dev == dev; }))
            throw Error(where, std::string("at least one ") + (dev ? "dev" : "train") + " wording", "none");
    return out;
}

const Json& member(const Json& object, const std::string& name, const std::string& where) {
    const auto found = object.find(name);
    if (found == object.end()) throw Error(where, "the key '" + name + "'", "none");
    return *found;
}

}  // namespace

Wordings Wordings::load(const std::filesystem::path& file) {
    const Json document = read_json_file(file);
    const std::string where = file.string();
    Wordings wordings;
    wordings.version_ = file_hash(file);
    wordings.openers_ = read_rows(member(document, "openers", where), false, where + ": openers");
    wordings.ensure_ = read_rows(member(document, "ensure", where), false, where + ": ensure");
    const Json& shapes = member(document, "shapes", where);
    for (int i = 0; i < kShapes; ++i) {
        const std::string name = shape_name(static_cast<Shape>(i));
        const Json* rows = &member(shapes, name, where + ": shapes");
        // A shape may name another one whose wordings it shares.
        if (rows->is_string()) rows = &member(shapes, rows->get<std::string>(), where + ": shapes." + name);
        wordings.shapes_[static_cast<size_t>(i)] = read_rows(*rows, true, where + ": shapes." + name);
    }
    return wordings;
}

std::vector<const Wording*> allowed(const std::vector<Wording>& all, Split split) {
    std::vector<const Wording*> out;
    for (const auto& wording : all)
        if (split == Split::all || wording.dev == (split == Split::dev)) out.push_back(&wording);
    return out;
}

}  // namespace craft

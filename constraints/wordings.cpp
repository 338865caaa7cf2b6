#include "constraints/wordings.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/files.h"
#include "text/utf8.h"

namespace craft {

namespace {

const std::vector<std::string>& known_slots() {
    static const std::vector<std::string> slots = {"I",   "ids", "A",       "N",         "M",        "N+1",
                                                   "N-1", "M+1", "N:times", "N+1:times", "N-1:times"};
    return slots;
}

// What a slot is filled with, whatever its form: "ids", "A", "N" or "M".
std::string value_of(const std::string& slot) {
    return slot == "I" || slot == "ids" ? "ids" : slot.substr(0, 1);
}

// What the wordings of a shape have to say, so that none loses a value.
std::set<std::string> values_of(Shape shape) {
    switch (sub_type(shape)) {
        case SubType::keep_sentence:
        case SubType::modify_sentence:
            return {"ids"};
        case SubType::word_count:
            if (shape == Shape::words_range) return {"M", "N"};
            return {"N"};
        case SubType::sentence_count:
        case SubType::sentence_length:
            return {"N"};
        case SubType::keyword_keep:
        case SubType::keyword_remove:
            return {"A"};
        case SubType::keyword_frequency:
            return {"A", "N"};
    }
    throw std::logic_error("a shape without a sub-type");
}

// `values`: those that the text must hold, and no others.
void check_slots(const std::string& text, const std::set<std::string>& values, const std::string& where) {
    std::set<std::string> held;
    for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
        const size_t close = text.find('}', open);
        if (close == std::string::npos) throw Error(where, "a closing }", "'" + text + "'");
        const std::string slot = text.substr(open + 1, close - open - 1);
        const auto& slots = known_slots();
        if (std::find(slots.begin(), slots.end(), slot) == slots.end())
            throw Error(where, "a known slot", "{" + slot + "}", "known: {I} {ids} {A} {N} {M} and their shifted forms");
        held.insert(value_of(slot));
    }
    const auto names = [](const std::set<std::string>& of) {
        std::string list;
        for (const std::string& name : of) list += (list.empty() ? "{" : ", {") + name + "}";
        return list.empty() ? std::string("no slots") : list;
    };
    if (held != values) throw Error(where, names(values) + " in every alternative", names(held) + " in '" + text + "'");
}

constexpr size_t kMostAlternatives = 2000;

// "here||there": "here", "", "there".
std::vector<std::string> parts_of(const std::string& choice) {
    std::vector<std::string> parts = {""};
    for (const char c : choice)
        if (c == '|')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

// "(Keep|Leave) it (here|there)" stands for four texts.
std::vector<std::string> alternatives(const std::string& text, const std::string& where) {
    std::vector<std::string> texts = {""};
    const auto append_each = [&](const std::vector<std::string>& parts) {
        if (texts.size() * parts.size() > kMostAlternatives)
            throw Error(where, "at most " + std::to_string(kMostAlternatives) + " alternatives", "'" + text + "'");
        std::vector<std::string> longer;
        for (const std::string& begun : texts)
            for (const std::string& part : parts) longer.push_back(begun + part);
        texts = std::move(longer);
    };
    size_t at = 0;
    while (at < text.size()) {
        const size_t open = std::min(text.find('(', at), text.size()), close = text.find(')', open);
        if (text.substr(at, open - at).find_first_of(")|") != std::string::npos ||
            (open < text.size() && (close == std::string::npos || text.find('(', open + 1) < close)))
            throw Error(where, "alternatives as in (a|b), none inside another", "'" + text + "'");
        append_each({text.substr(at, open - at)});
        if (open < text.size()) append_each(parts_of(text.substr(open + 1, close - open - 1)));
        at = open < text.size() ? close + 1 : open;
    }
    return texts;
}

void take_out_of_training(std::vector<Wording>& wordings, const std::string& where) {
    std::set<std::string> held_apart;
    for (const Wording& wording : wordings)
        if (wording.split == Split::dev)
            for (const std::string& text : wording.texts) held_apart.insert(lowercase(text));
    for (Wording& wording : wordings) {
        if (wording.split == Split::dev) continue;
        std::erase_if(wording.texts, [&](const std::string& text) { return held_apart.contains(lowercase(text)); });
        if (wording.texts.empty())
            throw Error(where + "[" + std::to_string(&wording - wordings.data()) + "]",
                        "a train wording that says more than dev wordings", "one whose every alternative is a dev wording");
    }
}

Form form_from_name(const std::string& name, const std::string& where) {
    if (name == "say") return Form::say;
    if (name == "that") return Form::that;
    if (name == "with") return Form::with;
    if (name == "ing") return Form::ing;
    throw Error(where, "say, that, with or ing", "'" + name + "'");
}

// Rows are [split, text] (openers) or [split, form, text] (constraints); `values` as for check_slots().
std::vector<Wording> read_rows(const Json& rows, bool with_form, const std::set<std::string>& values,
                               const std::string& where) {
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
        wording.split = split == "dev" ? Split::dev : Split::train;
        if (with_form) wording.form = form_from_name(row[1].get<std::string>(), place);
        const std::string text = row.back().get<std::string>();
        wording.texts = alternatives(text, place);
        for (const std::string& each : wording.texts) check_slots(each, values, place);
        out.push_back(std::move(wording));
    }
    for (const Split split : {Split::train, Split::dev})
        if (allowed(out, split).empty())
            throw Error(where, std::string("at least one ") + (split == Split::dev ? "dev" : "train") + " wording", "none");
    take_out_of_training(out, where);
    return out;
}

// Rows are texts.
std::vector<Wording> read_sealed(const Json& rows, const std::set<std::string>& values, const std::string& where) {
    std::vector<Wording> out;
    for (const auto& row : rows) {
        const std::string place = where + "[" + std::to_string(out.size()) + "]";
        if (!row.is_string()) throw Error(place, "a text", row.dump());
        out.push_back({Split::sealed, Form::say, {row.get<std::string>()}});
        check_slots(out.back().texts.front(), values, place);
    }
    if (out.empty()) throw Error(where, "at least one wording", "none");
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
    wordings.openers_ = read_rows(member(document, "openers", where), false, {}, where + ": openers");
    wordings.ensure_ = read_rows(member(document, "ensure", where), false, {}, where + ": ensure");
    const Json& shapes = member(document, "shapes", where);
    for (int i = 0; i < kShapes; ++i) {
        const std::string name = shape_name(static_cast<Shape>(i));
        const Json* rows = &member(shapes, name, where + ": shapes");
        // A shape may name another one whose wordings it shares.
        if (rows->is_string()) rows = &member(shapes, rows->get<std::string>(), where + ": shapes." + name);
        wordings.shapes_[static_cast<size_t>(i)] =
            read_rows(*rows, true, values_of(static_cast<Shape>(i)), where + ": shapes." + name);
    }
    return wordings;
}

Wordings Wordings::load_sealed(const std::filesystem::path& file) {
    const Json document = read_json_file(file);
    const std::string where = file.string();
    Wordings wordings;
    wordings.version_ = file_hash(file);
    wordings.openers_ = read_sealed(member(document, "openers", where), {}, where + ": openers");
    const Json& shapes = member(document, "shapes", where);
    for (int i = 0; i < kShapes; ++i) {
        const auto shape = static_cast<Shape>(i);
        const std::string name = shape_name(shape);
        wordings.shapes_[static_cast<size_t>(i)] =
            read_sealed(member(shapes, name, where + ": shapes"), values_of(shape), where + ": shapes." + name);
    }
    return wordings;
}

std::vector<const Wording*> allowed(const std::vector<Wording>& all, Split split) {
    std::vector<const Wording*> out;
    for (const auto& wording : all)
        if (split == Split::all ? wording.split != Split::sealed : wording.split == split) out.push_back(&wording);
    return out;
}

}  // namespace craft

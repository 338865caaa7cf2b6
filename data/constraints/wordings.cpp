#include "data/constraints/wordings.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "core/files.h"
#include "data/constraints/wording_rows.h"
#include "text/lists.h"

namespace craft {

namespace {

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

SlotRule rule_of(Shape shape) {
    SlotRule rule;
    rule.values = {{"I", "ids"}, {"ids", "ids"}, {"S", "ids"}, {"A", "A"}};
    for (const std::string name : {"N", "M"})
        for (const std::string shift : {"", "+1", "-1"}) {
            if (name == "M" && shift == "-1") continue;  // no wording of a lower bound names the number below it
            rule.values[name + shift] = rule.values[name + shift + ":words"] = name;
            if (name == "N") rule.values[name + shift + ":times"] = name;
        }
    rule.needed = values_of(shape);
    rule.only_needed = true;
    return rule;
}

// Names of lists in the file, and their slots.
struct List {
    const char* name;
    SlotRule rule;
};

SlotRule slots(const std::set<std::string>& needed, const std::set<std::string>& others = {}) {
    SlotRule rule;
    rule.needed = needed;
    for (const auto* names : {&needed, &others})
        for (const std::string& name : *names) rule.values[name] = name;
    return rule;
}

const std::array<List, kParts>& parts() {
    static const std::array<List, kParts> lists = {{
        {"openers", slots({})},
        {"ensure", slots({})},
        {"talk", {{}, {}, false, true}},
        {"closers", slots({})},
        {"lists", slots({})},
        {"bullets", slots({}, {"i"})},
        {"repeats", slots({"one", "two"})},
        {"changes", slots({}, {"old", "new", "old_value", "new_value", "topic"})},
        {"withdrawals", slots({}, {"old", "topic"})},
    }};
    return lists;
}

const std::array<List, kPlaces>& places() {
    static const std::array<List, kPlaces> lists = {{
        {"first", slots({})},
        {"last", slots({})},
        {"next_to_last", slots({})},
        {"middle", slots({})},
        {"longest", slots({})},
        {"shortest", slots({})},
        {"begins", slots({"Q"})},
        {"ends", slots({"Q"})},
        {"says", slots({"Q"})},
        {"question", slots({})},
        {"after", {{{"I", "number"}, {"ids", "number"}}, {"number"}}},
        {"before", {{{"I", "number"}, {"ids", "number"}}, {"number"}}},
        {"first_few", slots({"N"})},
        {"last_few", slots({"N"})},
    }};
    return lists;
}

const Json& member(const Json& object, const std::string& name, const std::string& where) {
    const auto found = object.find(name);
    if (found == object.end()) throw Error(where, "the key '" + name + "'", "none");
    return *found;
}

template <size_t n>
void read_lists(const Json& object, const std::array<List, n>& lists, const std::string& where,
                std::array<std::vector<Wording>, n>& out) {
    for (size_t i = 0; i < n; ++i)
        out[i] = read_rows(member(object, lists[i].name, where), false, lists[i].rule, where + ": " + lists[i].name);
}

Chances read_chances(const Json& object, const std::string& where) {
    Chances chances;
    const std::vector<std::pair<std::string, double*>> fields = {{"words", &chances.words},
                                                                 {"large_words", &chances.large_words},
                                                                 {"places", &chances.places},
                                                                 {"list", &chances.list},
                                                                 {"talk", &chances.talk},
                                                                 {"closers", &chances.closers},
                                                                 {"repeats", &chances.repeats},
                                                                 {"changes", &chances.changes},
                                                                 {"withdrawals", &chances.withdrawals}};
    std::vector<std::string> known;
    for (const auto& [name, field] : fields) {
        known.push_back(name);
        const Json& value = member(object, name, where);
        if (!value.is_number() || value < 0 || value > 1) throw Error(where + "." + name, "a probability", value.dump());
        *field = value.get<double>();
    }
    for (const auto& [name, value] : object.items())
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw Error(where, "a known chance", "'" + name + "'", "known: " + join(known, ", "));
    return chances;
}

// What any instruction can be made of, whatever stands before it.
bool is_plain(const Wording* wording) {
    return wording->form == Form::say;
}

}  // namespace

Wordings Wordings::load(const std::filesystem::path& file) {
    const Json document = read_json_file(file);
    const std::string where = file.string();
    Wordings wordings;
    wordings.version_ = file_hash(file);
    wordings.chances_ = read_chances(member(document, "chances", where), where + ": chances");
    read_lists(document, parts(), where, wordings.parts_);
    read_lists(member(document, "places", where), places(), where + ": places", wordings.places_);
    const Json& topics = member(document, "topics", where);
    for (int i = 0; i < kSubTypes; ++i) {
        const std::string name = sub_type_name(static_cast<SubType>(i));
        wordings.topics_[static_cast<size_t>(i)] =
            read_rows(member(topics, name, where + ": topics"), false, {}, where + ": topics." + name);
    }
    const Json& shapes = member(document, "shapes", where);
    for (int i = 0; i < kShapes; ++i) {
        const std::string name = shape_name(static_cast<Shape>(i));
        const Json* rows = &member(shapes, name, where + ": shapes");
        // A shape may name another one whose wordings it shares.
        if (rows->is_string()) rows = &member(shapes, rows->get<std::string>(), where + ": shapes." + name);
        auto& read = wordings.shapes_[static_cast<size_t>(i)];
        read = read_rows(*rows, true, rule_of(static_cast<Shape>(i)), where + ": shapes." + name);
        for (const Split split : {Split::train, Split::dev})
            if (const auto some = allowed(read, split); std::none_of(some.begin(), some.end(), is_plain))
                throw Error(where + ": shapes." + name, "a wording of the form say in each split", "none");
    }
    return wordings;
}

Wordings Wordings::load_sealed(const std::filesystem::path& file) {
    const Json document = read_json_file(file);
    const std::string where = file.string();
    Wordings wordings;
    wordings.version_ = file_hash(file);
    wordings.parts_[static_cast<size_t>(Part::openers)] =
        read_sealed_rows(member(document, "openers", where), {}, where + ": openers");
    const Json& shapes = member(document, "shapes", where);
    for (int i = 0; i < kShapes; ++i) {
        const auto shape = static_cast<Shape>(i);
        const std::string name = shape_name(shape);
        wordings.shapes_[static_cast<size_t>(i)] =
            read_sealed_rows(member(shapes, name, where + ": shapes"), rule_of(shape), where + ": shapes." + name);
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

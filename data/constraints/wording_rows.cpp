#include "data/constraints/wording_rows.h"

#include <algorithm>

#include "text/utf8.h"

namespace craft {

namespace {

std::string slot_list(const std::set<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "{" : ", {") + name + "}";
    return list.empty() ? "no slots" : list;
}

bool is_range(const std::string& slot) {
    const size_t dash = slot.find('-');
    const auto is_number = [](const std::string& text) {
        return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
    };
    return dash != std::string::npos && is_number(slot.substr(0, dash)) && is_number(slot.substr(dash + 1)) &&
           std::stol(slot.substr(0, dash)) <= std::stol(slot.substr(dash + 1));
}

void check_slots(const std::string& text, const SlotRule& rule, const std::string& where) {
    std::set<std::string> held;
    for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
        const size_t close = text.find('}', open);
        if (close == std::string::npos) throw Error(where, "a closing }", "'" + text + "'");
        const std::string slot = text.substr(open + 1, close - open - 1);
        if (rule.ranges && is_range(slot)) continue;
        const auto found = rule.values.find(slot);
        if (found == rule.values.end()) {
            std::set<std::string> known;
            for (const auto& [name, value] : rule.values) known.insert(name);
            throw Error(where, "a known slot", "{" + slot + "}",
                        "known: " + slot_list(known) + (rule.ranges ? " and ranges such as {3-40}" : ""));
        }
        held.insert(found->second);
    }
    const bool all = std::includes(held.begin(), held.end(), rule.needed.begin(), rule.needed.end());
    if (!all || (rule.only_needed && held != rule.needed))
        throw Error(where, slot_list(rule.needed) + " in every alternative", slot_list(held) + " in '" + text + "'");
}

constexpr size_t kMaxAlternatives = 2000;

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
        if (texts.size() * parts.size() > kMaxAlternatives)
            throw Error(where, "at most " + std::to_string(kMaxAlternatives) + " alternatives", "'" + text + "'");
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
    static const std::vector<std::pair<std::string, Form>> forms = {{"say", Form::say},   {"that", Form::that},
                                                                    {"with", Form::with}, {"ing", Form::ing},
                                                                    {"fact", Form::fact}, {"item", Form::item}};
    for (const auto& [known, form] : forms)
        if (known == name) return form;
    throw Error(where, "say, that, with, ing, fact or item", "'" + name + "'");
}

}  // namespace

std::vector<Wording> read_rows(const Json& rows, bool with_form, const SlotRule& rule, const std::string& where) {
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
        for (const std::string& each : wording.texts) check_slots(each, rule, place);
        out.push_back(std::move(wording));
    }
    for (const Split split : {Split::train, Split::dev})
        if (allowed(out, split).empty())
            throw Error(where, std::string("at least one ") + (split == Split::dev ? "dev" : "train") + " wording", "none");
    take_out_of_training(out, where);
    return out;
}

std::vector<Wording> read_sealed_rows(const Json& rows, const SlotRule& rule, const std::string& where) {
    std::vector<Wording> out;
    for (const auto& row : rows) {
        const std::string place = where + "[" + std::to_string(out.size()) + "]";
        if (!row.is_string()) throw Error(place, "a text", row.dump());
        out.push_back({Split::sealed, Form::say, {row.get<std::string>()}});
        check_slots(out.back().texts.front(), rule, place);
    }
    if (out.empty()) throw Error(where, "at least one wording", "none");
    return out;
}

}  // namespace craft

// Options whose value is an object of any form: layers merge into it, and keys reach into it.
#include <stdexcept>

#include "core/options.h"
#include "core/utf8.h"

namespace craft {

namespace {

// The parts of "a.b.c" within an object. A name that the object has and that holds dots itself ("gpt-4.1") is one part.
std::vector<std::string> parts_of(const Json& object, const std::string& path) {
    std::string name = path.substr(0, path.find('.'));
    if (object.is_object()) {
        for (const auto& [known, value] : object.items())
            if ((path == known || path.starts_with(known + ".")) && known.size() > name.size()) name = known;
    }
    std::vector<std::string> parts = {name};
    if (name.size() == path.size()) return parts;
    const Json* within = object.is_object() && object.contains(name) ? &object[name] : nullptr;
    for (std::string& part : parts_of(within != nullptr ? *within : Json(), path.substr(name.size() + 1)))
        parts.push_back(std::move(part));
    return parts;
}

std::string merged(Json& target, const Json& value) {
    if (!value.is_object()) return "expected an object, got " + shortened(dump_line(value), 80);
    target.merge_patch(value);
    return "";
}

}  // namespace

Option& OptionTable::add(const std::string& key, Json& target, const std::string& help) {
    if (!target.is_object()) throw std::logic_error("option " + key + ": expected an object as its default");
    Option option;
    option.key = key;
    option.help = help;
    option.type = "object";
    option.assign = [&target](const Json& value) { return merged(target, value); };
    option.assign_text = [&target](const std::string& text) {
        const Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
        return merged(target, value.is_discarded() ? Json(text) : value);
    };
    option.assign_within = [&target](const std::vector<std::string>& path, const Json& value) {
        Json patch = value;
        for (size_t i = path.size(); i > 0; --i) patch = Json::object({{path[i - 1], patch}});
        target.merge_patch(patch);
    };
    option.current = [&target] { return target; };
    return add_option(std::move(option));
}

Option* OptionTable::find_around(const std::string& key) {
    for (Option& option : options_)
        if (option.assign_within && key.starts_with(option.key + ".")) return &option;
    return nullptr;
}

bool OptionTable::assign_within(const std::string& key, const Json& value, const std::string& named,
                                const std::string& source) {
    Option* option = find_around(key);
    if (option == nullptr) return false;
    option->assign_within(parts_of(option->current(), key.substr(option->key.size() + 1)), value);
    note_sources(*option, key, value, source);
    note_result(*option, "", named, source);
    return true;
}

void OptionTable::note_sources(Option& option, const std::string& key, const Json& value, const std::string& source) {
    if (!value.is_object()) {
        option.sources_within[key] = source;
        return;
    }
    for (const auto& [name, item] : value.items()) note_sources(option, key + "." + name, item, source);
}

}  // namespace craft

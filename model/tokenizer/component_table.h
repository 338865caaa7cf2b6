// Tables of a tokenizer.json's components by the name of their type. Inside model/tokenizer/ only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "model/tokenizer/component.h"

namespace craft {

template <class Part>
using ComponentTable = std::map<std::string, std::unique_ptr<Part> (*)(const Component&)>;

// What most entries of a table are: a Kind from its component, or from nothing.
template <class Part, class Kind>
std::unique_ptr<Part> make_part(const Component& component) {
    if constexpr (std::is_constructible_v<Kind, const Component&>)
        return std::make_unique<Kind>(component);
    else
        return std::make_unique<Kind>();
}

// `kind` is for the error that lists the known names: "normalizer".
template <class Part>
std::unique_ptr<Part> make_from(const ComponentTable<Part>& table, const Component& component, const std::string& kind) {
    const auto found = table.find(component.type());
    if (found != table.end()) return found->second(component);
    std::vector<std::string> names;
    for (const auto& [name, maker] : table) names.push_back(name);
    component.fail_unknown(kind, names);
}

}  // namespace craft

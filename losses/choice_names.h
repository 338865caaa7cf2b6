// Names of what coefficients choose from, the same in options, requests and files; those of the losses themselves are
// loss_names() (losses.h).
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "losses/losses.h"

namespace craft {

// E: CpoForm, NllNormalisation, Reference.
template <class E>
const std::vector<std::pair<std::string, E>>& choice_names();
template <>
const std::vector<std::pair<std::string, CpoForm>>& choice_names<CpoForm>();
template <>
const std::vector<std::pair<std::string, NllNormalisation>>& choice_names<NllNormalisation>();
template <>
const std::vector<std::pair<std::string, Reference>>& choice_names<Reference>();

template <class E>
std::string choice_name(E value) {
    for (const auto& [name, known] : choice_names<E>())
        if (known == value) return name;
    throw std::logic_error("a value without a name");
}

}  // namespace craft

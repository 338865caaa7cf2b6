// Texts with constraints that no program can check (CRAFT App. B.1): of domain and style, and semantic ones.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

enum class EasyKind {
    style,     // domain and style: how a text is to read, and for whom
    semantic,  // what is to be said
};
std::string easy_kind_name(EasyKind kind);  // "style", "semantic"

struct EasyConstraint {
    EasyKind kind = EasyKind::style;
    std::string text;  // in words: "The text reads like a news report."
};

struct EasyItem {
    std::string id, text;
    std::vector<EasyConstraint> constraints;  // at least one
};

// {"id","text","constraints":[{"kind":"style"|"semantic","text"}...]}; other keys are ignored. Throws Error naming `where`
// and the field.
EasyItem easy_item_from_json(const Json& row, const std::string& where);
// The rows of a file, in order. Throws Error on a bad row, a repeated id, or no row at all.
std::vector<EasyItem> read_easy_items(const std::string& path, const JsonLinesOptions& options = {});

}  // namespace craft

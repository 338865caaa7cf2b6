// Texts by their ids, as `revise` writes them and evaluations read them.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct RevisedText {
    std::string id, text;
    std::string where{};  // "file:line", for messages
};
// {"id","text"}, other keys ignored. Throws Error on a bad row, a repeated id, or no row at all.
std::vector<RevisedText> read_revised_texts(const std::string& path, const JsonLinesOptions& options = {});
// Whether a text holds nothing but white space.
bool is_empty_text(const std::string& text);

}  // namespace craft

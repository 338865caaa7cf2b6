// Texts by their ids, as `revise` writes them and evaluations read them.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct RevisedText {
    std::string id, text;
    std::string where{};                // "file:line", for messages
    std::vector<std::string> rounds{};  // the text after each round of `revise --method iter`; empty where nobody asked
    bool has_failed = false;            // no answer was usable, and the text is the unrevised one
};
// {"id","text"}, other keys ignored. Throws Error on a bad row, a repeated id, or no row at all.
std::vector<RevisedText> read_revised_texts(const std::string& path, const JsonLinesOptions& options = {});
// The same with the rounds of each. Throws Error also where a row has none, and where they are the path of a search.
std::vector<RevisedText> read_revised_rounds(const std::string& path, const JsonLinesOptions& options = {});
// The text after this many rounds, from 1 on; of one that ended earlier its last.
const std::string& text_after(const RevisedText& revised, size_t round);
// The rounds of the text that has most.
size_t most_rounds(const std::vector<RevisedText>& revised);
// So many of them, drawn by seed and id: the same ones from any file with these ids, whatever its order; in their order.
std::vector<RevisedText> drawn_texts(const std::vector<RevisedText>& texts, int64_t count, uint64_t seed);
// Whether a text holds nothing but white space.
bool is_empty_text(const std::string& text);

}  // namespace craft

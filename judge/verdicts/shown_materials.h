// What was made of texts in a judge's prompt: word alignments and bracketed parses, delimited as texts are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data/word_alignment.h"
#include "text/wording_table.h"

namespace craft {

// Who makes what a judge sees beside the texts. Both may be called by several threads at once; null: nobody makes it.
struct JudgingMaterials {
    // One alignment a pair {source, candidate}; one with a problem or without words is not shown.
    std::function<std::vector<WordAlignment>(const std::vector<std::pair<std::string, std::string>>&)> align;
    // A text's parse in brackets; "": none.
    std::function<std::string(const std::string&)> parse;
};

// Counts of what a question's texts had that looked like more than text (ShownText::noted), and of what they lacked.
using NotedInQuestion = std::map<std::string, int64_t>;

class ShownMaterials {
public:
    ShownMaterials(JudgingMaterials materials, bool sees_alignment, bool sees_parses)
        : materials_(std::move(materials)), sees_alignment_(sees_alignment), sees_parses_(sees_parses) {}
    // By the wording "alignment", one text a candidate; "" where there is none, counted as "without alignment" if somebody
    // makes them. Throws Error where another number of alignments came, and what their maker throws.
    std::vector<std::string> alignments(const std::string& source, const std::vector<std::string>& candidates,
                                        const WordingTable& wordings, NotedInQuestion& noted) const;
    // By the wording "parse"; "" where there is none ("without parse").
    std::string parse_of(const std::string& text, const WordingTable& wordings, NotedInQuestion& noted) const;
    // What is to be seen and nobody makes: "alignment", "parses".
    std::vector<std::string> lacking() const;

private:
    JudgingMaterials materials_;
    bool sees_alignment_, sees_parses_;
};

// shown_text() with what it found counted.
std::string shown_and_counted(const std::string& text, NotedInQuestion& noted);

}  // namespace craft

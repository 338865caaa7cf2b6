// Which candidate a judge called best and which worst, for each aspect of a guideline (policy simplification §2.2, App.
// A.2).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/reply_text.h"

namespace craft {

struct ListwiseVerdict {
    size_t best = 0, worst = 0;  // places among the candidates, from 0 on; never the same
    bool operator==(const ListwiseVerdict&) const = default;
};

struct ListwiseReply {
    std::map<std::string, ListwiseVerdict> verdicts;  // by aspect, as the guideline writes it; "" of one without aspects
    std::map<std::string, std::string> problems;      // why an aspect has none, by the names of the table below
    // What was let pass, each once: "thinking", "marks" (bold type, marks of lists and headings, a full stop), "label"
    // ("Verdict: ...",
    // "Lexical: Best: ..."), "case", "separator" (not a comma), "order" (the worst one first), "full width", "json",
    // "repeated" (the same verdict twice), "changed" (a later verdict took the place of another one).
    Leniency let_pass;
};

// A verdict stands alone on a line, "Aspect: Lexical, Best: 2, Worst: 0", or "Best: 2, Worst: 0" where the guideline names
// no aspects; or it is a JSON object with these keys, in a line of its own or in a list. The last one of an aspect counts.
// It is refused, and an earlier one does not take its place, as
//   "out of range"       a number that no candidate has
//   "best is worst"      the same number twice
//   "no number"          "none", "tie", two numbers, a number that is not written in plain digits
// An aspect of which nothing was said has "empty" (nothing was answered), "thinking" (that never ended), "quoted" (the only
// verdict stands between quotation marks or after ">": somebody else's), "no aspect" (the verdicts name none), "another
// aspect" (there are verdicts, of aspects that the guideline has not) or "no verdict". `aspects` differ from each other
// whatever their case; empty: the guideline has none. Never throws on any bytes.
ListwiseReply read_listwise(std::string_view reply, const std::vector<std::string>& aspects, size_t candidates);

}  // namespace craft

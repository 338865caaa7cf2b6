// What a model made of an instruction that it was to put into other words (CRAFT App. C.2): taken, or refused and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/instruction.h"
#include "text/wording_table.h"

namespace craft {

struct RewrittenInstruction {
    std::string text;     // empty where refused
    std::string refused;  // rewriting_problem(), or "empty", "unrelated", "unchanged", "too long", "goes on"; empty: taken
    std::vector<std::string> noted;  // what was taken off: "prefaced", "quoted", "thinking", "fenced"
};

// `replies` is share/prompts/rewriter_replies.json. Never throws on any bytes.
RewrittenInstruction read_rewriting(std::string_view reply, const Instruction& original, const WordingTable& replies);

// Why `rewritten` does not ask for what the original asks for, as far as values can tell; empty: they tell nothing.
// "lost value": keeps_values() is false. "lost place": of a sentence that the original names by its place, the kind of
// place, a number or a quote is gone. "new number", "new quotation": it says one that the original does not. "turned limit":
// it bounds from a side ("at least") from which the original does not bound, while that bounds from the other.
std::string rewriting_problem(const std::string& rewritten, const Instruction& original);

// With that wording, without phrases, which stood in the old one.
Instruction with_wording(Instruction original, const RewrittenInstruction& rewritten);

}  // namespace craft

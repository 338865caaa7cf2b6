// How the editor of editor.h changes sentences: no good English, but different from what it was, and shorter where asked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace craft::chat_server {

// Never the sentence as it was. `manner` (0, 1 or 2) is which way is tried first: words that say little are taken out,
// the end behind the last comma is dropped, or an opening is put in front.
std::string tightened(const std::string& sentence, uint64_t manner = 0);

// A sentence of a text and what is planned for it.
struct PlannedSentence {
    std::string sentence, plan;
    bool is_kept() const;  // the plan begins with "keep"
};
// The lines 'Sentence: "..."; Improvement Plan: "..."' of a prompt, in their order; other lines are none.
std::vector<PlannedSentence> planned_sentences(const std::string& lines);
// Carries the plans out: those of the rules (tighten, split in two, join, leave out, make longer, replace, bring up); what
// else a plan may say is tightening.
std::string carried_out(const std::vector<PlannedSentence>& planned, uint64_t manner = 0);
// The text of these sentences where every kept one is tightened and no other one changes.
std::string carried_out_wrongly(const std::vector<PlannedSentence>& planned);

}  // namespace craft::chat_server

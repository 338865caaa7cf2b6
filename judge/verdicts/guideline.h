// A guideline of judging: what a judge is told, which aspects it gives verdicts of, and worked examples (policy
// simplification §2.2, App. A.2). The form of the file is in docs/judging.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

struct GuidelineAspect {
    std::string name;
    bool sees_alignment = false;  // word alignments of the source with each candidate are shown
    bool sees_parses = false;     // bracketed parses are shown
};

// What a judge sees of one group, in the order in which it is shown.
struct ShownCandidates {
    std::string source;
    std::vector<std::string> candidates;
    std::string instruction = {};             // where the guideline shows it
    std::vector<std::string> responses = {};  // one a candidate where the guideline shows them, else none
};

struct GuidelineExample : ShownCandidates {
    std::string reply;  // what a judge answers: the analysis and a verdict of each aspect
};

// What a judge answers who is shown one simplification and gives no verdict (judge/verdicts/report_prompt.h).
struct GuidelineReport {
    std::string aspect;  // "" of a guideline without aspects
    std::string source, candidate;
    std::string text;
};

struct Guideline {
    std::string version;
    std::string text;                      // what the judge is told
    std::vector<GuidelineAspect> aspects;  // none: one verdict, which names no aspect
    bool sees_instruction = false;         // what the revisions were asked for is shown
    bool sees_responses = false;           // of each candidate what its planner answered is shown
    std::vector<GuidelineExample> examples;
    std::vector<GuidelineReport> reports;
    std::string hash;  // of the file's bytes; verdicts of another one are not comparable
    std::vector<std::string> aspect_names() const;
    bool sees_more_than_texts() const { return sees_instruction || sees_responses; }
};

// A head of lines "KEY: VALUE" (version; aspects: NAME (alignment, parses), NAME, ...; shows: instruction, responses), a
// line "---", the text, and then for each example a line "=== example", a line "source: ...", two or more lines "candidate:
// ...", a blank line and the reply. What the head shows each example has: a line "instruction: ...", and behind each
// candidate a line "response: ...", whose further lines begin with "|". Throws Error naming `name`, the line and what is
// wrong: an unknown key or aspect's material, two aspects of one name whatever their case, an empty text, an example
// without two candidates or without what the head shows, or one whose reply does not have a verdict of every aspect
// (read_listwise()). A line "=== report ASPECT" (without an aspect where the guideline has none) begins a worked report: a
// line "source: ...", one line "candidate: ...", a blank line and the report. Throws Error on an aspect that the guideline
// does not have, on another number of candidates, where there is no text, and where the guideline shows more than texts.
Guideline parse_guideline(std::string_view bytes, const std::string& name);
Guideline read_guideline(const std::filesystem::path& file);

}  // namespace craft

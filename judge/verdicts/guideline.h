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

struct GuidelineExample {
    std::string source;
    std::vector<std::string> candidates;
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
    std::vector<GuidelineExample> examples;
    std::vector<GuidelineReport> reports;
    std::string hash;  // of the file's bytes; verdicts of another one are not comparable
    std::vector<std::string> aspect_names() const;
};

// A head of lines "KEY: VALUE" (version; aspects: NAME (alignment, parses), NAME, ...), a line "---", the text, and then for
// each example a line "=== example", a line "source: ...", two or more lines "candidate: ...", a blank line and the reply.
// Throws Error naming `name`, the line and what is wrong: an unknown key or aspect's material, two aspects of one name
// whatever their case, an empty text, an example without two candidates, or one whose reply does not have a verdict of every
// aspect (read_listwise()). A line "=== report ASPECT" (without an aspect where the guideline has none) begins a worked
// report: a line "source: ...", one line "candidate: ...", a blank line and the report. Throws Error on an aspect that the
// guideline does not have, on another number of candidates, and where there is no text.
Guideline parse_guideline(std::string_view bytes, const std::string& name);
Guideline read_guideline(const std::filesystem::path& file);

}  // namespace craft

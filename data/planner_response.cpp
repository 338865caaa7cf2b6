#include <algorithm>
#include <array>
#include <utility>

#include "core/ascii.h"
#include "data/response_form.h"
#include "data/trajectory.h"

namespace craft {

namespace {

using namespace response_form;
using std::string_view;

// `Sentence: "..."; Improvement Plan: "..."` exactly, with any text between the quotes.
bool read_exact_line(string_view line, PlanLine& read) {
    const size_t middle = line.find(kImprovement);
    if (!line.starts_with(kSentence) || middle == string_view::npos || middle < kSentence.size()) return false;
    const size_t plan = middle + kImprovement.size();
    if (plan >= line.size() || line.back() != '"') return false;
    read.sentence = line.substr(kSentence.size(), middle - kSentence.size());
    read.plan = line.substr(plan, line.size() - 1 - plan);
    return true;
}

// Lines of a plan section as print_response writes them. Sentences may hold quotes and line breaks: a line ends only where
// the next one begins.
bool read_exact_plan(string_view section, std::vector<PlanLine>& plan) {
    while (!section.empty()) {
        const size_t end = section.find("\"\nSentence: \"");
        PlanLine line;
        if (!read_exact_line(section.substr(0, end == string_view::npos ? end : end + 1), line)) return false;
        plan.push_back(std::move(line));
        if (end == string_view::npos) break;
        section.remove_prefix(end + 2);
    }
    return true;
}

// The inverse of print_response; false if `text` is not of its form.
bool read_exact(string_view text, PlannerResponse& read) {
    if (!text.starts_with(kThought)) return false;
    const size_t tools = text.find(kTools, kThought.size());
    if (tools == string_view::npos) return false;
    const size_t body = tools + kTools.size();
    const size_t plan = text.find(kPlanHeading, body);
    if (plan == string_view::npos || plan + 1 < body + kFence.size()) return false;
    const size_t fence = plan - kFence.size();
    if (text.substr(fence, kFence.size()) != kFence || (fence != body && text[fence - 1] != '\n')) return false;
    read.thought = text.substr(kThought.size(), tools - kThought.size());
    read.tools = fence == body ? "" : text.substr(body, fence - 1 - body);
    string_view section = text.substr(fence + kPlan.size());
    if (!section.empty() && section.front() == '\n') section.remove_prefix(1);
    if (!read_exact_plan(section, read.plan)) return false;
    // A model that ran on into the user's turn has not kept to the form, whatever its last character.
    for (const PlanLine& line : read.plan)
        if (line.plan.find("\n###") != std::string::npos || line.sentence.find("\"\n###") != std::string::npos) return false;
    return read.thought.find("\n###") == std::string::npos && print_response(read) == text;
}

enum Section { thought, action, tools, plan, observation, no_section };
constexpr std::array<string_view, 5> kNames = {"thought", "action", "tools", "plan", "observation"};

// A heading at the start of `text` ("###TOOLS:", "  -### Tools :", "2. **###PLAN:**") and its length.
std::pair<Section, size_t> heading_at(string_view text) {
    size_t at = text.find_first_not_of(" \t-*0123456789.)>");
    if (at == string_view::npos || text.substr(at, 2) != "##") return {no_section, 0};
    at = text.find_first_not_of("# \t*", at);
    if (at == string_view::npos) return {no_section, 0};
    for (size_t i = 0; i < kNames.size(); ++i) {
        if (!starts_in_any_case(text.substr(at), kNames[i])) continue;
        const size_t name_end = at + kNames[i].size();
        const size_t end = std::min(text.find_first_not_of(" \t*", name_end), text.size());
        if (end < text.size() && text[end] != ':' && text[end] != '\n' && text[end] != '\r') return {no_section, 0};
        const bool colon = end < text.size() && text[end] == ':';
        const size_t after = colon ? std::min(text.find_first_not_of('*', end + 1), text.size()) : end;
        return {static_cast<Section>(i), after};
    }
    return {no_section, 0};
}

// Whether a heading of `length` bytes is `###NAME:`, alone on its line.
bool is_exact_heading(string_view text, size_t length, Section section) {
    string_view written = text.substr(0, length);
    const bool is_alone = length == text.size() || text[length] == '\n';
    if (!is_alone || !written.starts_with("###") || !written.ends_with(':')) return false;
    written = written.substr(3, written.size() - 4);
    return written.size() == kNames[section].size() && starts_in_any_case(written, kNames[section]) &&
           std::all_of(written.begin(), written.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Content by section; a section that stands there again is added to the first. An observation is the user's: what follows
// it was made up by the model and is no part of the response.
std::array<std::string, 5> split_sections(string_view text, Leniency& noted) {
    std::array<std::string, 5> contents;
    std::array<bool, 5> is_there{};
    Section current = no_section;
    bool line_start = true, has_text_before = false;
    while (!text.empty() && current != observation) {
        const auto [section, length] = line_start ? heading_at(text) : std::pair(no_section, size_t{0});
        if (section != no_section) {
            current = section;
            if (section == observation)
                ++noted[leniency::kRanOn];
            else if (!is_exact_heading(text, length, section))
                ++noted[leniency::kHeadingForm];
            if (std::exchange(is_there[section], true)) ++noted[leniency::kHeadingRepeated];
            text.remove_prefix(length);
            if (!contents[current].empty()) contents[current] += '\n';
            continue;  // another heading may follow on the same line: "###ACTION: ###TOOLS:"
        }
        const size_t newline = text.find('\n');
        const size_t end = newline == string_view::npos ? text.size() : newline + 1;
        if (current != no_section)
            contents[current] += text.substr(0, end);
        else
            has_text_before = has_text_before || !stripped(text.substr(0, end)).empty();
        text.remove_prefix(end);
        line_start = true;
    }
    if (has_text_before) ++noted[leniency::kBeforeHeadings];
    for (const Section section : {thought, action, tools, plan})
        if (!is_there[section]) ++noted[leniency::kHeadingMissing];
    return contents;
}

// The section without the fences around it. Fences inside and prose stay: the parser of calls knows both, and a call that
// stands outside a fence is a prediction like the others. It also knows a fence with a call on its own line.
std::string_view unfenced(string_view section, Leniency& noted) {
    section = stripped(section);
    const string_view first = section.substr(0, section.find('\n'));
    if (!section.starts_with(kFence)) {
        if (!section.empty()) ++noted[leniency::kFenceMissing];
        return section;
    }
    if (first.find('(') != string_view::npos) {
        ++noted[leniency::kCallOnFence];
        return section;
    }
    const bool is_bare = first.find('`', kFence.size()) != string_view::npos || stripped(first) == kFence;
    if (!is_bare) ++noted[leniency::kFenceLanguage];
    section.remove_prefix(first.find('`', kFence.size()) == string_view::npos ? first.size() : kFence.size());
    if (section.ends_with(kFence))
        section.remove_suffix(kFence.size());
    else
        ++noted[section.find(kFence) == string_view::npos ? leniency::kFenceOpen : leniency::kAfterFence];
    return stripped(section);
}

// Where the text of a plan line begins after "Sentence 3:"; npos if none starts here.
size_t sentence_label(string_view line) {
    const size_t at = line.find_first_not_of(" \t-*0123456789.)>");
    if (at == string_view::npos || !starts_in_any_case(line.substr(at), "sentence")) return string_view::npos;
    const size_t colon = line.find_first_not_of(" \t*0123456789", at + 8);
    return colon == string_view::npos || line[colon] != ':' ? string_view::npos : colon + 1;
}

string_view unquoted(string_view text) {
    text = stripped(text);
    if (!text.starts_with('"')) return text;
    text.remove_prefix(1);
    if (text.ends_with("\".")) text.remove_suffix(1);
    if (text.ends_with('"')) text.remove_suffix(1);
    return text;
}

PlanLine loose_line(string_view entry, Leniency& noted) {
    PlanLine line;
    if (read_exact_line(stripped(entry), line)) return line;
    ++noted[leniency::kPlanLineForm];
    entry = entry.substr(sentence_label(entry));
    constexpr string_view kLabel = "improvement plan:";
    const size_t exact = entry.find(kImprovement);
    const size_t label = exact == string_view::npos ? find_in_any_case(entry, kLabel) : exact + 3;
    string_view sentence = stripped(entry.substr(0, label));
    if (label != string_view::npos) {
        sentence = stripped(sentence.substr(0, sentence.find_last_not_of("-*;, \t\n\r") + 1));
        line.plan = unquoted(entry.substr(label + kLabel.size()));
    }
    line.sentence = unquoted(sentence);
    return line;
}

std::vector<PlanLine> loose_plan(string_view section, Leniency& noted) {
    std::vector<PlanLine> plan;
    size_t entry = string_view::npos;
    for (size_t at = 0; at < section.size();) {
        if (sentence_label(section.substr(at)) != string_view::npos) {
            if (entry == string_view::npos && !stripped(section.substr(0, at)).empty()) ++noted[leniency::kPlanProse];
            if (entry != string_view::npos) plan.push_back(loose_line(section.substr(entry, at - entry), noted));
            entry = at;
        }
        const size_t newline = section.find('\n', at);
        at = newline == string_view::npos ? section.size() : newline + 1;
    }
    if (entry != string_view::npos)
        plan.push_back(loose_line(section.substr(entry), noted));
    else if (!stripped(section).empty())
        ++noted[leniency::kPlanProse];
    return plan;
}

// Lines of a plan without any heading, as who is asked for a plan alone writes them (CRAFT App. E.4).
bool read_plan_alone(string_view text, PlannerResponse& read) {
    const auto missing = read.leniency.find(leniency::kHeadingMissing);
    const bool has_headings = missing == read.leniency.end() || missing->second < 4;
    if (has_headings || read.leniency.contains(leniency::kRanOn)) return false;
    Leniency noted = {{leniency::kPlanAlone, 1}};
    std::vector<PlanLine> plan = loose_plan(text, noted);
    if (std::all_of(plan.begin(), plan.end(), [](const PlanLine& line) { return line.plan.empty(); })) return false;
    read.plan = std::move(plan);
    read.leniency = std::move(noted);
    return true;
}

}  // namespace

std::string print_response(const PlannerResponse& response) {
    std::string text;
    text.append(kThought).append(response.thought).append(kTools).append(response.tools);
    if (!response.tools.empty()) text += '\n';
    text.append(kPlan);
    for (const PlanLine& line : response.plan)
        text.append("\n").append(kSentence).append(line.sentence).append(kImprovement).append(line.plan).append("\"");
    return text;
}

PlannerResponse parse_response(std::string_view text) {
    PlannerResponse exact;
    if (read_exact(text, exact)) {
        exact.well_formed = true;
        return exact;
    }
    PlannerResponse read;
    const auto contents = split_sections(text, read.leniency);
    if (read_plan_alone(text, read)) return read;
    read.thought = stripped(contents[thought]);
    read.tools = unfenced(contents[tools].empty() ? contents[action] : contents[tools], read.leniency);
    read.plan = loose_plan(contents[plan], read.leniency);
    if (read.leniency.empty()) ++read.leniency[leniency::kResponseSpacing];
    return read;
}

ParsedResponse::ParsedResponse(std::string response)
    : text(std::move(response)), parts(parse_response(text)), calls(parts.calls()) {}

Leniency ParsedResponse::leniency() const {
    Leniency all = parts.leniency;
    add_leniency(all, calls.leniency);
    return all;
}

}  // namespace craft

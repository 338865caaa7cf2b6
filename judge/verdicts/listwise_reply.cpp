#include "judge/verdicts/listwise_reply.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/ascii.h"
#include "judge/verdicts/parsed_verdicts.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kMaxDigits = 6;  // of a number that may be a candidate's
constexpr std::array<std::string_view, 5> kNumberLabels = {"candidate", "number", "no.", "no", "#"};

// The number of a candidate; "" where `problem` says why there is none.
std::optional<size_t> candidate_of(std::string_view number, size_t candidates, Leniency& let_pass, std::string& problem) {
    std::string lower = ascii_lower(number);
    std::string_view rest = stripped(lower, "[]() ");
    for (const std::string_view label : kNumberLabels)
        if (rest.starts_with(label)) rest = stripped(rest.substr(label.size()), "[]() :");
    const bool negative = rest.starts_with("-");
    const std::string_view digits = rest.substr(negative ? 1 : 0);
    const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos &&
                           (digits.size() == 1 || digits[0] != '0');
    if (!is_number) {
        problem = "no number";
        return std::nullopt;
    }
    note_leniency(let_pass, "label", rest.size() != number.size());
    const size_t value = digits.size() > kMaxDigits ? candidates : std::stoull(std::string(digits));
    if (negative || value >= candidates) {
        problem = "out of range";
        return std::nullopt;
    }
    return value;
}

// One aspect's verdict so far.
struct Outcome {
    std::optional<ListwiseVerdict> verdict;
    std::string problem;
    Leniency let_pass;
    bool is_said = false, is_quoted = false;
};

void take(const ParsedVerdict& said, size_t candidates, Outcome& outcome) {
    Outcome read;
    read.let_pass = said.let_pass;
    read.is_said = true;
    read.is_quoted = outcome.is_quoted;
    const auto best = candidate_of(said.best, candidates, read.let_pass, read.problem);
    const auto worst = candidate_of(said.worst, candidates, read.let_pass, read.problem);
    if (best && worst && *best == *worst)
        read.problem = "best is worst";
    else if (best && worst)
        read.verdict = {*best, *worst};
    if (outcome.is_said) note_leniency(read.let_pass, outcome.verdict == read.verdict ? "repeated" : "changed");
    outcome = std::move(read);
}

}  // namespace

ListwiseReply read_listwise(std::string_view reply, const std::vector<std::string>& aspects, size_t candidates) {
    std::string_view text = trim_view(reply);
    const bool is_empty = text.empty(), has_thinking = cut_thinking(text);
    bool names_none = false, names_another = false;
    const std::vector<std::string> names = aspects.empty() ? std::vector<std::string>{""} : aspects;
    std::vector<Outcome> outcomes(names.size());
    for (const ParsedVerdict& said : parsed_verdicts(text)) {
        const auto found = std::find_if(names.begin(), names.end(),
                                        [&](const std::string& name) { return lowercase(name) == lowercase(said.aspect); });
        if (found == names.end()) {
            (said.aspect.empty() ? names_none : names_another) = true;
            continue;
        }
        Outcome& outcome = outcomes[static_cast<size_t>(found - names.begin())];
        if (said.quoted) {
            outcome.is_quoted = true;
            continue;
        }
        take(said, candidates, outcome);
        note_leniency(outcome.let_pass, "case", said.aspect != *found);
    }
    ListwiseReply read;
    for (size_t i = 0; i < names.size(); ++i) {
        const Outcome& outcome = outcomes[i];
        if (outcome.verdict) {
            read.verdicts[names[i]] = *outcome.verdict;
            for (const auto& [kind, count] : outcome.let_pass) note_leniency(read.let_pass, kind);
            continue;
        }
        read.problems[names[i]] = outcome.is_said     ? outcome.problem
                                  : is_empty          ? "empty"
                                  : text.empty()      ? "thinking"
                                  : outcome.is_quoted ? "quoted"
                                  : names_none        ? "no aspect"
                                  : names_another     ? "another aspect"
                                                      : "no verdict";
    }
    note_leniency(read.let_pass, "thinking", !read.verdicts.empty() && has_thinking);
    return read;
}

}  // namespace craft

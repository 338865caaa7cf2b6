#include "judge/verdicts/choice_reply.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "text/utf8.h"

namespace craft {

namespace {

// What may stand around a choice, besides white space.
constexpr std::array<std::string_view, 18> kMarks = {
    "\"", "'", "`", "*", "_", "(", ")", "[", "]", "{", "}", "#", "\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb"};
// Only after it.
constexpr std::array<std::string_view, 3> kStops = {".", "!", ":"};
// Only before it; a later one may follow an earlier one ("Answer: Candidate A").
constexpr std::array<std::string_view, 17> kLabels = {"the candidate that reads better is",
                                                      "the better candidate is",
                                                      "final answer",
                                                      "the answer is",
                                                      "my answer is",
                                                      "answer",
                                                      "verdict",
                                                      "choice",
                                                      "decision",
                                                      "the better text is",
                                                      "revised text",
                                                      "candidate",
                                                      "option",
                                                      "text option",
                                                      "response",
                                                      "text",
                                                      "system"};
constexpr std::array<std::string_view, 3> kLabelSigns = {":", "=", "*"};  // what may come after one
constexpr std::array<std::string_view, 11> kTies = {"tie",  "neither", "both", "equal",  "same",   "draw",
                                                    "none", "either",  "a/b",  "a or b", "a and b"};

bool take_all_marks(std::string_view& text) {
    bool any = cut_beginning(text, kMarks);
    while (cut_ending(text, kMarks) || cut_ending(text, kStops)) any = true;
    return any;
}

// "Answer: A", "Candidate A": the label, then a colon, an equals sign or a blank.
bool take_label(std::string_view& text) {
    for (const std::string_view label : kLabels) {
        if (text.size() <= label.size() || !starts_in_any_case(text, label)) continue;
        const std::string_view rest = text.substr(label.size());
        const std::string_view behind = trim_view(rest);
        const bool is_set_off = behind.size() < rest.size() || behind.starts_with(":") || behind.starts_with("*");
        if (!is_set_off) continue;
        text = behind;
        cut_beginning(text, kLabelSigns);
        return true;
    }
    return false;
}

bool is_word_byte(char c) {
    return (static_cast<unsigned char>(c) & 0x80U) != 0 || (c >= '0' && c <= '9') || is_ascii_letter(c);
}

std::optional<size_t> word_at(std::string_view text, const std::vector<std::string>& words) {
    for (size_t i = 0; i < words.size(); ++i)
        if (equals_in_any_case(text, words[i])) return i;
    return std::nullopt;
}

std::string problem_of(std::string_view text, const std::vector<std::string>& words) {
    if (std::any_of(kTies.begin(), kTies.end(), [&](std::string_view tie) { return equals_in_any_case(text, tie); }))
        return "tie";
    const auto end = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_word_byte) - text.begin());
    if (word_at(text.substr(0, end), words)) return "more than the choice";
    return text.empty() ? "empty" : "no choice";
}

}  // namespace

ChoiceReply read_choice(std::string_view reply, const std::vector<std::string>& words) {
    ChoiceReply read;
    std::string_view text = trim_view(reply);
    note_leniency(read.let_pass, "thinking", cut_thinking(text));
    bool marks = take_all_marks(text), label = false;
    while (take_label(text)) {
        label = true;
        marks = take_all_marks(text) || marks;
    }
    read.choice = word_at(text, words);
    if (!read.choice) {
        read.problem = problem_of(text, words);
        read.let_pass.clear();  // of a reply that is not taken nothing was let pass
        return read;
    }
    note_leniency(read.let_pass, "marks", marks);
    note_leniency(read.let_pass, "label", label);
    note_leniency(read.let_pass, "case", text != words[*read.choice]);
    return read;
}

}  // namespace craft

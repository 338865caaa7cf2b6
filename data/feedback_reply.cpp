#include "data/feedback_reply.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/ascii.h"
#include "data/reply_text.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr std::string_view kOriginal = "original:", kSuggestion = "suggestion:";

// White space of any kind and length as one blank.
std::string on_one_line(std::string_view text) {
    std::string out;
    for (const std::string& word : whitespace_words(std::string(text))) out += (out.empty() ? "" : " ") + word;
    return out;
}

// What may stand before "Original:" in a list: dashes, bullets, numbers, headings.
bool is_list_mark(std::string_view before) {
    static constexpr std::string_view kMarks = "-*+#>.) \t0123456789";
    return std::all_of(before.begin(), before.end(), [](char c) { return kMarks.find(c) != std::string_view::npos; }) ||
           before == "\u2022" || before == "\u2022 ";
}

// What comes after a label, which may be in bold type: "**Original:** ...".
std::string behind(const std::string& line, size_t label, std::string_view name) {
    const std::string rest = line.substr(label + name.size());
    const bool is_bold = label >= 2 && line.compare(label - 2, 2, "**") == 0 && rest.starts_with("**");
    return is_bold ? rest.substr(2) : rest;
}

// Reads the lines one after the other; an "Original:" without its suggestion waits for the next line.
class FeedbackLines {
public:
    FeedbackLines(std::string_view text, FeedbackReply& read) : text_(on_one_line(text)), read_(read) {}

    void add(const std::string& line) {
        const size_t original = find_in_any_case(line, kOriginal), suggestion = find_in_any_case(line, kSuggestion);
        const bool opens = original != std::string_view::npos && is_list_mark(std::string_view(line).substr(0, original));
        if (opens) {
            close();
            if (original > 0) count("marked line");
            const size_t begin = original + kOriginal.size();
            if (suggestion == std::string_view::npos || suggestion < begin)
                waiting_ = behind(line, original, kOriginal);
            else
                pair(behind(line.substr(0, suggestion), original, kOriginal), behind(line, suggestion, kSuggestion));
        } else if (waiting_ && suggestion != std::string_view::npos &&
                   is_list_mark(std::string_view(line).substr(0, suggestion))) {
            count("two lines");
            pair(*std::exchange(waiting_, std::nullopt), behind(line, suggestion, kSuggestion));
        } else {
            close();
            count("other line");
        }
    }
    void close() {
        if (std::exchange(waiting_, std::nullopt)) count("no suggestion");
    }

private:
    void count(const char* kind) { ++read_.counted[kind]; }
    void pair(const std::string& before, const std::string& behind) {
        const std::string one = on_one_line(before), other = on_one_line(behind);
        std::string_view original = one, suggestion = other;
        // What leads over to the suggestion: "; ", or "; **" where its label is in bold type.
        if (original.ends_with("; **")) original.remove_suffix(2);
        while (original.ends_with(";") || original.ends_with(" ")) original.remove_suffix(1);
        const bool first = cut_quotes(original), second = cut_quotes(suggestion);
        if (first || second) count("quoted");
        if (original.empty() || suggestion.empty()) return count("empty");
        // A sentence of the text may itself stand in quotation marks.
        if (text_.find(original) == std::string::npos) return count("not in the text");
        if (original == suggestion) return count("unchanged");
        if (!seen_.emplace(original, suggestion).second) return count("repeated");
        read_.suggestions.push_back({std::string(original), std::string(suggestion)});
    }

    const std::string text_;
    FeedbackReply& read_;
    std::optional<std::string> waiting_;  // what came after "Original:"
    std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

FeedbackReply read_feedback_reply(std::string_view reply, std::string_view text) {
    FeedbackReply read;
    std::string_view rest = trim_view(reply);
    note_leniency(read.counted, "thinking", cut_thinking(rest));
    FeedbackLines lines(text, read);
    while (!rest.empty()) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        const std::string line(trim_view(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!line.empty()) lines.add(line);
    }
    lines.close();
    return read;
}

}  // namespace craft

#include "data/reply_text.h"

#include <algorithm>
#include <cctype>

#include "core/ascii.h"
#include "text/paragraphs.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::string_view kThinkOpen = "<think>", kThinkClose = "</think>", kReplyFence = "```", kBold = "**";

bool is_letter_or_digit(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// A run of stars or underscores that opens bold type or italics before a label.
std::string_view opening_marks(std::string_view before) {
    before.remove_prefix(std::min(before.find_first_not_of("# "), before.size()));
    return before.substr(0, before.find_first_not_of("*_"));
}

}  // namespace

std::optional<SplitThinking> split_thinking(std::string_view reply) {
    const size_t end = reply.find(kThinkClose);
    std::string_view thought = trim_view(reply.substr(0, end));
    const bool opens = thought.starts_with(kThinkOpen);
    if (end == std::string_view::npos && !opens) return std::nullopt;
    SplitThinking split;
    split.is_at_head = opens || thought.find(kThinkOpen) == std::string_view::npos;
    split.thought = opens ? trim_view(thought.substr(kThinkOpen.size())) : thought;
    split.answer = trim_view(reply.substr(end == std::string_view::npos ? reply.size() : end + kThinkClose.size()));
    return split;
}

bool cut_thinking(std::string_view& text) {
    const auto split = split_thinking(text);
    if (split) text = split->answer;
    return split.has_value();
}

bool cut_fence(std::string_view& text, std::string_view source) {
    if (source.starts_with(kReplyFence) || !stands_within(text, kReplyFence, kReplyFence)) return false;
    const size_t line = text.find('\n');
    if (line == std::string_view::npos) return false;
    const std::string_view inner = text.substr(line + 1, text.size() - line - 1 - kReplyFence.size());
    for (const std::string_view within : stripped_lines(inner))
        if (within.starts_with(kReplyFence) || within.ends_with(kReplyFence)) return false;
    text = trim_view(inner);
    return true;
}

bool stands_within(std::string_view text, std::string_view open, std::string_view close) {
    return text.size() >= open.size() + close.size() && text.starts_with(open) && text.ends_with(close);
}

bool cut_around(std::string_view& text, std::string_view open, std::string_view close) {
    if (!stands_within(text, open, close)) return false;
    text = trim_view(text.substr(open.size(), text.size() - open.size() - close.size()));
    return true;
}

bool cut_pair(std::string_view& text, std::string_view open, std::string_view close, std::string_view source) {
    std::string_view inner = text;
    if (source.starts_with(open) || !cut_around(inner, open, close)) return false;
    if (inner.find(open) != std::string_view::npos || inner.find(close) != std::string_view::npos) return false;
    text = inner;
    return true;
}

bool cut_bold(std::string_view& text, std::string_view source) {
    return cut_pair(text, kBold, kBold, source);
}

bool cut_quotes(std::string_view& text, std::string_view source) {
    return cut_pair(text, "\"", "\"", source) || cut_pair(text, "“", "”", source);
}

bool cut_beginning(std::string_view& text, std::span<const std::string_view> marks) {
    const size_t before = text.size();
    const auto cut_one = [&](std::string_view mark) { return cut_around(text, mark, ""); };
    while (std::any_of(marks.begin(), marks.end(), cut_one)) {}
    return text.size() != before;
}

bool cut_ending(std::string_view& text, std::span<const std::string_view> marks) {
    const size_t before = text.size();
    const auto cut_one = [&](std::string_view mark) { return cut_around(text, "", mark); };
    while (std::any_of(marks.begin(), marks.end(), cut_one)) {}
    return text.size() != before;
}

size_t list_mark(std::string_view line) {
    constexpr size_t kMaxDigits = 2;  // "1841. " is a year
    constexpr std::string_view kBullet = "•";
    if (line.starts_with(kBullet)) return kBullet.size();
    if (!line.empty() && std::string_view("-*+").find(line[0]) != std::string_view::npos) return 1;
    const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    const bool is_numbered = digits > 0 && digits <= kMaxDigits && digits < line.size();
    return is_numbered && (line[digits] == '.' || line[digits] == ')') ? digits + 1 : 0;
}

std::string plain_words(std::string_view text, std::string_view marks) {
    std::string bare;
    for (const char c : text)
        if (marks.find(c) == std::string_view::npos) bare += c;
    return lowercase(trim_view(bare));
}

bool begins_with_one_of(std::string_view words, const std::vector<std::string>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& one) {
        if (!words.starts_with(one)) return false;
        return words.size() == one.size() || !is_letter_or_digit(one.back()) || !is_letter_or_digit(words[one.size()]);
    });
}

bool is_preface_line(std::string_view line, const std::vector<std::string>& prefaces) {
    const std::string plain = plain_words(line);
    return plain.ends_with(":") && begins_with_one_of(plain, prefaces);
}

bool cut_preface_line(std::string_view& text, std::string_view source, const std::vector<std::string>& prefaces) {
    const auto first_line = [](std::string_view of) { return of.substr(0, of.find('\n')); };
    const std::string_view line = first_line(text);
    // Where the text to revise begins with such a line itself, it is the text's.
    const bool is_texts_own = source.find('\n') != std::string_view::npos && is_preface_line(first_line(source), prefaces);
    if (line.size() == text.size() || is_texts_own || !is_preface_line(line, prefaces)) return false;
    text = trim_view(text.substr(line.size()));
    return true;
}

std::optional<LabelledText> label_of(std::string_view text, size_t longest) {
    const size_t colon = text.substr(0, text.find('\n')).find(':');
    if (colon == std::string_view::npos || colon == 0 || colon > longest) return std::nullopt;
    const std::string_view before = trim_view(text.substr(0, colon));
    const std::string_view name = stripped(before, "*_#` ");
    std::string_view rest = text.substr(colon + 1);
    const std::string_view opening = opening_marks(before);
    const size_t closing = !opening.empty() && rest.starts_with(opening)       ? opening.size()
                           : rest.starts_with(kBold) || rest.starts_with("__") ? kBold.size()
                                                                               : 0;
    return LabelledText{plain_words(name), rest.substr(closing), closing > 0 || name.size() != before.size()};
}

void unwrap(std::string_view& text, std::string_view source, const std::function<bool(std::string_view&)>& cut_preface,
            Leniency& noted) {
    for (bool again = true; again;) {
        again = note_leniency(noted, "prefaced", cut_preface(text));
        again = note_leniency(noted, "fenced", cut_fence(text, source)) || again;
        again = note_leniency(noted, "bold", cut_bold(text, source)) || again;
        again = note_leniency(noted, "quoted", cut_quotes(text, source)) || again;
    }
}

}  // namespace craft

#include "data/revision_reply.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr std::string_view kPlanMark = "Improvement Plan:";
constexpr size_t kLeastWords = 10;    // of a revision that can be told to be unrelated
constexpr double kLeastShared = 0.2;  // of its words

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

std::string_view rest_behind(std::string_view text, std::string_view line) {
    return trim_view(text.substr(std::min(text.size(), line.size())));
}

bool is_preface(std::string_view line, const WordingTable& wordings) {
    // Bold and headings around it are part of the preface.
    std::string plain;
    for (const char c : line)
        if (c != '*' && c != '#') plain += c;
    plain = lowercase(trim_view(plain));
    if (!plain.ends_with(":")) return false;
    for (const std::string& preface : wordings.list("prefaces")) {
        if (!plain.starts_with(preface)) continue;
        // "Surely ...:" does not begin with "sure".
        const char next = plain[std::min(preface.size(), plain.size() - 1)];
        if (std::isalnum(static_cast<unsigned char>(next)) == 0) return true;
    }
    return false;
}

bool cut_preface(std::string_view& text, std::string_view source, const WordingTable& wordings) {
    const std::string_view line = first_line(text);
    // Where the text to revise begins with such a line itself, it is the text's.
    const bool is_texts_own = source.find('\n') != std::string_view::npos && is_preface(first_line(source), wordings);
    if (line.size() == text.size() || is_texts_own || !is_preface(line, wordings)) return false;
    text = rest_behind(text, line);
    return true;
}

// Behind the last line that begins with a marker; false if there is none.
bool go_behind_marker(std::string_view& text, const WordingTable& wordings) {
    size_t found = std::string_view::npos;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        std::string plain;
        const std::string_view line = text.substr(begin, end - begin);
        for (const char c : line)
            if (c != '*') plain += c;
        plain = lowercase(trim_view(plain));
        for (const std::string& marker : wordings.list("markers"))
            if (plain.starts_with(marker)) {
                const size_t colon = line.find(':');
                found = begin + (colon == std::string_view::npos ? line.size() : colon + 1);
            }
        begin = end + 1;
    }
    if (found == std::string_view::npos) return false;
    text = text.substr(found);
    while (text.starts_with("*")) text.remove_prefix(1);
    text = trim_view(text);
    return true;
}

bool is_unrelated(std::string_view text, std::string_view source) {
    std::set<std::string> known;
    for (const std::string& word : treebank_tokens(lowercase(source))) known.insert(word);
    size_t words = 0, shared = 0;
    for (const std::string& word : treebank_tokens(lowercase(text))) {
        if (word.size() == 1 && std::string_view(".,;:!?()'\"").find(word) != std::string_view::npos) continue;
        ++words;
        shared += known.contains(word);
    }
    return words >= kLeastWords && static_cast<double>(shared) < kLeastShared * static_cast<double>(words);
}

}  // namespace

bool cut_thinking(std::string_view& text) {
    const size_t end = text.find("</think>");
    if (end == std::string_view::npos) {
        if (!text.starts_with("<think>")) return false;
        text = {};  // it never came to an answer
        return true;
    }
    text = trim_view(text.substr(end + std::string_view("</think>").size()));
    return true;
}

bool cut_reply_fence(std::string_view& text, std::string_view source) {
    if (source.starts_with("```")) return false;  // it is the text's own
    if (!text.starts_with("```") || !text.ends_with("```") || text.size() < 7) return false;
    const size_t line = text.find('\n');
    if (line == std::string_view::npos) return false;
    const std::string_view inner = text.substr(line + 1, text.size() - line - 4);
    if (inner.find("```") != std::string_view::npos) return false;
    text = trim_view(inner);
    return true;
}

bool cut_reply_quotes(std::string_view& text, std::string_view source) {
    for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"\"", "\""}, {"“", "”"}}) {
        if (text.size() < open.size() + close.size() || !text.starts_with(open) || !text.ends_with(close)) continue;
        const std::string_view inner = text.substr(open.size(), text.size() - open.size() - close.size());
        const bool holds_others = inner.find(open) != std::string_view::npos || inner.find(close) != std::string_view::npos;
        if (holds_others || source.starts_with(open)) return false;
        text = trim_view(inner);
        return true;
    }
    return false;
}

RevisionReply read_revision_reply(std::string_view reply, std::string_view source, bool behind_marker,
                                  const WordingTable& wordings) {
    RevisionReply read;
    std::string_view text = trim_view(reply);
    source = trim_view(source);
    if (cut_thinking(text)) read.noted.emplace_back("thinking");
    if (behind_marker && !go_behind_marker(text, wordings)) {
        read.unusable = text.empty() ? "empty" : "no_marker";
        return read;
    }
    if (cut_preface(text, source, wordings)) read.noted.emplace_back("prefaced");
    if (cut_reply_fence(text, source)) read.noted.emplace_back("fenced");
    if (cut_reply_quotes(text, source)) read.noted.emplace_back("quoted");
    if (text.empty())
        read.unusable = "empty";
    else if (invalid_utf8_at(text) != std::string_view::npos)
        read.unusable = "not_utf8";
    else if (text.find(kPlanMark) != std::string_view::npos && source.find(kPlanMark) == std::string_view::npos)
        read.unusable = "echo";
    else if (is_unrelated(text, source))
        read.unusable = "unrelated";
    if (!read.unusable.empty()) return read;
    if (text == source) read.noted.emplace_back("unchanged");
    read.text = text;
    return read;
}

}  // namespace craft

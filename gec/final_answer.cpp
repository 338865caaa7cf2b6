#include "gec/final_answer.h"

#include <algorithm>
#include <array>

#include "gec/sentence_words.h"
#include "text/lists.h"
#include "text/paragraphs.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::array<std::string_view, 7> kPrefaces = {
    "corrected sentence", "the corrected sentence",   "correction", "corrected", "answer",
    "sentence",           "the corrected sentence is"};

bool starts_and_ends(const std::string& text, const std::string& open, const std::string& close) {
    return text.size() >= open.size() + close.size() && text.starts_with(open) && text.ends_with(close);
}

void cut_quotes(FinalAnswer& read, const std::string& sentence) {
    constexpr std::array<std::pair<const char*, const char*>, 4> kQuotes = {
        {{"\"", "\""}, {"\xe2\x80\x9c", "\xe2\x80\x9d"}, {"`", "`"}, {"'", "'"}}};
    for (const auto& quote : kQuotes) {
        const std::string open = quote.first, close = quote.second;
        if (!starts_and_ends(read.sentence, open, close) || starts_and_ends(sentence, open, close)) continue;
        read.sentence = trim(read.sentence.substr(open.size(), read.sentence.size() - open.size() - close.size()));
        read.let_pass.emplace_back("quotes");
        return;
    }
}

void cut_preface(FinalAnswer& read, const std::string& sentence) {
    const size_t colon = read.sentence.find(':');
    if (colon == std::string::npos || colon > 40) return;
    const std::string before = lowercase(trim(read.sentence.substr(0, colon)));
    if (std::find(kPrefaces.begin(), kPrefaces.end(), before) == kPrefaces.end()) return;
    if (lowercase(trim(sentence)).starts_with(before)) return;
    read.sentence = trim(read.sentence.substr(colon + 1));
    read.let_pass.emplace_back("preface");
}

}  // namespace

FinalAnswer read_final_answer(const std::string& answer, const std::string& sentence) {
    FinalAnswer read;
    std::vector<std::string> lines;
    const bool has_marks = trim_view(answer).starts_with(">") && !trim_view(sentence).starts_with(">");
    if (has_marks) read.let_pass.emplace_back("marks");
    for (const std::string_view line : stripped_lines(answer)) {
        std::string_view text = line;
        if (has_marks && text.starts_with(">")) text = trim_view(text.substr(1));
        if (!text.empty() || !lines.empty()) lines.emplace_back(text);
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    // A preface may have a line of its own.
    if (lines.size() > 1 && lines[0].ends_with(":")) {
        FinalAnswer first{lines[0], {}};
        cut_preface(first, sentence);
        if (first.sentence.empty()) {
            read.let_pass.emplace_back("preface");
            lines.erase(lines.begin());
            while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
        }
    }
    const std::vector<std::string_view> own = stripped_lines(trim_view(sentence));
    const size_t most = std::max<size_t>(own.size(), 1);
    const auto blank = std::find(lines.begin(), lines.end(), "");
    const bool keeps_blank = std::find(own.begin(), own.end(), "") != own.end();
    size_t kept = std::min(lines.size(), most);
    if (!keeps_blank) kept = std::min(kept, static_cast<size_t>(blank - lines.begin()));
    if (kept < lines.size()) read.let_pass.emplace_back("explanation");
    lines.resize(kept);
    read.sentence = join(lines, "\n");
    cut_preface(read, sentence);
    cut_quotes(read, sentence);
    return read;
}

std::vector<SentenceEdit> unnamed_changes(const std::string& standing, const std::string& answer) {
    std::vector<SentenceEdit> changes = edits_between(plain_quotes(standing), plain_quotes(answer));
    const auto is_blank = [](const SentenceEdit& edit) {
        return trim_view(edit.from).empty() && trim_view(edit.to).empty();
    };
    changes.erase(std::remove_if(changes.begin(), changes.end(), is_blank), changes.end());
    return changes;
}

}  // namespace craft

#include "gec/final_answer.h"

#include <algorithm>
#include <array>

#include "gec/sentence_words.h"
#include "text/lists.h"
#include "text/paragraphs.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongestPreface = 40;  // bytes
constexpr std::array<std::string_view, 7> kPrefaces = {
    "corrected sentence", "the corrected sentence",   "correction", "corrected", "answer",
    "sentence",           "the corrected sentence is"};

void cut_quotes_around(FinalAnswer& read, const std::string& sentence) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kQuotes = {
        {{"\"", "\""}, {"\xe2\x80\x9c", "\xe2\x80\x9d"}, {"`", "`"}, {"'", "'"}}};
    for (const auto& [open, close] : kQuotes) {
        std::string_view text = read.sentence;
        if (stands_within(sentence, open, close) || !cut_around(text, open, close)) continue;
        read.sentence = std::string(text);
        note_leniency(read.let_pass, "quotes");
        return;
    }
}

void cut_preface(FinalAnswer& read, const std::string& sentence) {
    const auto found = label_of(read.sentence, kLongestPreface);
    if (!found || std::find(kPrefaces.begin(), kPrefaces.end(), found->label) == kPrefaces.end()) return;
    if (lowercase(trim(sentence)).starts_with(found->label)) return;
    read.sentence = trim(found->rest);
    note_leniency(read.let_pass, "preface");
}

}  // namespace

FinalAnswer read_final_answer(const std::string& answer, const std::string& sentence) {
    FinalAnswer read;
    std::vector<std::string> lines;
    const bool has_marks = trim_view(answer).starts_with(">") && !trim_view(sentence).starts_with(">");
    note_leniency(read.let_pass, "marks", has_marks);
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
            note_leniency(read.let_pass, "preface");
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
    note_leniency(read.let_pass, "explanation", kept < lines.size());
    lines.resize(kept);
    read.sentence = join(lines, "\n");
    cut_preface(read, sentence);
    cut_quotes_around(read, sentence);
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

#include "data/revision_reply.h"

#include <algorithm>
#include <set>

#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr std::string_view kPlanMark = "Improvement Plan:";
constexpr size_t kLeastWords = 10;               // of a revision that can be told to be unrelated
constexpr size_t kLongSource = 60;               // words of a text of which a shorter answer is told to be unrelated, too
constexpr double kLeastShared = 0.2;             // of its words
constexpr double kLeastSharedOfAQuestion = 0.5;  // where the text asks nothing: a model may ask back in words of the text

// After the last line that begins with a marker; false if there is none.
bool go_after_marker(std::string_view& text, const WordingTable& wordings) {
    size_t found = std::string_view::npos;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        const std::string plain = plain_words(line, "*");  // a marker may be a heading
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
    const std::vector<std::string> all = treebank_tokens(lowercase(source));
    const std::set<std::string> known(all.begin(), all.end());
    size_t words = 0, shared = 0;
    for (const std::string& word : treebank_tokens(lowercase(text))) {
        if (word.size() == 1 && std::string_view(".,;:!?()'\"").find(word) != std::string_view::npos) continue;
        ++words;
        shared += known.contains(word);
    }
    const bool asks = text.ends_with('?') && source.find('?') == std::string_view::npos;
    return (words >= kLeastWords || all.size() >= kLongSource || asks) &&
           static_cast<double>(shared) < (asks ? kLeastSharedOfAQuestion : kLeastShared) * static_cast<double>(words);
}

}  // namespace

RevisionReply read_revision_reply(std::string_view reply, std::string_view source, bool after_marker,
                                  const WordingTable& wordings) {
    RevisionReply read;
    const std::vector<std::string>& prefaces = wordings.list("prefaces");
    std::string_view text = trim_view(reply);
    source = trim_view(source);
    note_leniency(read.noted, "thinking", cut_thinking(text));
    if (after_marker && !go_after_marker(text, wordings)) {
        read.unusable = text.empty() ? "empty" : "no_marker";
        return read;
    }
    unwrap(
        text, source, [&](std::string_view& rest) { return cut_preface_line(rest, source, prefaces); }, read.noted);
    // A preface with nothing after it.
    if (text.find('\n') == std::string_view::npos && is_preface_line(text, prefaces) && !is_preface_line(source, prefaces)) {
        read.noted["prefaced"] = 1;
        text = {};
    }
    if (text.empty())
        read.unusable = "empty";
    else if (invalid_utf8_at(text) != std::string_view::npos)
        read.unusable = "not_utf8";
    else if (text.find(kPlanMark) != std::string_view::npos && source.find(kPlanMark) == std::string_view::npos)
        read.unusable = "echo";
    else if (is_unrelated(text, source))
        read.unusable = "unrelated";
    if (!read.unusable.empty()) return read;
    note_leniency(read.noted, "unchanged", text == source);
    read.text = text;
    return read;
}

}  // namespace craft

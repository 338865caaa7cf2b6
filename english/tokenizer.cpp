#include "english/tokenizer.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/utf8.h"
#include "text/code_points.h"

namespace craft {

namespace {

constexpr size_t kLongestAddress = 10'000;  // bytes
// How spaCy names the attributes of an exception's tokens in files.
constexpr uint64_t kOrth = 65;
constexpr uint64_t kNorm = 67;

const MsgpackValue& tokenizer_field(const MsgpackValue& file, const std::string& name, const std::string& where) {
    const MsgpackValue* value = file.find(name);
    if (value == nullptr) throw Error(where, "a field '" + name + "'", "none");
    return *value;
}

std::optional<PythonPattern> pattern_field(const MsgpackValue& file, const std::string& name, const std::string& where) {
    const MsgpackValue& value = tokenizer_field(file, name, where);
    if (value.kind == MsgpackValue::Kind::nil) return std::nullopt;
    if (!value.is_text()) throw Error(where + ": " + name, "a regular expression or nothing", "another kind of value");
    return PythonPattern(std::string(value.text), where + ": " + name);
}

EnglishWord exception_token(const MsgpackValue& token, const std::string& where) {
    EnglishWord word;
    if (!token.is_map()) throw Error(where, "tokens that are maps of attributes", "another kind of value");
    for (size_t i = 0; i + 1 < token.items.size(); i += 2) {
        const MsgpackValue& key = token.items[i];
        const MsgpackValue& value = token.items[i + 1];
        if (!key.is_natural() || (key.integer != kOrth && key.integer != kNorm) || !value.is_text() || value.text.empty())
            throw Error(where, "texts for the attributes 65 (ORTH) and 67 (NORM)", "another attribute or value");
        (key.integer == kOrth ? word.text : word.norm) = value.text;
    }
    if (word.text.empty()) throw Error(where, "the attribute 65 (ORTH) of each token", "none");
    return word;
}

EnglishWord plain_word(std::string_view text) {
    EnglishWord word;
    word.text = text;
    return word;
}

}  // namespace

EnglishTokenizer::EnglishTokenizer(const MsgpackValue& file, const std::string& where) : sequences_(1) {
    prefix_ = pattern_field(file, "prefix_search", where);
    suffix_ = pattern_field(file, "suffix_search", where);
    infix_ = pattern_field(file, "infix_finditer", where);
    token_ = pattern_field(file, "token_match", where);
    url_ = pattern_field(file, "url_match", where);
    const MsgpackValue& fast = tokenizer_field(file, "faster_heuristics", where);
    if (fast.kind != MsgpackValue::Kind::boolean || !fast.boolean)
        throw Error(where + ": faster_heuristics", "true", "another value");
    read_exceptions(tokenizer_field(file, "exceptions", where), where + ": exceptions");
}

void EnglishTokenizer::read_exceptions(const MsgpackValue& exceptions, const std::string& where) {
    if (!exceptions.is_map()) throw Error(where, "a map", "another kind of value");
    for (size_t i = 0; i + 1 < exceptions.items.size(); i += 2) {
        const MsgpackValue& key = exceptions.items[i];
        const MsgpackValue& tokens = exceptions.items[i + 1];
        if (!key.is_text() || !tokens.is_array()) throw Error(where, "texts with lists of tokens", "another kind of value");
        const std::string name = where + ": '" + one_line(shortened(key.text, 40)) + "'";
        Words words;
        std::string joined;
        for (const MsgpackValue& token : tokens.items) {
            words.push_back(exception_token(token, name));
            joined += words.back().text;
        }
        if (joined != key.text) throw Error(name, "tokens that make up the text", "'" + joined + "'");
        exceptions_[joined] = std::move(words);
        longest_exception_ = std::max(longest_exception_, key.text.size());
    }
    // Where affixes are split off first an exception is never met whole: it is looked for again among the tokens.
    for (const auto& [text, words] : exceptions_)
        if (prefix_length(text) > 0 || suffix_length(text) > 0 || (infix_ && infix_->search(text)) ||
            text.find(' ') != std::string::npos)
            add_sequence(split(text, false));
}

void EnglishTokenizer::add_sequence(const Words& words) {
    size_t node = 0;
    for (const EnglishWord& word : words) {
        const auto [found, is_new] = sequences_[node].next.try_emplace(word.text, sequences_.size());
        node = found->second;
        if (is_new) sequences_.emplace_back();
    }
    sequences_[node].ends = true;
}

const EnglishTokenizer::Words* EnglishTokenizer::exception(std::string_view text) const {
    if (text.size() > longest_exception_) return nullptr;
    const auto found = exceptions_.find(text);
    return found == exceptions_.end() ? nullptr : &found->second;
}

bool EnglishTokenizer::add_exception(std::string_view text, bool with_exceptions, Words& out) const {
    const Words* words = with_exceptions ? exception(text) : nullptr;
    if (words == nullptr) return false;
    out.insert(out.end(), words->begin(), words->end());
    return true;
}

EnglishTokenizer::Words EnglishTokenizer::tokenize(std::string_view text) const {
    return with_exceptions(split(text, true));
}

// A span is what lies between two changes from white space to other characters; of white space only a single blank is none.
EnglishTokenizer::Words EnglishTokenizer::split(std::string_view text, bool with_exceptions) const {
    Words out;
    if (text.empty()) return out;
    const auto add_span = [&](std::string_view span) {
        if (!add_exception(span, with_exceptions, out)) split_span(span, with_exceptions, out);
    };
    size_t start = 0;
    bool in_space = is_space(code_point_at(text, 0).value);
    for (size_t at = 0; at < text.size();) {
        const CodePoint next = code_point_at(text, at);
        if (is_space(next.value) != in_space) {
            if (start < at) add_span(text.substr(start, at - start));
            start = at;
            if (next.value == ' ') {
                out.back().space_after = true;
                ++start;
            }
            in_space = !in_space;
        }
        at += next.bytes;
    }
    if (start < text.size()) {
        add_span(text.substr(start));
        out.back().space_after = text.back() == ' ' && !in_space;
    }
    return out;
}

void EnglishTokenizer::split_span(std::string_view span, bool with_exceptions, Words& out) const {
    std::vector<std::string_view> prefixes, suffixes;
    span = split_affixes(span, with_exceptions, prefixes, suffixes);
    for (const std::string_view prefix : prefixes) out.push_back(plain_word(prefix));
    if (!span.empty() && !add_exception(span, with_exceptions, out)) {
        if ((token_ && token_->matches_start(span)) || (url_ && span.size() <= kLongestAddress && url_->matches_start(span)))
            out.push_back(plain_word(span));
        else
            split_infixes(span, out);
    }
    for (auto suffix = suffixes.rbegin(); suffix != suffixes.rend(); ++suffix) out.push_back(plain_word(*suffix));
}

// One prefix and one suffix at a time; it ends where an exception is left.
std::string_view EnglishTokenizer::split_affixes(std::string_view span, bool with_exceptions,
                                                 std::vector<std::string_view>& prefixes,
                                                 std::vector<std::string_view>& suffixes) const {
    const auto is_exception = [&](std::string_view text) { return with_exceptions && exception(text) != nullptr; };
    for (size_t last = 0; !span.empty() && span.size() != last;) {
        if ((token_ && token_->matches_start(span)) || is_exception(span)) break;
        last = span.size();
        const size_t before = prefix_length(span);
        const std::string_view without_prefix = span.substr(before);
        if (before > 0 && is_exception(without_prefix)) {
            prefixes.push_back(span.substr(0, before));
            return without_prefix;
        }
        const size_t behind = suffix_length(without_prefix);
        const std::string_view without_suffix = span.substr(0, span.size() - behind);
        if (behind > 0 && is_exception(without_suffix)) {
            suffixes.push_back(span.substr(without_suffix.size()));
            return without_suffix;
        }
        if (before > 0) prefixes.push_back(span.substr(0, before));
        if (behind > 0) suffixes.push_back(span.substr(without_suffix.size()));
        span = without_prefix.substr(0, without_prefix.size() - behind);
    }
    return span;
}

void EnglishTokenizer::split_infixes(std::string_view span, Words& out) const {
    size_t start = 0;
    for (size_t from = 0; infix_ && from <= span.size();) {
        const std::optional<PatternMatch> infix = infix_->search(span, from);
        if (!infix) break;
        from = infix->end > infix->begin   ? infix->end
               : infix->end == span.size() ? span.size() + 1
                                           : infix->end + code_point_at(span, infix->end).bytes;
        if (infix->begin == 0) continue;  // of the word itself, as spaCy has it
        if (infix->begin > start) out.push_back(plain_word(span.substr(start, infix->begin - start)));
        if (infix->end > infix->begin) out.push_back(plain_word(span.substr(infix->begin, infix->end - infix->begin)));
        start = infix->end;
    }
    if (start < span.size()) out.push_back(plain_word(span.substr(start)));
}

size_t EnglishTokenizer::prefix_length(std::string_view span) const {
    const std::optional<PatternMatch> found = prefix_ ? prefix_->search(span) : std::nullopt;
    return found ? found->end - found->begin : 0;
}

// Suffixes are a few characters long or runs of dots, so that they are looked for near the end: from farther back only where
// one begins where the search did. Searches from the beginning would make long words quadratic.
size_t EnglishTokenizer::suffix_length(std::string_view span) const {
    if (!suffix_) return 0;
    for (size_t window = 128;; window *= 4) {
        size_t from = span.size() > window ? span.size() - window : 0;
        while (from > 0 && (static_cast<unsigned char>(span[from]) & 0xC0) == 0x80) --from;
        const std::optional<PatternMatch> found = suffix_->search(span, from);
        if (from == 0 || !found || found->begin > from) return found ? found->end - found->begin : 0;
    }
}

// Where two overlap the longer one counts, or the earlier one. As in spaCy one that does not count still covers its tokens.
std::vector<EnglishTokenizer::Span> EnglishTokenizer::exception_spans(const Words& words) const {
    std::vector<Span> found;
    for (size_t begin = 0; begin < words.size(); ++begin) {
        size_t node = 0;
        for (size_t end = begin; end < words.size(); ++end) {
            const auto next = sequences_[node].next.find(words[end].text);
            if (next == sequences_[node].next.end()) break;
            node = next->second;
            if (sequences_[node].ends) found.push_back({begin, end + 1});
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Span& a, const Span& b) { return a.end - a.begin > b.end - b.begin; });
    std::vector<bool> covered(words.size());
    std::vector<Span> spans;
    for (const Span& span : found) {
        if (!covered[span.begin] && !covered[span.end - 1]) spans.push_back(span);
        std::fill(covered.begin() + static_cast<std::ptrdiff_t>(span.begin),
                  covered.begin() + static_cast<std::ptrdiff_t>(span.end), true);
    }
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    return spans;
}

EnglishTokenizer::Words EnglishTokenizer::with_exceptions(Words words) const {
    const std::vector<Span> spans = exception_spans(words);
    if (spans.empty()) return words;
    Words out;
    size_t at = 0;
    const auto copy_to = [&](size_t end) {
        for (; at < end; ++at) out.push_back(std::move(words[at]));
    };
    for (const Span& span : spans) {
        copy_to(span.begin);
        std::string text;
        for (size_t i = span.begin; i < span.end; ++i)
            text += words[i].text + (words[i].space_after && i + 1 < span.end ? " " : "");
        // Tokens with blanks between them may look like an exception that has none.
        if (add_exception(text, true, out)) {
            out.back().space_after = words[span.end - 1].space_after;
            at = span.end;
        }
        copy_to(span.end);
    }
    copy_to(words.size());
    return out;
}

}  // namespace craft

#include "metrics/edits/m2_file.h"

#include <array>
#include <cstring>

#include "core/error.h"
#include "text/ascii_space.h"
#include "text/text_lines.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr std::string_view kFieldMark = "|||";
constexpr std::string_view kUnread = "REQUIRED|||-NONE-";
constexpr size_t kUsualEdits = 8;  // of a sentence, in files with several annotators
constexpr size_t kShown = 60;      // bytes of a line that a message repeats

std::vector<std::string_view> cut(std::string_view text, std::string_view mark) {
    std::vector<std::string_view> parts;
    for (size_t at = 0;;) {
        const size_t end = text.find(mark, at);
        parts.push_back(text.substr(at, end - at));
        if (end == std::string_view::npos) return parts;
        at = end + mark.size();
    }
}

// Only as it would be written again: no sign but that of -1, no leading zeros.
bool read_number(std::string_view text, int64_t& number) {
    const bool negative = text.size() > 1 && text[0] == '-';
    const std::string_view digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || digits.size() > 18 || (digits[0] == '0' && text.size() > 1)) return false;
    number = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') return false;
        number = 10 * number + (c - '0');
    }
    if (negative) number = -number;
    return true;
}

// The tokens of a sentence, counted as far as somebody asks: edits seldom reach its end.
class TokenCount {
public:
    TokenCount() = default;
    explicit TokenCount(std::string_view text) : text_(text) {}
    // Whether there are as many.
    bool reaches(int64_t count) {
        for (; counted_ < count && at_ < text_.size(); ++at_) {
            const auto byte = static_cast<unsigned char>(text_[at_]);
            if (byte >= 0x80) {  // rare enough to begin again
                counted_ = count_whitespace_words(text_);
                at_ = text_.size();
                break;
            }
            const bool space = kAsciiSpace[byte];
            counted_ += !space && !inside_ ? 1 : 0;
            inside_ = !space;
        }
        return counted_ >= count;
    }

private:
    std::string_view text_;
    size_t at_ = 0;
    int64_t counted_ = 0;
    bool inside_ = false;
};

// The fields between marks, of which at most six are kept, and how many there are.
struct Fields {
    std::array<const char*, 6> begins, ends;  // set as far as there are fields
    size_t count = 0;

    explicit Fields(std::string_view text) {
        const char *from = text.data(), *last = text.data() + text.size();
        for (const char* at = from; last - at >= static_cast<std::ptrdiff_t>(kFieldMark.size());) {
            at = static_cast<const char*>(std::memchr(at, '|', static_cast<size_t>(last - at) - kFieldMark.size() + 1));
            if (at == nullptr) break;
            if (at[1] == '|' && at[2] == '|') {
                add(from, at);
                from = at + kFieldMark.size();
                at = from;
            } else {
                ++at;
            }
        }
        add(from, last);
    }
    std::string_view operator[](size_t i) const { return {begins[i], static_cast<size_t>(ends[i] - begins[i])}; }

private:
    void add(const char* begin, const char* end) {
        if (count < begins.size()) {
            begins[count] = begin;
            ends[count] = end;
        }
        ++count;
    }
};

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

// A line "A ..." without its end.
void append_edit(const M2Edit& edit, std::string& out) {
    const std::string_view numbers = edit.numbers;
    const size_t mark = numbers.find(kFieldMark);
    out.append("A ");
    edit.numbers.empty() ? out.append(std::to_string(edit.start)).append(" ").append(std::to_string(edit.end))
                         : out.append(numbers.substr(0, mark));
    for (const std::string_view field : {std::string_view(edit.type), std::string_view(edit.correction),
                                         edit.unread.empty() ? kUnread : std::string_view(edit.unread)}) {
        out.append(kFieldMark).append(field);
    }
    out.append(kFieldMark);
    edit.numbers.empty() ? out.append(std::to_string(edit.annotator)) : out.append(numbers.substr(mark + kFieldMark.size()));
}

class M2Reader {
public:
    explicit M2Reader(M2File& file) : file_(file) {}

    void read(const TextLine& line) {
        line_ = line.number;
        if (line.text.empty()) {
            inside_ = false;
            ++(file_.sentences.empty() ? file_.leading_blank_lines : file_.sentences.back().blank_lines);
        } else if (line.text == "S" || line.text.substr(0, 2) == "S ") {
            read_sentence(line.text);
        } else if (line.text.substr(0, 2) == "A ") {
            read_edit(line.text.substr(2));
        } else if (inside_ && line.text.substr(0, 2) == "I ") {
            file_.passed.push_back(
                {file_.sentences.size() - 1, file_.sentences.back().edits.size(), M2Text::view(line.text)});
        } else {
            throw Error(where(), "a line that begins with \"S \" or \"A \", or a blank one",
                        "\"" + shortened(line.text, kShown) + "\"");
        }
    }

private:
    std::string where() const { return file_.name + ":" + std::to_string(line_); }

    void read_sentence(std::string_view text) {
        if (inside_) throw Error(where(), "a blank line between two sentences", "an S line after another sentence's lines");
        inside_ = true;
        const bool bare = text.size() == 1;
        file_.sentences.push_back({M2Text::view(bare ? "" : text.substr(2)), {}, 0, static_cast<int64_t>(line_), bare});
        file_.sentences.back().edits.reserve(kUsualEdits);
        tokens_ = TokenCount(text.substr(bare ? 1 : 2));
    }

    void read_edit(std::string_view text) {
        if (!inside_) throw Error(where(), "an S line above this edit", "none since the last blank line");
        const Fields fields(text);
        if (fields.count != fields.begins.size()) {
            throw Error(where(),
                        "an edit of six fields, \"A START END|||TYPE|||CORRECTION|||REQUIRED|||-NONE-|||ANNOTATOR\"",
                        std::to_string(fields.count) + " fields");
        }
        M2Edit& edit = file_.sentences.back().edits.emplace_back();
        read_span(fields[0], edit);
        edit.type = M2Text::view(fields[1]);
        edit.correction = M2Text::view(fields[2]);
        const std::string_view unread(fields.begins[3], static_cast<size_t>(fields.ends[4] - fields.begins[3]));
        if (unread != kUnread) edit.unread = M2Text::view(unread);
        if (!read_number(without_blanks(fields[5]), edit.annotator) || edit.annotator < 0) {
            throw Error(where() + ": annotator", "a number from 0 on", "\"" + shortened(fields[5], kShown) + "\"");
        }
        if (spaced_ || fields[5].size() != without_blanks(fields[5]).size()) {
            edit.numbers = std::string(fields[0]).append(kFieldMark).append(fields[5]);
        }
        if (!tokens_.reaches(edit.end)) file_.outside.push_back(static_cast<int64_t>(line_));
    }

    void read_span(std::string_view text, M2Edit& edit) {
        const std::string_view span = without_blanks(text);
        const size_t blank = span.find(' ');
        const std::string_view last = blank == std::string_view::npos ? "" : without_blanks(span.substr(blank));
        spaced_ = blank + 1 + last.size() != text.size();
        if (!read_number(span.substr(0, blank), edit.start) || !read_number(last, edit.end)) {
            throw Error(where() + ": span", "two numbers, \"START END\"", "\"" + shortened(text, kShown) + "\"");
        }
        if (edit.start == -1 && edit.end == -1) return;
        if (edit.start < 0 || edit.end < edit.start) {
            throw Error(where() + ": span", "0 <= start <= end, or -1 -1", std::string(text));
        }
    }

    M2File& file_;
    size_t line_ = 0;
    bool inside_ = false;  // between an S line and the blank line after its edits
    bool spaced_ = false;  // the span that was read last has blanks beyond the usual one
    TokenCount tokens_;    // of that S line
};

}  // namespace

std::vector<std::string> M2Edit::alternatives() const {
    std::vector<std::string> found;
    for (const std::string_view part : cut(correction, "||")) found.push_back(part == "-NONE-" ? "" : trim(part));
    return found;
}

std::vector<std::string> M2Sentence::tokens() const {
    return whitespace_words(source);
}

M2File parse_m2(std::string given, const std::string& name) {
    M2File file;
    file.name = name;
    file.bytes = std::make_shared<const std::string>(std::move(given));
    const std::string_view bytes = *file.bytes;
    file.byte_order_mark = bytes.substr(0, 3) == "\xEF\xBB\xBF";
    file.last_newline = bytes.empty() || bytes.back() == '\n';
    TextLines lines(bytes, name);
    M2Reader reader(file);
    for (TextLine line; lines.next(line);) {
        if (line.number == 1) file.crlf = line.crlf;
        if (line.ended && line.crlf != file.crlf) {
            throw Error(name + ":" + std::to_string(line.number),
                        std::string("lines that end in ") + (file.crlf ? "CR LF" : "LF") + ", as the first does",
                        line.crlf ? "CR LF" : "LF");
        }
        if (!line.ended && bytes.back() == '\r') {
            throw Error(name + ":" + std::to_string(line.number), "a newline after the CR at the end", "none");
        }
        reader.read(line);
    }
    return file;
}

M2File read_m2(const std::string& path) {
    return parse_m2(read_text(path), path == "-" ? "stdin" : path);
}

std::string to_m2(const M2File& file) {
    const std::string_view newline = file.crlf ? "\r\n" : "\n";
    std::string out;
    const auto add_blank_lines = [&](int64_t count) {
        for (int64_t i = 0; i < count; ++i) out += newline;
    };
    add_blank_lines(file.leading_blank_lines);
    auto passed = file.passed.begin();
    for (size_t s = 0; s < file.sentences.size(); ++s) {
        const M2Sentence& sentence = file.sentences[s];
        const auto add_passed_lines = [&](size_t edit) {
            for (; passed != file.passed.end() && passed->sentence == s && passed->edit == edit; ++passed)
                out.append(std::string_view(passed->text)).append(newline);
        };
        out.append(sentence.bare ? "S" : "S ").append(std::string_view(sentence.source)).append(newline);
        for (size_t e = 0; e < sentence.edits.size(); ++e) {
            add_passed_lines(e);
            append_edit(sentence.edits[e], out);
            out.append(newline);
        }
        add_passed_lines(sentence.edits.size());
        add_blank_lines(sentence.blank_lines);
    }
    if (!file.last_newline && !out.empty()) out.resize(out.size() - newline.size());
    return file.byte_order_mark ? "\xEF\xBB\xBF" + out : out;
}

}  // namespace craft

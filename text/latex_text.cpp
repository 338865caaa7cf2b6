#include "text/latex_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/ascii.h"

namespace craft {

namespace {

constexpr size_t kNowhere = std::string_view::npos;
constexpr size_t kLongestArgument = 1000;  // bytes: texts full of open brackets are read in linear time

using LatexNames = std::initializer_list<std::string_view>;

bool is_among(std::string_view name, LatexNames names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f';
}

// What a command without an argument of its own writes; null: none of these.
const char* written_by(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, const char*>, 27> kWritten = {{{"ss", "ß"},
                                                                                           {"o", "ø"},
                                                                                           {"O", "Ø"},
                                                                                           {"l", "ł"},
                                                                                           {"L", "Ł"},
                                                                                           {"ae", "æ"},
                                                                                           {"AE", "Æ"},
                                                                                           {"oe", "œ"},
                                                                                           {"OE", "Œ"},
                                                                                           {"aa", "å"},
                                                                                           {"AA", "Å"},
                                                                                           {"i", "i"},
                                                                                           {"j", "j"},
                                                                                           {"S", "§"},
                                                                                           {"P", "¶"},
                                                                                           {"copyright", "©"},
                                                                                           {"pounds", "£"},
                                                                                           {"ldots", "..."},
                                                                                           {"dots", "..."},
                                                                                           {"LaTeX", "LaTeX"},
                                                                                           {"TeX", "TeX"},
                                                                                           {"textbackslash", "\\"},
                                                                                           {"textasciitilde", "~"},
                                                                                           {"textendash", "–"},
                                                                                           {"textemdash", "—"},
                                                                                           {"textquotedblleft", "\""},
                                                                                           {"textquotedblright", "\""}}};
    for (const auto& [command, written] : kWritten)
        if (command == name) return written;
    return nullptr;
}

bool is_reference(std::string_view name) {
    return name.starts_with("cite") || name.starts_with("Cite") || name.ends_with("ref") ||
           is_among(name, {"label", "bibitem", "url", "nocite"});
}

// How many arguments in braces go with a command; 0: none.
int dropped_arguments(std::string_view name) {
    if (is_reference(name)) return 1;
    if (is_among(name, {"setlength", "addtolength", "setcounter", "addtocounter", "newcommand", "renewcommand",
                        "providecommand", "rule"}))
        return 2;
    return is_among(name, {"includegraphics", "input", "include", "bibliography", "bibliographystyle", "usepackage",
                           "documentclass", "vspace", "hspace", "pagestyle", "thispagestyle", "color", "textcolor",
                           "fontsize", "begin", "end"})
               ? 1
               : 0;
}

bool holds_no_prose(std::string_view environment) {
    if (environment.ends_with("*")) environment.remove_suffix(1);
    return is_among(environment,
                    {"equation", "align", "alignat", "flalign", "gather", "multline", "eqnarray", "displaymath", "math",
                     "tabular", "tabularx", "array", "tikzpicture", "picture", "verbatim", "lstlisting", "minted"});
}

// After the bracket that closes the one at `at`, in the same paragraph; kNowhere if there is none.
size_t after_bracket(std::string_view text, size_t at, char open, char close) {
    int depth = 0;
    for (size_t i = at; i < std::min(text.size(), at + kLongestArgument); ++i) {
        if (text.substr(i, 2) == "\n\n") return kNowhere;
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == open) {
            ++depth;
        } else if (text[i] == close && --depth == 0) {
            return i + 1;
        }
    }
    return kNowhere;
}

class LatexReader {
public:
    explicit LatexReader(std::string_view text) : text_(text) {}

    LatexText read() {
        while (at_ < text_.size()) step();
        return std::move(result_);
    }

private:
    void step() {
        const char c = text_[at_];
        if (is_blank(c)) {
            blanks();
        } else if (c == '\\') {
            command();
        } else if (c == '%') {
            comment();
        } else if (c == '$') {
            dollar();
        } else if (c == '{' || c == '}') {
            ++result_.dropped["brace"];
            ++at_;
        } else if (c == '~') {
            blank(1);
        } else {
            plain(c);
        }
    }

    void blanks() {
        int newlines = 0;
        for (; at_ < text_.size() && is_blank(text_[at_]); ++at_) newlines += text_[at_] == '\n' ? 1 : 0;
        waiting_ = newlines > 1 ? Gap::paragraph : std::max(waiting_, Gap::blank);
    }
    void blank(size_t bytes) {
        waiting_ = std::max(waiting_, Gap::blank);
        at_ += bytes;
    }

    void plain(char c) {
        const std::string_view rest = text_.substr(at_);
        for (const auto& [mark, written] :
             {std::pair<std::string_view, const char*>{"``", "\""}, {"''", "\""}, {"---", "—"}, {"--", "–"}})
            if (rest.starts_with(mark)) {
                at_ += mark.size();
                return write(written);
            }
        ++at_;
        write(std::string_view(&c, 1));
    }

    // A line's end after a comment is part of it, and so are the blanks that the next line begins with.
    void comment() {
        at_ = std::min(text_.find('\n', at_), text_.size());
        if (at_ < text_.size() && text_.substr(at_, 2) != "\n\n") {
            ++at_;
            while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
        }
        drop("comment");
    }

    void dollar() {
        const std::string_view mark = text_.substr(at_, 2) == "$$" ? "$$" : "$";
        const size_t behind = after_mark(at_ + mark.size(), mark, no_dollar_before_);
        at_ = behind == kNowhere ? at_ + mark.size() : behind;
        drop("mathematics");
    }

    // After the mark that ends mathematics, in the same paragraph. Where there is none, the paragraph's end becomes
    // `none_before`: no mark of this kind is looked for again within it.
    size_t after_mark(size_t at, std::string_view mark, size_t& none_before) const {
        if (at < none_before) return kNowhere;
        for (; at < text_.size(); ++at) {
            if (text_.substr(at, 2) == "\n\n") break;
            if (text_.substr(at, mark.size()) == mark) return at + mark.size();
            if (text_[at] == '\\') ++at;
        }
        none_before = std::min(at, text_.size());
        return kNowhere;
    }

    void command() {
        size_t end = at_ + 1;
        while (end < text_.size() && is_ascii_letter(text_[end])) ++end;
        if (end == at_ + 1) return symbol();
        const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
        if (const char* written = written_by(name)) {
            at_ = end;
            while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
            return write(written);
        }
        if (name.size() == 1 && is_among(name, {"c", "v", "u", "H", "k", "r", "b", "d", "t"})) {
            at_ = end;
            while (at_ < text_.size() && text_[at_] == ' ') ++at_;
            ++result_.dropped["accent"];
            return;
        }
        if (end < text_.size() && text_[end] == '*') ++end;
        named(name, end);
    }

    void named(std::string_view name, size_t end) {
        at_ = after_optional(end);
        std::string_view argument;
        for (int left = dropped_arguments(name); left > 0 && at_ < text_.size() && text_[at_] == '{'; --left) {
            const size_t behind = after_bracket(text_, at_, '{', '}');
            if (behind == kNowhere) break;
            if (argument.empty()) argument = text_.substr(at_ + 1, behind - at_ - 2);
            at_ = after_optional(behind);
        }
        if (name == "begin" && holds_no_prose(argument)) skip_environment(argument);
        const bool is_environment = name == "begin" || name == "end";
        drop(is_environment                ? "environment"
             : is_reference(name)          ? "reference"
             : dropped_arguments(name) > 0 ? "argument"
                                           : "command");
    }

    size_t after_optional(size_t at) const {
        while (at < text_.size() && text_[at] == '[') {
            const size_t behind = after_bracket(text_, at, '[', ']');
            if (behind == kNowhere) return at;
            at = behind;
        }
        return at;
    }

    // An environment that has no end is not looked for again: none of its name after it has one either.
    void skip_environment(std::string_view name) {
        if (endless_.contains(name)) return;
        const std::string end = "\\end{" + std::string(name) + "}";
        const size_t found = text_.find(end, at_);
        if (found == kNowhere)
            endless_.insert(name);
        else
            at_ = found + end.size();
    }

    // A backslash and something that is no letter.
    void symbol() {
        if (at_ + 1 == text_.size()) {
            ++at_;
            return drop("command");
        }
        const char c = text_[at_ + 1];
        if (c == '(' || c == '[') {
            const std::string_view mark = c == '(' ? "\\)" : "\\]";
            const size_t behind = after_mark(at_ + 2, mark, no_delimiter_before_[c == '(' ? 0 : 1]);
            at_ = behind == kNowhere ? at_ + 2 : behind;
            return drop("mathematics");
        }
        at_ += 2;
        if (std::string_view("%&$#_{}").find(c) != kNowhere) return write(std::string_view(&c, 1));
        if (c == '\\') {
            at_ = after_optional(at_ < text_.size() && text_[at_] == '*' ? at_ + 1 : at_);
            return blank(0);
        }
        if (is_blank(c) || std::string_view(",;:>").find(c) != kNowhere) {
            at_ -= c == '\n' ? 1 : 0;
            return blank(0);
        }
        const bool is_accent = std::string_view("'`^\"=.~").find(c) != kNowhere;
        if (is_accent) {
            ++result_.dropped["accent"];
        } else {
            at_ -= (static_cast<unsigned char>(c) & 0x80U) != 0 ? 1 : 0;  // a code point is not cut
            drop("command");
        }
    }

    void drop(const char* kind) {
        ++result_.dropped[kind];
        has_dropped_ = true;
    }

    void write(std::string_view bytes) {
        std::string& out = result_.text;
        if (has_dropped_ && bytes == ")" && out.ends_with('(')) {  // nothing is left within the brackets
            out.pop_back();
            while (out.ends_with(' ') || out.ends_with('\n')) {
                waiting_ = std::max(waiting_, out.back() == ' ' ? Gap::blank : Gap::paragraph);
                out.pop_back();
            }
            return;
        }
        const bool is_stop = bytes.size() == 1 && std::string_view(".,;:!?)").find(bytes[0]) != kNowhere;
        if (has_dropped_ && is_stop && waiting_ == Gap::blank) waiting_ = Gap::none;
        if (!out.empty() && waiting_ != Gap::none) out += waiting_ == Gap::blank ? " " : "\n\n";
        out += bytes;
        waiting_ = Gap::none;
        has_dropped_ = false;
    }

    enum class Gap { none, blank, paragraph };
    const std::string_view text_;
    size_t at_ = 0;
    Gap waiting_ = Gap::none;   // what is written before the next character
    bool has_dropped_ = false;  // since the last one
    size_t no_dollar_before_ = 0;
    std::array<size_t, 2> no_delimiter_before_{};  // of \\) and of \\]
    std::set<std::string_view> endless_;
    LatexText result_;
};

}  // namespace

LatexText latex_text(std::string_view text) {
    std::string lines;  // with line breaks of one byte
    lines.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r')
            lines += text[i];
        else if (i + 1 == text.size() || text[i + 1] != '\n')
            lines += '\n';
    return LatexReader(lines).read();
}

}  // namespace craft

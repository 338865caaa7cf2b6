#include "tests/cases/case_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "core/error.h"

namespace craft::test {

namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string_view without_ends(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string_view without_blank_end(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    return text;
}

bool is_comment_or_blank(std::string_view line) {
    return line.starts_with("#") || without_ends(line).empty();
}

// What comes after "# WORD: "; absent where the line is none.
std::optional<std::string> directive(std::string_view line, std::string_view word) {
    const std::string start = "# " + std::string(word) + ":";
    if (!line.starts_with(start)) return std::nullopt;
    return std::string(without_ends(line.substr(start.size())));
}

// As a shell cuts a line up: at blanks, but within quotation marks, which leave no trace.
std::vector<std::string> shell_words(std::string_view line, const std::string& where) {
    std::vector<std::string> words;
    bool in_word = false;
    char quote = 0;
    for (const char c : line) {
        if (quote == 0 && c == ' ') {
            in_word = false;
            continue;
        }
        if (!std::exchange(in_word, true)) words.emplace_back();
        if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (c == quote)
            quote = 0;
        else
            words.back() += c;
    }
    if (quote != 0) throw Error(where, std::string("a second ") + quote, "one");
    return words;
}

class TranscriptReader {
public:
    explicit TranscriptReader(const std::string& name) : name_(name) {}

    Transcript read(std::string_view text) {
        for (const std::string& line : lines_of(text)) {
            ++line_;
            const bool is_section = line == "---" || line.starts_with("--- ");
            if (line.starts_with("$ "))
                begin_command(line.substr(2));
            else if (is_section)
                begin_section(std::string(without_ends(std::string_view(line).substr(3))));
            else if (section_)
                add_to_section(line);
            else if (!is_comment_or_blank(line))
                add_expectation(line);
            else if (const auto needed = directive(line, "needs"))
                take_need(*needed);
        }
        end_section();
        if (all_.commands.empty()) throw Error(name_, "at least one command, '$ COMMAND'", "none");
        return std::move(all_);
    }

private:
    std::string where() const { return name_ + ":" + std::to_string(line_); }

    void begin_command(const std::string& words) {
        end_section();
        CaseCommand command;
        command.line = line_;
        command.words = shell_words(words, where());
        command.files = std::exchange(files_, {});
        all_.commands.push_back(std::move(command));
    }

    void begin_section(const std::string& name) {
        end_section();
        if (name.empty()) return;  // "---" ends one
        const std::filesystem::path path(name);
        if (path.is_absolute() || name.find("..") != std::string::npos)
            throw Error(where(), "a file below the folder of the case", name);
        if (name == "stdout" && all_.commands.empty()) throw Error(where(), "stdout below a command", "none above it");
        if (name == "stdout" && all_.commands.back().out) throw Error(where(), "stdout of a command once", "twice");
        section_ = CaseText{line_, ""};
        section_name_ = name;
    }

    // A backslash goes before a line that would begin something else.
    void add_to_section(std::string_view line) {
        if (line.starts_with("\\$ ") || line.starts_with("\\---")) line.remove_prefix(1);
        section_->text += std::string(line) + "\n";
    }

    // A file above the first command is for it, one below a command for that command.
    void end_section() {
        if (!section_) return;
        const std::string text(without_blank_end(section_->text));
        if (section_name_ == "stdout")
            all_.commands.back().out = CaseText{section_->line, text};
        else
            (all_.commands.empty() ? files_ : all_.commands.back().files)
                .emplace_back(section_name_, text.empty() ? "" : text + "\n");
        section_.reset();
    }

    void add_expectation(const std::string& line) {
        const size_t bar = line.find('|');
        const bool is_code = bar != std::string::npos && bar > 0 && bar < 4 &&
                             std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(bar),
                                         [](unsigned char c) { return std::isdigit(c) != 0; });
        if (!is_code || all_.commands.empty())
            throw Error(where(), "'$ COMMAND', '--- FILE', 'CODE| what stderr says' below a command, '# comment' or nothing",
                        "'" + line + "'");
        CaseCommand& command = all_.commands.back();
        const int code = std::stoi(line.substr(0, bar));
        if (!command.said.empty() && code != command.code)
            throw Error(where(), "the code above, " + std::to_string(command.code), std::to_string(code));
        command.code = code;
        command.said.push_back({line_, std::string(without_ends(std::string_view(line).substr(bar + 1)))});
    }

    void take_need(const std::string& what) {
        if (what != "english") throw Error(where(), "# needs: english", "'" + what + "'");
        all_.needs_english = true;
    }

    const std::string& name_;
    size_t line_ = 0;
    Transcript all_;
    std::vector<std::pair<std::string, std::string>> files_;  // above the first command
    std::optional<CaseText> section_;
    std::string section_name_;
};

}  // namespace

Transcript parse_transcript(std::string_view text, const std::string& name) {
    return TranscriptReader(name).read(text);
}

std::vector<CaseRow> parse_table(std::string_view text, const std::string& name) {
    std::vector<CaseRow> rows;
    std::string run;
    size_t number = 0;
    for (const std::string& line : lines_of(text)) {
        const std::string where = name + ":" + std::to_string(++number);
        if (const auto named = directive(line, "run")) run = *named;
        if (is_comment_or_blank(line)) continue;
        const size_t arrow = line.find("=>");
        if (arrow == std::string::npos) throw Error(where, "INPUT => WHAT IS EXPECTED", "'" + line + "'");
        if (run.empty()) throw Error(where, "a line '# run: NAME' above the rows", "none");
        rows.push_back({number, run, std::string(without_ends(std::string_view(line).substr(0, arrow))),
                        std::string(without_ends(std::string_view(line).substr(arrow + 2)))});
    }
    if (rows.empty()) throw Error(name, "at least one row, 'INPUT => WHAT IS EXPECTED'", "none");
    return rows;
}

bool is_as_expected(std::string_view expected, std::string_view got) {
    expected = without_blank_end(expected);
    got = without_blank_end(got);
    constexpr std::string_view kAny = "...";
    size_t any = expected.find(kAny);
    if (any == std::string_view::npos) return expected == got;
    if (!got.starts_with(expected.substr(0, any))) return false;
    got.remove_prefix(any);
    for (expected.remove_prefix(any + kAny.size()); (any = expected.find(kAny)) != std::string_view::npos;) {
        const std::string_view piece = expected.substr(0, any);
        const size_t at = got.find(piece);
        if (at == std::string_view::npos) return false;
        got.remove_prefix(at + piece.size());
        expected.remove_prefix(any + kAny.size());
    }
    return got.ends_with(expected);
}

}  // namespace craft::test

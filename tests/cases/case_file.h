// Tests as text: files *.case are transcripts of commands, files *.cases tables of rows (CONTRIBUTING.md says how to write
// one).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace craft::test {

struct CaseText {
    size_t line = 0;  // where it stands, from 1
    std::string text;
};

struct CaseCommand {
    size_t line = 0;
    std::vector<std::string> words;
    std::vector<std::pair<std::string, std::string>> files;  // names and bytes, to be written before it runs
    std::optional<CaseText> out;                             // of stdout
    int code = 0;
    std::vector<CaseText> said;  // what stderr has to contain, in which "..." stands for any text
};

struct Transcript {
    bool needs_english = false;
    std::vector<CaseCommand> commands;
};

struct CaseRow {
    size_t line = 0;
    std::string run;  // the name of what `input` goes through
    std::string input, expected;
};

// Throws Error naming `name` and the line on what is no such file: a line of no kind, a file without a command or row, a
// quotation mark that is not closed, stdout given twice.
Transcript parse_transcript(std::string_view text, const std::string& name);
std::vector<CaseRow> parse_table(std::string_view text, const std::string& name);

// Whether `got` is `expected`, in which "..." stands for any text. Blank lines at the end of both do not count.
bool is_as_expected(std::string_view expected, std::string_view got);

}  // namespace craft::test

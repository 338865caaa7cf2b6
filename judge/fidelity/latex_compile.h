// Whether a paragraph of LaTeX compiles: AvgCE (CRAFT §7, App. D.8). The paragraph is a model's and is not trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace craft {

struct LatexOptions {
    std::string program = "pdflatex";          // looked for on the PATH
    std::string preamble = "";                 // before \begin{document}; empty: latex_preamble()
    double seconds = 20;                       // of the clock, and of the processor; then it is ended
    int64_t memory_bytes = int64_t{2} << 30;   // of its address space
    int64_t file_bytes = int64_t{8} << 20;     // of each file it writes
    int64_t folder_bytes = int64_t{32} << 20;  // of all that it writes, looked at while it runs
};

struct LatexOutcome {
    std::optional<int64_t> errors;  // lines of the log that begin with "!"; absent: it gave no whole log
    std::string problem;            // why not: "time", "limits" (of memory, a file, all files), "no log"; empty with errors
};

// article with amsmath, amssymb, graphicx, natbib and url.
std::string latex_preamble();
bool is_latex_installed(const std::string& program);
int64_t count_latex_errors(std::string_view log);

// Compiles it alone in an empty folder that is removed afterwards, without shell escape, with openin_any and openout_any at
// p (no files above the folder, none by absolute names), and nothing of our environment but the PATH. Throws Error if the
// program cannot be started or the folder not be made, Stopped if a stop signal comes.
LatexOutcome compile_latex(const std::string& paragraph, const LatexOptions& options);

}  // namespace craft

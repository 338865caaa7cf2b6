// With scripts in pdflatex's place, and with pdflatex itself where it is installed.
#include "judge/fidelity/latex_compile.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

LatexOptions with_script(const TemporaryFolder& folder, const std::string& script) {
    LatexOptions options;
    options.program = folder.file("compiler", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(options.program, std::filesystem::perms::owner_all);
    return options;
}

TEST(LatexCompile, CountsLinesThatBeginWithAMark) {
    EXPECT_EQ(count_latex_errors("! one\nno ! here\n! two"), 2);
    EXPECT_EQ(count_latex_errors("\r\n!\r\n"), 1);
    EXPECT_EQ(count_latex_errors(""), 0);
    EXPECT_EQ(count_latex_errors("\n"), 0);
}

TEST(LatexCompile, GivesTheCompilerADocumentAndNothingElse) {
    const TemporaryFolder folder;
    const std::string seen = (folder.path() / "seen").string();
    LatexOptions options = with_script(folder, "{ ls; env | sort; echo \"$@\"; cat paragraph.tex; } > " + seen +
                                                   "; printf '! Undefined\\n! Missing\\n' > paragraph.log; exit 1");
    const LatexOutcome outcome = compile_latex("A \\badly formed paragraph", options);
    EXPECT_EQ(outcome.errors, 2);
    const std::string text = read_file(seen);
    EXPECT_EQ(text.substr(0, 14), "paragraph.tex\n") << "the folder is empty but for it";
    for (const char* part : {"openin_any=p", "openout_any=p", "-no-shell-escape", "-interaction=nonstopmode",
                             "\\begin{document}\nA \\badly formed paragraph\n\\end{document}\n", "\\documentclass{article}"})
        EXPECT_NE(text.find(part), std::string::npos) << part;
    EXPECT_EQ(text.find("CRAFT"), std::string::npos) << "our environment is not its own";
    options.preamble = "\\documentclass{book}";
    EXPECT_EQ(compile_latex("x", options).errors, 2);
    EXPECT_NE(read_file(seen).find("\\documentclass{book}\n\\begin{document}\nx\n"), std::string::npos);
}

TEST(LatexCompile, IsEndedAtItsLimits) {
    const TemporaryFolder folder;
    LatexOptions options = with_script(folder, "sleep 100");
    options.seconds = 0.2;
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(compile_latex("x", options).problem, "time");
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
    options = with_script(folder, "exec head -c 100000 /dev/zero > paragraph.log");
    options.file_bytes = 1000;
    EXPECT_EQ(compile_latex("x", options).problem, "limits");
    // Each file is within its limit, all of them are not.
    const std::string many = "mkdir sub; for i in 1 2 3 4; do head -c 900 /dev/zero > sub/f$i; done; : > paragraph.log";
    options = with_script(folder, many);
    options.file_bytes = 1000;
    options.folder_bytes = 3000;
    EXPECT_EQ(compile_latex("x", options).problem, "limits");
    options = with_script(folder, many + "; sleep 100");
    options.folder_bytes = 3000;
    EXPECT_EQ(compile_latex("x", options).problem, "limits") << "while it runs";
    options.folder_bytes = 4000;
    options.seconds = 0.5;
    EXPECT_EQ(compile_latex("x", options).problem, "time");
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(60));
    EXPECT_EQ(compile_latex("x", with_script(folder, "exit 1")).problem, "no log");
    EXPECT_EQ(compile_latex("x", with_script(folder, "ln -s /etc/passwd paragraph.log")).problem, "no log")
        << "a link is not followed";
    EXPECT_FALSE(is_latex_installed("/no/such/pdflatex"));
    EXPECT_THROW(compile_latex("x",
                               [] {
                                   LatexOptions none;
                                   none.program = "/no/such/pdflatex";
                                   return none;
                               }()),
                 Error);
}

TEST(LatexCompile, RealPdflatexFindsErrors) {
    const LatexOptions options;
    if (!is_latex_installed(options.program)) GTEST_SKIP() << "no reference data: pdflatex is not installed";
    EXPECT_EQ(compile_latex("Let $x \\in A$ as in \\citet{b} and \\ref{c}.", options).errors, 0);
    EXPECT_EQ(compile_latex("An \\undefinedcommand here.", options).errors, 1);
    EXPECT_GE(compile_latex("Open $x", options).errors.value_or(0), 1);
    EXPECT_GE(compile_latex("\\input{/etc/passwd}", options).errors.value_or(0), 1);
    LatexOptions brief;
    brief.seconds = 2;
    EXPECT_EQ(compile_latex("\\def\\x{\\x}\\x", brief).problem, "time");
}

}  // namespace
}  // namespace craft

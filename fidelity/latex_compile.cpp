#include "fidelity/latex_compile.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "external/child_process.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

class EmptyFolder {
public:
    EmptyFolder() : path_((fs::temp_directory_path() / "craft-latex-XXXXXX").string()) {
        if (::mkdtemp(path_.data()) == nullptr) throw Error(path_ + ": " + std::strerror(errno));
    }
    ~EmptyFolder() {
        std::error_code ignored;  // what is left of it is in the folder for temporary files
        fs::remove_all(path_, ignored);
    }
    EmptyFolder(const EmptyFolder&) = delete;
    EmptyFolder& operator=(const EmptyFolder&) = delete;
    fs::path path() const { return path_; }

private:
    std::string path_;
};

std::string search_path() {
    const char* path = std::getenv("PATH");
    return path == nullptr ? "/usr/bin:/bin" : path;
}

ChildOptions child_options(const fs::path& folder, const LatexOptions& options) {
    ChildOptions child;
    child.arguments = {options.program,       "-no-shell-escape",     "-interaction=nonstopmode",
                       "-no-file-line-error", "-no-parse-first-line", "-draftmode",
                       "paragraph.tex"};
    child.folder = folder;
    // A line of the log is not broken, so that one begins with "!" only where an error is.
    child.environment = {"PATH=" + search_path(), "HOME=" + folder.string(), "openin_any=p",
                         "openout_any=p",         "shell_escape=f",          "max_print_line=10000"};
    child.has_pipes = false;
    child.cpu_seconds = static_cast<int64_t>(options.seconds) + 1;
    child.memory_bytes = options.memory_bytes;
    child.file_bytes = options.file_bytes;
    return child;
}

}  // namespace

std::string latex_preamble() {
    return "\\documentclass{article}\n\\usepackage{amsmath,amssymb,graphicx,natbib,url}\n";
}

bool is_latex_installed(const std::string& program) {
    if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
    std::istringstream folders(search_path());
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && ::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

int64_t count_latex_errors(std::string_view log) {
    int64_t errors = !log.empty() && log[0] == '!' ? 1 : 0;
    for (size_t at = log.find('\n'); at != std::string_view::npos; at = log.find('\n', at + 1))
        errors += at + 1 < log.size() && log[at + 1] == '!' ? 1 : 0;
    return errors;
}

LatexOutcome compile_latex(const std::string& paragraph, const LatexOptions& options) {
    const EmptyFolder folder;
    write_file_atomic(folder.path() / "paragraph.tex",
                      (options.preamble.empty() ? latex_preamble() : options.preamble + "\n") + "\\begin{document}\n" +
                          paragraph + "\n\\end{document}\n");
    ChildProcess child(child_options(folder.path(), options));
    const auto end = child.wait(options.seconds);
    if (!end) return {std::nullopt, "time"};
    if (end->signal == SIGXCPU) return {std::nullopt, "time"};
    if (end->signal != 0) return {std::nullopt, "limits"};
    const fs::path log = folder.path() / "paragraph.log";
    if (!fs::is_regular_file(fs::symlink_status(log))) return {std::nullopt, "no log"};
    return {count_latex_errors(read_file(log)), ""};
}

}  // namespace craft

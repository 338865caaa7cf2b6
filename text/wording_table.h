// Texts with {placeholders} from files, each file with a version for manifests.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/rng.h"

namespace craft {

// `text` with every {name} of `values` replaced; what was put in is not looked at again, other braces stay.
std::string fill_in(const std::string& text, const std::map<std::string, std::string>& values);

// What manifests tell of such a file: a hash of its bytes, in 16 hexadecimal digits.
std::string text_version(const std::string& bytes);

// Lists of wordings by dotted name ("calls.words_less"), one of which is drawn.
class WordingTable {
public:
    static WordingTable load(const std::filesystem::path& file);
    // Throws Error naming the file if there is no such wording.
    const std::string& first(const std::string& name) const { return list(name)[0]; }
    const std::string& draw(const std::string& name, Rng& rng) const { return rng.pick(list(name)); }
    // All wordings of this name.
    const std::vector<std::string>& list(const std::string& name) const;
    const std::string& version() const { return version_; }

private:
    std::map<std::string, std::vector<std::string>> lists_;
    std::string file_, version_;
};

}  // namespace craft

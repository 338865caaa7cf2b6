#include "cli/edit_options.h"

#include "core/log.h"
#include "english/word_list.h"

namespace craft {

Option& bind_beta(OptionTable& table, double& beta) {
    return table.add("beta", beta, "weight of recall in F; 1 weighs precision and recall alike")
        .flag("--beta")
        .min(1e-3)
        .max(1e3);
}

void warn_of_edits_outside(const M2File& file, const std::string& what_becomes) {
    if (file.outside.empty()) return;
    log_warning(file.name + ":" + std::to_string(file.outside.front()) +
                ": span: expected within the sentence, got one behind it; " + what_becomes + " (" +
                std::to_string(file.outside.size()) + " in the file)");
}

void warn_of_passed_lines(const M2File& file) {
    if (file.passed.empty()) return;
    log_warning(file.name + ": lines that begin with I are passed over", {{"lines", file.passed.size()}});
}

KnownWord known_words(const std::string& given, std::string& name) {
    const std::filesystem::path file = given == "auto" ? english_word_list_file() : std::filesystem::path(given);
    std::error_code none;
    name = "none";
    if (given == "auto" && !std::filesystem::exists(file, none)) {
        log_warning("without a list of words no edit is one of spelling",
                    {{"hint", "scripts/setup.sh --english gets one; --words FILE names another"}});
        return [](const std::string&) { return true; };
    }
    if (given == "none") return [](const std::string&) { return true; };
    name = file.stem().string();
    return [words = std::make_shared<const WordList>(WordList::load(file))](const std::string& word) {
        return words->knows(word);
    };
}

}  // namespace craft

#include "cli/recogniser_options.h"

#include <memory>
#include <set>
#include <unordered_map>

#include "core/file_hash.h"
#include "judge/scorers/preservation.h"

namespace craft {

void bind_recogniser(OptionTable& table, JsonCommandOptions& recogniser) {
    table
        .add("recogniser.command", recogniser.command,
             "a shell command that reads {\"id\",\"text\"} per line and writes {\"id\",\"entities\":[...]} in the same "
             "order, names exactly as in the text; empty: the English model finds them")
        .flag("--recogniser")
        .excludes("english");
    table.add("recogniser.timeout", recogniser.timeout_seconds, "seconds without an answer before the command is killed")
        .min(0.1);
    table.add("recogniser.restarts", recogniser.restarts, "restarts of a command that exits").min(0);
}

NameFinder names_of_texts(const JsonCommandOptions& recogniser, const std::string& english,
                          const std::vector<std::string>& texts) {
    if (recogniser.command.empty()) return find_names(english);
    const std::set<std::string> distinct(texts.begin(), texts.end());
    const std::vector<std::string> asked(distinct.begin(), distinct.end());
    const std::vector<std::vector<std::string>> found = keywords_by_command(started_for_each(recogniser))(asked);
    const auto known = std::make_shared<std::unordered_map<std::string, std::vector<std::string>>>();
    for (size_t i = 0; i < asked.size(); ++i) known->emplace(asked[i], found.at(i));
    return {[known](const std::string& text) { return known->at(text); }, "names:command:" + hash_text(recogniser.command)};
}

}  // namespace craft

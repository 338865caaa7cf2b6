#include "eval/editeval/wnc.h"

#include <array>
#include <unordered_map>

#include "core/error.h"
#include "text/text_lines.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kWncFields = 7, kWncSource = 3, kWncTarget = 4;

std::vector<std::string_view> between_tabs(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
        const size_t tab = line.find('\t');
        fields.push_back(line.substr(0, tab));
        if (tab == std::string_view::npos) return fields;
        line.remove_prefix(tab + 1);
    }
}

}  // namespace

void read_wnc(const std::filesystem::path& file, const std::string& prefix, EditItems& into) {
    parse_wnc(read_text_lines(file), file.string(), prefix, into);
    into.files.push_back(file);
}

void parse_wnc(const std::vector<std::string>& lines, const std::string& where, const std::string& prefix, EditItems& into) {
    std::unordered_map<std::string, int> seen;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (trim_view(lines[i]).empty()) continue;
        const std::vector<std::string_view> fields = between_tabs(lines[i]);
        if (fields.size() != kWncFields)
            throw Error(line_place(where, i), "7 fields between tabs (id, two of tokens, source, target, two of tags)",
                        std::to_string(fields.size()));
        const std::string id = trim(fields[0]);
        if (id.empty()) throw Error(line_place(where, i) + ": field 1", "the id of a revision", "nothing");
        const int times = ++seen[id];
        if (times > 1) ++into.noted["repeated id"];
        keep_item({.id = prefix + "-" + id + (times > 1 ? "#" + std::to_string(times) : ""),
                   .input = trim(fields[kWncSource]),
                   .references = {trim(fields[kWncTarget])}},
                  into);
    }
}

}  // namespace craft

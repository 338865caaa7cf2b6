#include "eval/editeval/parallel_text.h"

#include "core/error.h"
#include "text/text_lines.h"
#include "text/utf8.h"

namespace craft {

namespace fs = std::filesystem;

void read_parallel_text(const fs::path& sources, const std::vector<fs::path>& references, const std::string& prefix,
                        EditItems& into) {
    const std::vector<std::string> lines = read_text_lines(sources);
    std::vector<std::vector<std::string>> columns;
    for (const fs::path& file : references) {
        columns.push_back(read_text_lines(file));
        if (columns.back().size() != lines.size())
            throw Error(line_place(file, std::min(columns.back().size(), lines.size())),
                        std::to_string(lines.size()) + " lines as " + sources.filename().string() + " has",
                        std::to_string(columns.back().size()));
    }
    into.note_references(static_cast<int64_t>(references.size()));
    into.files.push_back(sources);
    into.files.insert(into.files.end(), references.begin(), references.end());
    for (size_t i = 0; i < lines.size(); ++i) {
        EditItem item = {.id = prefix + "-" + std::to_string(i), .input = trim(lines[i]), .references = {}};
        for (const auto& column : columns) item.references.push_back(trim(column[i]));
        keep_item(std::move(item), into);
    }
}

}  // namespace craft

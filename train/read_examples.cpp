#include "train/read_examples.h"

#include <algorithm>

#include "core/error.h"
#include "core/rows.h"
#include "data/store.h"

namespace craft {

namespace {

PromptText text_field(const Json& row, const std::string& name, const std::string& where) {
    if (row.contains(name) && row[name].is_array()) return messages_from_json(row[name], where + ": field '" + name + "'");
    return string_field(row, name, where);
}

// Other rows of conversations may have lists of tools, too: descriptions, not calls.
bool is_trajectory(const Json& row) {
    const auto tools = row.find("tools"), steps = row.find("steps");
    return row.contains("messages") && steps != row.end() && steps->is_array() && !steps->empty() && tools != row.end() &&
           tools->is_array() && std::all_of(tools->begin(), tools->end(), [](const Json& tool) { return tool.is_string(); });
}

}  // namespace

int64_t read_sft_examples(const std::string& path, const JsonLinesOptions& lines, ExampleBuilder& builder) {
    if (is_store(path)) {
        StoreReader store(path);
        while (const auto trajectory = store.next()) builder.add_trajectory(*trajectory);
        return 0;
    }
    if (path.ends_with(".h5"))
        throw Error(path, "a store's folder, or JSON Lines", "one segment of a store", "give its folder");
    return for_each_row(path, lines, [&](const Json& row, const std::string& where) {
        if (is_trajectory(row)) {
            builder.add_trajectory(trajectory_from_json(row, where));
        } else if (row.contains("messages")) {
            builder.add_conversation(messages_from_json(row["messages"], where + ": field 'messages'"));
        } else if (row.contains("prompt") && row.contains("completion")) {
            builder.add_completion(text_field(row, "prompt", where), text_field(row, "completion", where), where);
        } else {
            throw Error(where, "'messages', or 'prompt' and 'completion'", "a row without them",
                        row.contains("chosen") ? "pairs are for craft-train align --pairs" : "");
        }
    });
}

int64_t read_pair_examples(const std::string& path, const JsonLinesOptions& lines, bool chosen_only,
                           ExampleBuilder& builder) {
    return for_each_row(path, lines, [&](const Json& row, const std::string& where) {
        const Pair pair = pair_from_json(row, where);
        if (chosen_only)
            builder.add_completion(pair.prompt, pair.chosen, where);
        else
            builder.add_pair(pair, where);
    });
}

}  // namespace craft

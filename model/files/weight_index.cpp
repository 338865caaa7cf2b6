#include "model/files/weight_index.h"

#include <filesystem>

#include "core/error.h"

namespace craft {

std::vector<std::pair<std::string, std::string>> parse_weight_index(const Json& index, const std::string& file) {
    if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object() ||
        index["weight_map"].empty())
        throw Error(file, "an object 'weight_map' of tensors and their files", "none");
    std::vector<std::pair<std::string, std::string>> places;
    for (const auto& [tensor, value] : index["weight_map"].items()) {
        const std::string name = value.is_string() ? value.get<std::string>() : "";
        if (name.empty() || name == "." || name == ".." || std::filesystem::path(name).filename() != name)
            throw Error(file + ": weight_map", "names of files in the same folder", dump_line(value));
        places.emplace_back(tensor, name);
    }
    return places;
}

}  // namespace craft

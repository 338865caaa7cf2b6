// Whose models these are, by their names: a judge may favour its own kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace craft {

// The family that the name of a model, a file or a system holds ("Qwen/Qwen3-32B", "local:weights/smollm2-135m.gguf",
// "gpt-4o"): "qwen", "smollm", "gpt"; nothing where it names none that is known. Names tell no more than what stands in
// them.
std::optional<std::string> model_family(std::string_view name);

// What two names share: the whole name in any case, or a family; nothing otherwise.
std::optional<std::string> shared_family(std::string_view one, std::string_view other);

}  // namespace craft

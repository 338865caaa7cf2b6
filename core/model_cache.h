// Models by their names, from the Hugging Face cache on this machine. Nothing is downloaded.
#pragma once

#include <filesystem>
#include <string>

namespace craft {

// HF_HUB_CACHE, else HF_HOME/hub, else huggingface/hub in XDG_CACHE_HOME or ~/.cache.
std::filesystem::path model_cache();

// Where the model lies that `--model` names. What exists as a path, or is no name of the form "org/name", is returned as it
// is. A name leads to the snapshot that models--org--name/refs/main of the cache names, or to the one GGUF file that such a
// snapshot holds in place of a model folder. A name that the cache does not hold is returned as it is: whoever opens it says
// that it is not there. Throws Error if the cache holds the name but not the model: no refs/main, no such snapshot, links
// whose files are gone, several GGUF files and nothing else.
std::filesystem::path named_model(const std::string& given);
// What to do where nothing is at `model`: for a name of that form the command that downloads it, or where the cache has it;
// empty for others, and where there is a folder "org", in which the path may be misspelt.
std::string download_hint(const std::filesystem::path& model);

}  // namespace craft

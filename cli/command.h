// A sub-command of craft-train.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace craft {

// The order in which a user meets them, and in which --help shows them.
enum class CommandGroup { make_data, train, use_model, revise_and_judge, evaluate };

// What a command spends its time on, where that is a decoder's: for --dtype auto (cli/placement.h).
enum class Work { training, generation };

// A page of help of its own for one of the ways in which a command is used: `craft-train COMMAND NAME --help`.
struct HelpPage {
    std::string name;
    std::string key;  // of the option that is given to use the command so; what it excludes stands on other pages
    std::string help, example;
};

struct Command {
    std::string name;  // "sft", or two words: "tokenizer train"
    CommandGroup group;
    std::string help;     // one line
    std::string example;  // one command line that works as printed; the last line of COMMAND --help
    // argv[0] is the name, then its arguments. Returns the exit code; throws craft::Error, UsageError or Stopped.
    int (*run)(int argc, const char* const* argv);
    std::optional<Work> work = {};
    std::vector<HelpPage> pages = {};  // none: all options stand on one page
};

}  // namespace craft

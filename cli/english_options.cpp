#include "cli/english_options.h"

namespace craft {

Option& bind_english(OptionTable& table, std::string& model) {
    return table
        .add("english", model,
             "folder of spaCy's small English model; none: names and edits are recognised by letters; auto: "
             "$CRAFT_ENGLISH_MODEL, or weights/en_core_web_sm if present")
        .flag("--english")
        .input()
        .reads({});
}

}  // namespace craft

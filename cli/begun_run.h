// Whether a stopped command can go on.
#pragma once

#include <string>

namespace craft {

// Where what the command made so far is kept, so that the same command goes on from there: its run folder from open_run()
// on. Empty: nowhere.
void set_begun_run(const std::string& place);
const std::string& begun_run();

}  // namespace craft

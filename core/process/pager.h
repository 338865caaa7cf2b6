// What is longer than a terminal, in a program that pages.
#pragma once

#include <string>

namespace craft {

// Becomes the command $PAGER (`less -FRX` where it is not set), run by /bin/sh -c, with `text` as its stdin, and does not
// return: whoever leaves it early has seen enough, and the exit code is its own. Returns where $PAGER is empty or no pager
// could be started.
void become_pager(const std::string& text);

}  // namespace craft

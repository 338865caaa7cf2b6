// Which leniency a call needed, by what its reader found. Inside tools/ only.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "tools/call_parser.h"
#include "tools/call_syntax.h"
#include "tools/leniency.h"
#include "tools/tool_set.h"

namespace craft {

// Of a call as `written`, which was bound: what its normal form has not.
void note_form(const CallReading& reading, std::string_view written, const BoundCall& call, const Tool& tool,
               Leniency& counts);

// Offsets in a text: of a line's beginning, and of the call that was read last on it (0, 0: none was whole).
struct LinePlaces {
    size_t begin = 0, call_begin = 0, call_end = 0;
};
// Of a line with the calls that were found on it.
void note_line(std::span<const ParsedToolCall> found, std::string_view text, const LinePlaces& places, Leniency& counts);

}  // namespace craft

// Which command makes which figure of a table.
#pragma once

#include <string>
#include <vector>

#include "eval/results/table.h"
#include "eval/results/table_layouts.h"

namespace craft {

// A command line without the program's name, with words in capitals for what is the user's: "eval cord --items ITEMS
// --outputs OUTPUTS". `figure` is a key of a layout's column.
std::string command_of(TableLayout layout, const std::string& figure);

// Counts a table's cells without a figure in a note, and says in further ones which commands make them; `commands` has one a
// column.
void note_empty_cells(Table& table, const std::vector<std::string>& commands);

}  // namespace craft

// Tables of figures in Markdown, LaTeX and CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace craft {

enum class TableFormat { markdown, latex, csv };

struct TableColumn {
    std::string title;
    bool higher_is_better = true;
    int decimals = -1;  // of its cells; -1: the table's
};

struct TableRow {
    std::string name;
    std::vector<std::optional<double>> cells;  // one a column, as shown
    bool is_gain = false;                      // cells are differences, which have a sign and no rank
};

struct Table {
    std::string corner;  // above the rows' names
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows;
    int decimals = 2;
    bool is_ranked = true;  // the best figure of a column is bold, the second-best underlined, as shown: equals share a mark
    bool is_factor = false;               // cells are factors: "×1.1"
    std::vector<std::string> notes = {};  // what the figures leave out, one line each
};

// A cell without a figure is "-". CSV (RFC 4180) has neither marks nor signs. Names are escaped as the format asks. Throws
// std::logic_error where a row has not a cell for each column.
std::string print_table(const Table& table, TableFormat format);

}  // namespace craft

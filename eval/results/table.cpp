#include "eval/results/table.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <stdexcept>

#include "core/utf8.h"

namespace craft {

namespace {

std::string digits(double value, int decimals) {
    char text[400];  // the largest double has 309 digits before the point
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string in_markdown(const std::string& text) {
    std::string out;
    for (const char c : one_line(text)) {
        if (std::string_view("\\|*_`<>[]").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

std::string in_latex(const std::string& text) {
    std::string out;
    for (const char c : one_line(text)) {
        switch (c) {
            case '\\':
                out += "\\textbackslash{}";
                break;
            case '~':
                out += "\\textasciitilde{}";
                break;
            case '^':
                out += "\\textasciicircum{}";
                break;
            case '&':
            case '%':
            case '$':
            case '#':
            case '_':
            case '{':
            case '}':
                out += '\\';
                [[fallthrough]];
            default:
                out += c;
        }
    }
    return out;
}

std::string in_csv(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

int decimals_of(const Table& table, size_t column) {
    return table.columns[column].decimals >= 0 ? table.columns[column].decimals : table.decimals;
}

enum class Rank { none, best, second };

// Ranks go by what is shown: figures that look the same have the same mark.
std::vector<Rank> ranks_of(const Table& table, size_t column) {
    std::set<double> figures;
    const auto shown = [&](const TableRow& row) {
        return std::stod(digits(*row.cells[column], decimals_of(table, column)));
    };
    for (const TableRow& row : table.rows)
        if (row.cells[column] && !row.is_gain) figures.insert(shown(row));
    std::vector<double> order(figures.begin(), figures.end());
    if (table.columns[column].higher_is_better) std::reverse(order.begin(), order.end());
    std::vector<Rank> ranks;
    for (const TableRow& row : table.rows) {
        Rank rank = Rank::none;
        if (table.is_ranked && table.rows.size() > 1 && row.cells[column] && !row.is_gain) {
            if (shown(row) == order[0]) rank = Rank::best;
            if (order.size() > 1 && shown(row) == order[1]) rank = Rank::second;
        }
        ranks.push_back(rank);
    }
    return ranks;
}

std::string shown_cell(const Table& table, size_t column, const TableRow& row, Rank rank, TableFormat format) {
    const std::optional<double>& cell = row.cells[column];
    if (!cell) return "-";
    std::string text = digits(*cell, decimals_of(table, column));
    if (row.is_gain && text[0] != '-') text = "+" + text;
    if (format == TableFormat::csv) return text;
    const bool latex = format == TableFormat::latex;
    if (table.is_factor) text = (latex ? "$\\times$" : "×") + text;
    if (latex && (text[0] == '-' || text[0] == '+')) text = "$" + text + "$";  // a minus sign, no hyphen
    if (rank == Rank::best) return latex ? "\\textbf{" + text + "}" : "**" + text + "**";
    if (rank == Rank::second) return latex ? "\\underline{" + text + "}" : "<u>" + text + "</u>";
    return text;
}

// Rows of cells as they stand in the file, the head first.
std::vector<std::vector<std::string>> shown_rows(const Table& table, TableFormat format) {
    const auto name = [&](const std::string& text) {
        return format == TableFormat::markdown ? in_markdown(text)
               : format == TableFormat::latex  ? in_latex(text)
                                               : in_csv(text);
    };
    std::vector<std::vector<std::string>> rows = {{name(table.corner)}};
    for (const TableColumn& column : table.columns) rows[0].push_back(name(column.title));
    for (const TableRow& row : table.rows) {
        if (row.cells.size() != table.columns.size()) throw std::logic_error("print_table: a cell for each column");
        rows.push_back({name(row.name)});
    }
    for (size_t column = 0; column < table.columns.size(); ++column) {
        const std::vector<Rank> ranks = ranks_of(table, column);
        for (size_t row = 0; row < table.rows.size(); ++row)
            rows[row + 1].push_back(shown_cell(table, column, table.rows[row], ranks[row], format));
    }
    return rows;
}

std::string joined(const std::vector<std::string>& cells, const std::string& between) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : between) + cells[i];
    return line;
}

}  // namespace

std::string print_table(const Table& table, TableFormat format) {
    const auto rows = shown_rows(table, format);
    std::string out;
    if (format == TableFormat::csv) {
        for (const auto& row : rows) out += joined(row, ",") + "\r\n";
        return out;
    }
    if (format == TableFormat::markdown) {
        for (size_t i = 0; i < rows.size(); ++i) {
            out += "| " + joined(rows[i], " | ") + " |\n";
            if (i > 0) continue;
            out += "|---|";
            for (size_t column = 0; column < table.columns.size(); ++column) out += "---:|";
            out += "\n";
        }
        for (const std::string& note : table.notes) out += "\n" + in_markdown(note) + "\n";
        return out;
    }
    // booktabs' rules, as most templates of conferences load it
    out = "\\begin{tabular}{l" + std::string(table.columns.size(), 'r') + "}\n\\toprule\n";
    for (size_t i = 0; i < rows.size(); ++i) out += joined(rows[i], " & ") + " \\\\\n" + (i == 0 ? "\\midrule\n" : "");
    out += "\\bottomrule\n\\end{tabular}\n";
    for (const std::string& note : table.notes) out += "% " + one_line(note) + "\n";
    return out;
}

}  // namespace craft

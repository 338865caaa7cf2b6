#include "eval/results/figure_commands.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "core/utf8.h"
#include "text/lists.h"

namespace craft {

namespace {

constexpr const char* kOfTexts = " --items ITEMS --outputs OUTPUTS";
constexpr std::array<const char*, 6> kMarks = {"fluency",   "coherence",      "consistency",
                                               "semantics", "grammaticality", "overcorrection"};

// "criteria.fluency.wins": the criterion; empty: the figure is none of them.
std::string compared_criterion(const std::string& figure) {
    const std::string before = "criteria.", behind = ".wins";
    if (!figure.starts_with(before) || !figure.ends_with(behind)) return "";
    return figure.substr(before.size(), figure.size() - before.size() - behind.size());
}

}  // namespace

std::string command_of(TableLayout layout, const std::string& figure) {
    const std::string rounds = layout == TableLayout::f3 ? " --rounds" : "";
    if (layout == TableLayout::t11) return "revise --method METHOD --input ITEMS --output OUTPUTS";
    if (figure == "accuracy" && layout == TableLayout::t9) return std::string("eval easy --judge JUDGE") + kOfTexts;
    if (figure == "accuracy") return "eval cord" + rounds + kOfTexts;
    if (figure == "f1") return "eval tools --items ITEMS --calls CALLS";
    if (figure == "errors") return std::string("eval latex") + kOfTexts;
    if (figure == "ne_er") return std::string("eval factuality") + kOfTexts;
    if (figure == "entailed") return std::string("eval factuality --entailment COMMAND") + kOfTexts;
    if (const std::string criterion = compared_criterion(figure); !criterion.empty())
        return "eval pairwise --criteria " + criterion + " --judge JUDGE --items ITEMS --a OUTPUTS --b OTHERS";
    if (std::find(kMarks.begin(), kMarks.end(), figure) != kMarks.end())
        return "judge --form joint --aspect " + figure + " --judge JUDGE --marks MARKS --items ITEMS --outputs NAME=OUTPUTS";
    return "eval metric " + figure + " --model MODEL" + rounds + kOfTexts;
}

void note_empty_cells(Table& table, const std::vector<std::string>& commands) {
    size_t empty = 0, all = 0;
    std::map<std::string, std::vector<std::string>> lacking;  // by command, "PPL of A"
    for (const TableRow& row : table.rows) {
        if (row.is_gain) continue;
        for (size_t column = 0; column < row.cells.size(); ++column) {
            ++all;
            if (row.cells[column]) continue;
            ++empty;
            lacking[commands.at(column)].push_back(table.columns[column].title + " of " + row.name);
        }
    }
    if (empty == 0) return;
    table.notes.push_back(std::to_string(empty) + " of " + std::to_string(all) + " cells have no figure in these files");
    for (const auto& [command, cells] : lacking)
        table.notes.push_back("craft-train " + command + " makes " + shortened(join(cells, ", "), 200));
}

}  // namespace craft

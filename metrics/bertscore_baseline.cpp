#include "metrics/bertscore_baseline.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"

namespace craft {

namespace {

struct BaselineRow {
    int64_t layer = 0;
    BertScoreBaseline figures;
};

template <class T>
bool read_whole(std::string_view text, T& value) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size();
}

BaselineRow parse_baseline_row(std::string_view line, const std::string& where) {
    const Error unfit(where, "LAYER,P,R,F: a layer and three numbers below 1",
                      "'" + shortened(one_line(std::string(line)), 60) + "'");
    std::array<std::string_view, 4> fields;
    for (size_t i = 0; i < fields.size(); ++i) {
        const size_t comma = line.find(',');
        if ((comma == std::string_view::npos) != (i + 1 == fields.size())) throw unfit;
        fields[i] = line.substr(0, comma);
        if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
    }
    BaselineRow row;
    if (!read_whole(fields[0], row.layer) || row.layer < 0) throw unfit;
    size_t next = 1;
    for (double* figure : {&row.figures.precision, &row.figures.recall, &row.figures.f1})
        if (!read_whole(fields[next++], *figure) || !std::isfinite(*figure) || *figure >= 1) throw unfit;
    return row;
}

}  // namespace

BertScoreBaseline parse_bertscore_baseline(const std::string& text, int64_t layer, const std::string& name) {
    std::istringstream lines(text);
    std::optional<BertScoreBaseline> found;
    std::set<int64_t> layers;
    int64_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::string where = name + ":" + std::to_string(++number);
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (number == 1) {
            if (line != "LAYER,P,R,F")
                throw Error(where, "the heading LAYER,P,R,F", "'" + shortened(one_line(line), 60) + "'");
            continue;
        }
        if (line.empty()) continue;
        const BaselineRow row = parse_baseline_row(line, where);
        if (!layers.insert(row.layer).second) throw Error(where, "each layer once", std::to_string(row.layer) + " again");
        if (row.layer == layer) found = row.figures;
    }
    if (number == 0) throw Error(name, "the heading LAYER,P,R,F", "an empty file");
    if (!found)
        throw Error(name, "a row of layer " + std::to_string(layer),
                    layers.empty()
                        ? "no rows"
                        : std::to_string(layers.size()) + " rows, the last of layer " + std::to_string(*layers.rbegin()));
    return *found;
}

BertScoreBaseline read_bertscore_baseline(const std::filesystem::path& file, int64_t layer) {
    return parse_bertscore_baseline(read_file(file), layer, file.string());
}

}  // namespace craft

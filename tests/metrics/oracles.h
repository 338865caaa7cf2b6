// The reference numbers of metrics (shared/oracles): cases, their texts, and figures of items.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "metrics/metric.h"
#include "metrics/registry.h"
#include "tests/reference.h"
#include "text/utf8.h"

namespace craft::test {

inline std::vector<Json> oracle_cases(const std::filesystem::path& file, const std::string& metric) {
    std::vector<Json> cases;
    JsonLinesReader reader(file.string());
    while (const auto row = reader.next())
        if (row->at("metric") == metric) cases.push_back(*row);
    return cases;
}

// The lines of {"base","file","lines"?}, stripped; files are read once.
inline std::vector<std::string> oracle_lines(const Json& source) {
    static std::map<std::string, std::vector<std::string>> files;
    const std::string name = source.at("base").get<std::string>() + "/" + source.at("file").get<std::string>();
    auto found = files.find(name);
    if (found == files.end()) {
        found = files.emplace(name, std::vector<std::string>()).first;
        std::ifstream in(reference_folder() / name, std::ios::binary);
        for (std::string line; std::getline(in, line);) found->second.push_back(trim(line));
    }
    if (!source.contains("lines")) return found->second;
    const auto& lines = source.at("lines");
    return {found->second.begin() + lines[0].get<int64_t>(), found->second.begin() + lines[1].get<int64_t>()};
}

// The items of a corpus case, whose texts are files, or of a sentence case, whose texts stand in it.
inline std::vector<MetricItem> oracle_items(const Json& inputs) {
    const auto texts = [&](const Json& source) {
        return source.is_object() ? oracle_lines(source) : std::vector<std::string>{source.get<std::string>()};
    };
    const std::vector<std::string> predictions = texts(inputs.at("hypothesis"));
    std::vector<MetricItem> items(predictions.size());
    for (size_t i = 0; i < items.size(); ++i) items[i].prediction = predictions[i];
    if (inputs.contains("source")) {
        const std::vector<std::string> sources = texts(inputs.at("source"));
        for (size_t i = 0; i < items.size(); ++i) items[i].source = sources.at(i);
    }
    if (!inputs.contains("references")) return items;
    for (const Json& reference : inputs.at("references")) {
        const std::vector<std::string> lines = texts(reference);
        for (size_t i = 0; i < items.size(); ++i) items[i].references.push_back(lines.at(i));
    }
    return items;
}

// The corpus figures of these items.
inline Json corpus_of(const std::string& metric, const std::vector<MetricItem>& items, const MetricOptions& options = {}) {
    const auto made = make_metric(metric, options);
    for (const MetricItem& item : items) made->add(made->measure(item));
    return made->corpus();
}

inline ItemScore item_score(const std::string& metric, const MetricItem& item, const MetricOptions& options = {}) {
    return make_metric(metric, options)->measure(item);
}

}  // namespace craft::test

// Reading the reference cases of M2 files and scorers (oracles/m2.jsonl).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"
#include "metrics/edits/m2_file.h"
#include "metrics/edits/text_lines.h"

namespace craft::test {

struct EditOracles {
    std::filesystem::path reference;  // the folder of reference data

    // The cases of one metric.
    std::vector<Json> cases(const std::string& metric) const {
        std::vector<Json> found;
        JsonLinesReader reader((reference / "oracles/m2.jsonl").string());
        while (const auto row = reader.next()) {
            if (row->at("metric") == metric) found.push_back(*row);
        }
        return found;
    }
    // A text of a case: it stands there, or in a file of which it may be some lines.
    std::string text(const Json& input) const {
        if (input.is_string()) return input;
        const std::string base = input.at("base") == "data" ? "data" : "oracles";
        const std::string bytes = read_file(reference / base / input.at("file").get<std::string>());
        if (!input.contains("lines")) return bytes;
        const auto lines = text_lines(bytes, "input");
        std::string part;
        for (size_t i = input.at("lines")[0]; i < input.at("lines")[1].get<size_t>(); ++i) {
            part.append(lines.at(i).text).append("\n");
        }
        return part;
    }
    SentenceFile sentences(const Json& input) const { return parse_sentences(text(input), "hypothesis"); }
    M2File m2(const Json& input) const { return parse_m2(text(input), "case.m2"); }
};

}  // namespace craft::test

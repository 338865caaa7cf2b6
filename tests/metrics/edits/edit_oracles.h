// Reading the reference cases of M2 files and scorers (oracles/m2.jsonl).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"
#include "metrics/edits/m2_file.h"
#include "text/text_lines.h"

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
        std::string part;
        TextLines lines(bytes, "input");
        for (TextLine line; lines.next(line);) {
            if (line.number > input.at("lines")[0].get<size_t>() && line.number <= input.at("lines")[1].get<size_t>()) {
                part.append(line.text).append("\n");
            }
        }
        return part;
    }
    SentenceFile sentences(const Json& input) const { return parse_sentences(text(input), "hypothesis"); }
    M2File m2(const Json& input) const { return parse_m2(text(input), "case.m2"); }
};

}  // namespace craft::test

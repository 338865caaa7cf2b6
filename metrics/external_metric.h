// Metrics that a program of somebody else computes: LENS, whose model is not one of ours.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/process/json_command.h"
#include "metrics/metric.h"

namespace craft {

// What a command answers of an item: {"id","score"}, where the score may also stand under the metric's name. Beside it may
// stand what it says of itself: "scorer", its name and version, and "scale", [lowest, highest].
struct ExternalAnswer {
    double score = 0;
    std::optional<std::string> scorer;
    std::optional<std::pair<double, double>> scale;
};

// Throws Error naming `where` and field: no score or two, one that is no finite number or outside the scale that stands
// beside it, a scorer that is no line of text or has a '|', a scale that is no two ascending numbers.
ExternalAnswer read_external_answer(const Json& answer, const std::string& metric, const std::string& where);

// What a command answered, and what it has said of itself, in any of its answers.
struct ExternalScores {
    std::vector<double> scores;  // one an item
    std::optional<std::string> scorer;
    std::optional<std::pair<double, double>> scale;
    int64_t restarts = 0;
};

// Asks a command for a score of each item, as external_metric() says; `known` is what it has said of itself before, which
// its answers must not contradict.
ExternalScores ask_external_scorer(const std::string& name, const JsonAsker& ask, const std::vector<MetricItem>& items,
                                   const ExternalScores& known = {});

// Source, prediction and references of each item go to the command as {"id","source","prediction","references"} per line, in
// the items' order, and answers must come in that order (core/process/json_command.h). The corpus figure is the mean. What
// the command says of itself stands in signature and options. measure() and measure_all() throw Error as ask_json_command()
// and read_external_answer() do, and where answers contradict each other about the scorer or its scale.
std::unique_ptr<Metric> external_metric(const std::string& name, const JsonCommandOptions& command);

// Makes such metrics one after the other that ask one command, which is kept (core/process/persistent_command.h) and sees
// numbers that count on as ids. What it has said of itself to one of them the next ones know.
std::function<std::unique_ptr<Metric>()> kept_external_metric(const std::string& name, const JsonCommandOptions& command);

}  // namespace craft

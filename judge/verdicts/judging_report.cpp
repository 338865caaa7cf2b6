#include "judge/verdicts/judging_report.h"

#include <algorithm>
#include <cmath>

namespace craft {

namespace {

constexpr size_t kNumberWidth = 8;

std::string percent(const Json& share) {
    return share.is_null() ? "-" : std::to_string(std::lround(100 * share.get<double>())) + " %";
}

std::string padded(const std::string& text, size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

// "3 no verdict, 1 tie"
std::string counted(const Json& counts) {
    std::string line;
    for (const auto& [name, count] : counts.items()) line += (line.empty() ? "" : ", ") + count.dump() + " " + name;
    return line;
}

std::string place_lines(const Json& places) {
    std::string head = "    place   ", best = "    best    ", worst = "    worst   ", by_chance = "    chance  ";
    for (const Json& place : places) {
        head += padded(place.at("place").dump(), kNumberWidth);
        best += padded(percent(place.at("best_share")), kNumberWidth);
        worst += padded(percent(place.at("worst_share")), kNumberWidth);
        const auto shown = place.at("shown").get<double>();
        by_chance += padded(percent(shown > 0 ? Json(place.at("expected").get<double>() / shown) : Json()), kNumberWidth);
    }
    return head + "\n" + best + "\n" + worst + "\n" + by_chance + "\n";
}

std::string agreement_line(const std::string& what, const Json& agreement) {
    if (agreement.is_null()) return "";
    return "    " + what + ": " + agreement.at("compared").dump() + " compared, " + percent(agreement.at("same_share")) +
           " the same, " + percent(agreement.at("differ_share")) + " differ, " + percent(agreement.at("reversed_share")) +
           " reversed\n";
}

std::string duel_line(const Json& duels) {
    if (duels.is_null()) return "";
    return "    two at a time: " + duels.at("met").dump() + " pairs of candidates, " + duels.at("drawn").dump() +
           " drawn, " + duels.at("unjudged").dump() + " unjudged\n";
}

// A table of names with columns.
std::string system_lines(const Json& systems, const std::vector<std::pair<std::string, std::string>>& columns) {
    size_t width = 0;
    for (const auto& [name, one] : systems.items()) width = std::max(width, name.size());
    std::string lines = "    " + std::string(width, ' ');
    for (const auto& [title, key] : columns) lines += padded(title, kNumberWidth + 2);
    for (const auto& [name, one] : systems.items()) {
        lines += "\n    " + name + std::string(width - name.size(), ' ');
        for (const auto& [title, key] : columns) lines += padded(percent(one.at(key)), kNumberWidth + 2);
    }
    return lines + "\n";
}

std::string named_aspect(const std::string& aspect) {
    return aspect.empty() ? "" : ", " + aspect;
}

std::string aspect_title(const std::string& aspect) {
    return "  " + (aspect.empty() ? "verdict" : aspect);
}

std::string aspect_lines(const std::string& aspect, const Json& figures) {
    std::string lines = aspect_title(aspect) + ": " + figures.at("verdicts").dump() + " verdicts";
    const std::string without = counted(figures.at("without"));
    lines += (without.empty() ? "" : "; without: " + without) + "\n";
    if (!figures.at("places").empty()) lines += place_lines(figures.at("places"));
    lines += duel_line(figures.at("duels"));
    lines += agreement_line("orders turned", figures.at("orders")) + agreement_line("repeats", figures.at("repeats"));
    if (figures.at("verdicts") == 0) return lines;
    return lines + system_lines(figures.at("systems"), {{"best", "best_share"}, {"worst", "worst_share"}});
}

}  // namespace

std::string judging_report(const Json& figures) {
    std::string text;
    for (const auto& [name, judge] : figures.at("judges").items()) {
        text += "judge " + name + ": " + judge.at("judgements").dump() + " judgements, " + judge.at("answers").dump() +
                " answers";
        for (const char* kind : {"malformed", "failed", "let_pass"})
            if (const std::string line = counted(judge.at(kind)); !line.empty())
                text += std::string("; ") + (kind == std::string("let_pass") ? "let pass" : kind) + ": " + line;
        text += "\n";
        for (const auto& [aspect, one] : judge.at("aspects").items()) text += aspect_lines(aspect, one);
    }
    for (const Json& one : figures.at("between_judges"))
        text += agreement_line(one.at("a").get<std::string>() + " and " + one.at("b").get<std::string>() +
                                   named_aspect(one.at("aspect").get<std::string>()),
                               one)
                    .substr(4);
    return text;
}

std::string comparison_report(const Json& compared) {
    std::string text = compared.at("groups").dump() + " groups in both runs, " + compared.at("only_a").dump() +
                       " in the first alone, " + compared.at("only_b").dump() + " in the second\n";
    for (const auto& [aspect, one] : compared.at("aspects").items()) {
        text += aspect_title(aspect) + ": without a verdict " + one.at("without_a").dump() + " and " +
                one.at("without_b").dump() + "\n" + agreement_line("verdicts", one);
        if (!one.at("systems").empty())
            text +=
                system_lines(one.at("systems"),
                             {{"best 1", "best_a"}, {"best 2", "best_b"}, {"worst 1", "worst_a"}, {"worst 2", "worst_b"}});
    }
    return text;
}

}  // namespace craft

#include "judge/verdicts/guideline.h"

#include <algorithm>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/files.h"
#include "judge/verdicts/listwise_reply.h"
#include "text/text_lines.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::string_view kExampleMark = "=== example", kReportMark = "=== report", kTextMark = "---";

bool is_mark(std::string_view line) {
    return line == kExampleMark || line == kReportMark || line.starts_with(std::string(kReportMark) + " ");
}

std::vector<std::string> names_of(const std::vector<GuidelineAspect>& aspects) {
    std::vector<std::string> names;
    for (const GuidelineAspect& aspect : aspects) names.push_back(aspect.name);
    return names;
}

// Of a list with commas.
std::vector<std::string_view> parts_of(std::string_view list) {
    std::vector<std::string_view> parts;
    for (size_t at = 0; at <= list.size();) {
        const size_t end = std::min(list.find(',', at), list.size());
        parts.push_back(trim_view(list.substr(at, end - at)));
        at = end + 1;
    }
    return parts;
}

class GuidelineReader {
public:
    GuidelineReader(std::string_view bytes, const std::string& name) : lines_(bytes, name), name_(name) {}

    Guideline read() {
        while (next() && line_ != kTextMark) read_head(line_);
        if (line_ != kTextMark) throw Error(name_, "a line \"---\" after the head", "none");
        guideline_.text = rest();
        if (guideline_.text.empty()) throw Error(where(), "the guideline's text after \"---\"", "none");
        while (is_mark(line_)) line_ == kExampleMark ? read_example() : read_report();
        return std::move(guideline_);
    }

private:
    bool next() {
        TextLine line;
        if (!lines_.next(line)) {
            line_ = {};
            return false;
        }
        number_ = line.number;
        line_ = line.text;
        return true;
    }
    std::string where() const { return name_ + ":" + std::to_string(number_); }

    void read_head(std::string_view line) {
        if (trim_view(line).empty()) return;
        const size_t colon = line.find(':');
        const std::string_view key = line.substr(0, colon);
        const std::string_view value = colon == std::string_view::npos ? "" : trim_view(line.substr(colon + 1));
        if (key == "version")
            guideline_.version = value;
        else if (key == "aspects")
            read_aspects(value);
        else if (key == "shows")
            read_shown(value);
        else
            throw Error(where(), "\"version: ...\", \"aspects: ...\", \"shows: ...\" or \"---\"",
                        "\"" + std::string(line.substr(0, 60)) + "\"");
    }

    // "Lexical (alignment), Overall (alignment, parses)"
    void read_aspects(std::string_view list) {
        while (!list.empty()) {
            const size_t bracket = list.find('('), comma = list.find(',');
            const bool has_brackets = bracket < comma;
            const size_t close = has_brackets ? list.find(')', bracket) : std::string_view::npos;
            if (has_brackets && close == std::string_view::npos) throw Error(where(), "a bracket that closes", "none");
            GuidelineAspect aspect;
            aspect.name = trim_view(list.substr(0, has_brackets ? bracket : comma));
            if (has_brackets) read_materials(list.substr(bracket + 1, close - bracket - 1), aspect);
            add_aspect(std::move(aspect));
            const size_t end = has_brackets ? list.find(',', close) : comma;
            if (has_brackets && !trim_view(list.substr(close + 1, end - close - 1)).empty())
                throw Error(where(), "a comma after the bracket", "\"" + std::string(list.substr(close + 1, 20)) + "\"");
            list = end == std::string_view::npos ? "" : list.substr(end + 1);
        }
    }

    void read_materials(std::string_view list, GuidelineAspect& aspect) {
        for (const std::string_view material : parts_of(list)) {
            if (material == "alignment")
                aspect.sees_alignment = true;
            else if (material == "parses")
                aspect.sees_parses = true;
            else
                throw Error(where(), "\"alignment\" or \"parses\" in brackets", "\"" + std::string(material) + "\"");
        }
    }

    // "instruction, responses"
    void read_shown(std::string_view list) {
        for (const std::string_view part : parts_of(list)) {
            if (part == "instruction")
                guideline_.sees_instruction = true;
            else if (part == "responses")
                guideline_.sees_responses = true;
            else
                throw Error(where(), "\"instruction\" or \"responses\"", "\"" + std::string(part) + "\"");
        }
    }

    void add_aspect(GuidelineAspect aspect) {
        if (aspect.name.empty() || aspect.name.find_first_of(":=\"*`_") != std::string::npos)
            throw Error(where(), "an aspect's name of plain words", "\"" + aspect.name + "\"");
        for (const GuidelineAspect& other : guideline_.aspects)
            if (lowercase(other.name) == lowercase(aspect.name))
                throw Error(where(), "each aspect once", "\"" + aspect.name + "\" again");
        guideline_.aspects.push_back(std::move(aspect));
    }

    // The lines before the next mark, which stands in line_ then, or to the end.
    std::string rest() {
        std::string text;
        while (next() && !is_mark(line_)) text.append(line_).append("\n");
        return trim(text);
    }

    // What an example or a report is of, up to the blank line.
    void read_texts(ShownCandidates& shown) {
        while (next() && !trim_view(line_).empty())
            if (!read_text(shown))
                throw Error(where(),
                            "\"source: ...\" once, then \"candidate: ...\"" + further_lines() + ", then a blank line",
                            "\"" + std::string(line_.substr(0, 60)) + "\"");
    }

    // Whether the line is one that may stand here.
    bool read_text(ShownCandidates& shown) {
        const std::string_view value = trim_view(line_.substr(std::min(line_.find(':'), line_.size() - 1) + 1));
        const size_t answered = shown.responses.size();
        if (line_.starts_with("source:") && shown.source.empty())
            shown.source = value;
        else if (line_.starts_with("candidate:"))
            shown.candidates.emplace_back(value);
        else if (guideline_.sees_instruction && line_.starts_with("instruction:") && shown.instruction.empty())
            shown.instruction = value;
        else if (guideline_.sees_responses && line_.starts_with("response:") && answered + 1 == shown.candidates.size())
            shown.responses.emplace_back(value);
        else if (line_.starts_with("|") && answered > 0 && answered == shown.candidates.size())
            shown.responses.back().append("\n").append(trim_view(line_.substr(1)));
        else
            return false;
        return true;
    }
    std::string further_lines() const {
        return std::string(guideline_.sees_responses ? ", each with \"response: ...\"" : "") +
               (guideline_.sees_instruction ? ", \"instruction: ...\" once" : "");
    }

    void check_shown(const ShownCandidates& shown, const std::string& begin) const {
        if (shown.source.empty() || shown.candidates.size() < 2)
            throw Error(begin, "an example of a source and at least two candidates",
                        std::to_string(shown.candidates.size()) + " candidates");
        if (guideline_.sees_instruction && shown.instruction.empty())
            throw Error(begin, "an example with an instruction, which the head says is shown", "none");
        if (guideline_.sees_responses && shown.responses.size() != shown.candidates.size())
            throw Error(begin, "an example with a response behind each candidate, since the head says that they are shown",
                        std::to_string(shown.responses.size()) + " responses");
    }

    void read_example() {
        GuidelineExample example;
        const std::string begin = where();
        read_texts(example);
        check_shown(example, begin);
        example.reply = rest();
        const ListwiseReply read = read_listwise(example.reply, names_of(guideline_.aspects), example.candidates.size());
        for (const auto& [aspect, problem] : read.problems)
            throw Error(begin, "a verdict of " + (aspect.empty() ? "the example" : aspect) + " in its reply", problem);
        guideline_.examples.push_back(std::move(example));
    }

    void read_report() {
        GuidelineReport report;
        const std::string begin = where();
        if (guideline_.sees_more_than_texts())
            throw Error(begin, "reports in a guideline that shows texts alone", "one whose head has \"shows: ...\"");
        report.aspect = trim_view(line_.substr(kReportMark.size()));
        const std::vector<std::string> known = names_of(guideline_.aspects);
        const bool is_known =
            known.empty() ? report.aspect.empty() : std::find(known.begin(), known.end(), report.aspect) != known.end();
        if (!is_known)
            throw Error(begin, "a report on one of the guideline's aspects, or on none where it has none",
                        "\"" + report.aspect + "\"");
        ShownCandidates shown;
        read_texts(shown);
        if (shown.source.empty() || shown.candidates.size() != 1)
            throw Error(begin, "a report on a source and one candidate",
                        std::to_string(shown.candidates.size()) + " candidates");
        report.source = shown.source;
        report.candidate = shown.candidates[0];
        report.text = rest();
        if (report.text.empty()) throw Error(begin, "a report after the blank line", "none");
        guideline_.reports.push_back(std::move(report));
    }

    TextLines lines_;
    std::string name_;
    std::string_view line_;
    size_t number_ = 0;
    Guideline guideline_;
};

}  // namespace

std::vector<std::string> Guideline::aspect_names() const {
    return names_of(aspects);
}

Guideline parse_guideline(std::string_view bytes, const std::string& name) {
    Guideline guideline = GuidelineReader(bytes, name).read();
    guideline.hash = hash_text(bytes);
    return guideline;
}

Guideline read_guideline(const std::filesystem::path& file) {
    return parse_guideline(read_file(file), file.string());
}

}  // namespace craft

#include "view/report_records.h"

#include <set>

#include "core/error.h"
#include "view/records.h"
#include "view/report_html.h"

namespace craft {

namespace {

Json spans_json(const StyledText& text) {
    Json spans = Json::array();
    for (const Span& span : text)
        if (span.tone == Tone::plain)
            spans.push_back(visible_text(span.text));
        else
            spans.push_back(Json::array({static_cast<int>(span.tone), visible_text(span.text)}));
    return spans;
}

struct EmbeddedFile {
    int64_t embedded = 0, left_out = 0, bad = 0;
    std::set<std::string> kinds;
    std::string problem, lines;
};

EmbeddedFile embed(const RecordPlace& place, int64_t most) {
    EmbeddedFile file;
    JsonLinesOptions lines;
    lines.skip_bad = true;
    lines.bad_lines = &file.bad;
    try {
        for_each_record(place.path, lines, [&](const Json& record, const std::string&) {
            if (most > 0 && file.embedded >= most) {
                ++file.left_out;
                return true;
            }
            ++file.embedded;
            file.kinds.insert(record_kind_name(record_kind(record)));
            file.lines += record_line(record) + "\n";
            return true;
        });
    } catch (const Error& error) {  // a segment that was cut, say
        file.problem = error.what();
    }
    return file;
}

}  // namespace

std::string record_line(const Json& record) {
    const RecordKind kind = record_kind(record);
    Json blocks = Json::array();
    for (const DisplayBlock& block : record_page(record, kind)) {
        Json one = Json::array({block.indent, spans_json(block.text)});
        if (!block.beside.empty()) one.push_back(spans_json(block.beside));
        blocks.push_back(std::move(one));
    }
    const std::string line = dump_line(Json::array({record_kind_name(kind), std::move(blocks)}));
    std::string safe;
    safe.reserve(line.size());
    for (const char c : line) {
        if (c == '<')
            safe += "\\u003c";  // no end tag, and no comment
        else
            safe += c;
    }
    return safe;
}

ReportTable write_records(const std::vector<ReportRun>& runs, int64_t most, OutputFile& out) {
    ReportTable table{"Files of records", {"File", "Run", "Kinds", "In this page", "Left out", "Not read"}, {}};
    for (const ReportRun& run : runs)
        for (const RecordPlace& place : run.places) {
            const EmbeddedFile file = embed(place, most);
            std::string kinds;
            for (const std::string& kind : file.kinds) kinds += (kinds.empty() ? "" : " ") + kind;
            out.write("<script type=\"text/plain\" class=\"records\" data-run=\"" + html_text(run.name) + "\" data-file=\"" +
                      html_text(place.name) + "\" data-kinds=\"" + kinds + "\" data-count=\"" +
                      std::to_string(file.embedded) + "\">\n");
            out.write(file.lines);
            out.write("</script>\n");
            table.rows.push_back(
                {place.name, run.name, kinds, std::to_string(file.embedded), std::to_string(file.left_out),
                 file.problem.empty() ? (file.bad > 0 ? std::to_string(file.bad) + " bad lines" : "") : file.problem});
        }
    return table;
}

}  // namespace craft

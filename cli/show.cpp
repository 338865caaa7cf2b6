// `show`: records as a person reads them.
#include <unistd.h>

#include "cli/command.h"
#include "cli/common.h"
#include "core/files.h"
#include "core/process/pager.h"
#include "view/record_source.h"
#include "view/terminal.h"

namespace craft {

namespace {

struct ShowOptions {
    std::filesystem::path path;
    int64_t rows = 10;
    std::string id, kind, format = "text";
    JsonLinesOptions lines;
};

int run_show(int argc, const char* const* argv);

const Command kShowCommand = {"show", CommandGroup::use_model,
                              "trajectories, pairs, trees, judgements and answers as a person reads them",
                              "craft-train show share/examples/candidates.jsonl --rows 1", run_show};

// What is shown of one place.
class Showing {
public:
    Showing(const ShowOptions& options, const Terminal& terminal) : options_(options), terminal_(terminal) {}

    void show(const RecordPlace& place, bool named) {
        int64_t shown = 0;
        const auto take = [&](const Json& record, const std::string&) {
            const RecordKind kind = record_kind(record);
            if (!options_.kind.empty() && record_kind_name(kind) != options_.kind) return true;
            if (!options_.id.empty() && (!record.contains("id") || id_text(record, "") != options_.id)) return true;
            if (shown == 0 && named && options_.format == "text") title(place.name);
            ++shown;
            write(record, kind);
            return options_.rows == 0 || shown < options_.rows;
        };
        for_each_record(place.path, options_.lines, take);
        shown_ += shown;
    }
    int64_t shown() const { return shown_; }
    const std::string& text() const { return text_; }

private:
    void title(const std::string& name) {
        PageWriter page;
        page.title("== " + name);
        page.blank();
        put(lay_out(page.take(), terminal_));
    }
    void write(const Json& record, RecordKind kind) {
        put(options_.format == "json" ? dump_line(record) + "\n" : lay_out(record_page(record, kind), terminal_) + "\n");
    }
    // What is paged is collected first; any length of the rest goes out as it comes.
    void put(const std::string& text) {
        if (terminal_.is_one)
            text_ += text;
        else
            write_stdout(text);
    }

    const ShowOptions& options_;
    const Terminal& terminal_;
    std::string text_;
    int64_t shown_ = 0;
};

int run_show(int argc, const char* const* argv) {
    CommonOptions common;
    ShowOptions options;
    OptionTable table;
    table
        .add("path", options.path,
             "a file of records, a trajectory store, a cache of answers, a folder of trees, or a run; - for stdin")
        .positional("PATH")
        .input()
        .required();
    table.add("rows", options.rows, "maximum number of records of each file; 0: all").flag("--rows").min(0).not_identity();
    table.add("id", options.id, "only records with this id; empty: all").flag("--id").not_identity();
    std::vector<std::string> kinds = record_kind_names();
    kinds.insert(kinds.begin(), "");
    table.add("kind", options.kind, "only records of this kind; empty: all").flag("--kind").one_of(kinds).not_identity();
    table
        .add("format", options.format,
             "text: wrapped to the terminal, in colour where it is one, paged; json: one record a line")
        .flag("--format")
        .one_of({"text", "json"})
        .not_identity();
    bind_json_lines(table, options.lines);
    if (!parse_command(kShowCommand, table, common, argc, argv)) return 0;
    const Terminal terminal = terminal_of(STDOUT_FILENO);
    const std::vector<RecordPlace> places = record_places(options.path);
    Showing showing(options, terminal);
    for (const RecordPlace& place : places) showing.show(place, places.size() > 1);
    if (showing.shown() == 0) {
        const std::string of = options.kind.empty() ? "record" : options.kind;
        throw Error(options.path.string(), "a " + of + (options.id.empty() ? "" : " with the id '" + options.id + "'"),
                    "none");
    }
    if (terminal.is_one) {
        become_pager(showing.text());
        write_stdout(showing.text());
    }
    return 0;
}

}  // namespace

Command show_command() {
    return kShowCommand;
}

}  // namespace craft

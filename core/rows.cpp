#include "core/rows.h"

namespace craft {

int64_t for_each_row(const std::string& path, const JsonLinesOptions& options,
                     const std::function<void(const Json&, const std::string&)>& on_row) {
    JsonLinesReader rows(path, options);
    bool any = false;
    while (const auto row = rows.next()) {
        try {
            on_row(*row, rows.where());
            any = true;
        } catch (const SetupError&) {
            throw;
        } catch (const Error& error) {
            rows.reject(error.what());
        }
    }
    if (!any) throw Error(path == "-" ? "stdin" : path, "at least one row", "none");
    return rows.bad_lines();
}

int64_t for_each_line(const JsonLinesOptions& options, const std::function<bool()>& take_next) {
    for (int64_t bad_lines = 0;;) {
        try {
            if (!take_next()) return bad_lines;
        } catch (const SetupError&) {
            throw;
        } catch (const Error& error) {
            count_bad_line(options, bad_lines, error.what());
        }
    }
}

}  // namespace craft

#include "text/csv.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";  // of byte order

class CsvReader {
public:
    CsvReader(std::string_view bytes, std::string name, char separator)
        : bytes_(bytes), name_(std::move(name)), separator_(separator) {
        if (bytes_.starts_with(kMark)) bytes_.remove_prefix(kMark.size());
        const size_t wrong = std::min(invalid_utf8_at(bytes_), bytes_.find('\0'));
        if (wrong == std::string_view::npos) return;
        line_ += static_cast<size_t>(std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(wrong), '\n'));
        throw Error(where(line_), "UTF-8 without NUL", "other bytes", "save the table as CSV in UTF-8");
    }

    std::vector<CsvRow> read() {
        std::vector<CsvRow> rows;
        while (at_ < bytes_.size()) {
            CsvRow row{{}, line_};
            bool continues = true;
            bool is_quoted = false;
            while (continues) {
                is_quoted = at_ < bytes_.size() && bytes_[at_] == '"';
                row.fields.push_back(is_quoted ? quoted_field() : plain_field());
                continues = at_ < bytes_.size() && bytes_[at_] == separator_;
                if (continues) ++at_;
            }
            end_row();
            const bool is_blank = row.fields.size() == 1 && row.fields[0].empty() && !is_quoted;
            if (!is_blank) rows.push_back(std::move(row));
        }
        return rows;
    }

private:
    std::string where(size_t line) const { return name_ + ":" + std::to_string(line); }
    bool at_end() const { return at_ == bytes_.size() || bytes_[at_] == '\n' || bytes_[at_] == '\r'; }

    std::string plain_field() {
        const size_t from = at_;
        while (!at_end() && bytes_[at_] != separator_) ++at_;
        return std::string(bytes_.substr(from, at_ - from));
    }

    std::string quoted_field() {
        const size_t begin = line_;
        std::string field;
        for (++at_; at_ < bytes_.size(); ++at_) {
            const char c = bytes_[at_];
            if (c == '"' && bytes_.substr(at_ + 1, 1) != "\"") {
                ++at_;
                if (!at_end() && bytes_[at_] != separator_)
                    throw Error(where(line_), "a field's end after its closing quotation mark", "more text");
                return field;
            }
            if (c == '"') ++at_;  // the first of two
            if (c == '\n' || (c == '\r' && bytes_.substr(at_ + 1, 1) != "\n")) ++line_;
            field += c;
        }
        throw Error(where(begin), "a closing quotation mark", "none to the end of the file");
    }

    void end_row() {
        if (at_ < bytes_.size() && bytes_[at_] == '\r') ++at_;
        const bool was_return = at_ > 0 && bytes_[at_ - 1] == '\r';
        if (at_ < bytes_.size() && bytes_[at_] == '\n' && (was_return || at_end())) ++at_;
        ++line_;
    }

    std::string_view bytes_;
    std::string name_;
    char separator_;
    size_t at_ = 0, line_ = 1;
};

// Whether a spreadsheet may take it for a formula, after the apostrophes that say that it is none.
bool is_like_formula(std::string_view text) {
    constexpr std::array<std::string_view, 11> kSigns = {"=",  "+",      "-",      "@",      "\t",    "\r",
                                                         "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"};
    text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) { return text.starts_with(sign); });
}

}  // namespace

std::vector<CsvRow> parse_csv(std::string_view bytes, const std::string& name, char separator) {
    return CsvReader(bytes, name, separator).read();
}

std::string csv_row(const std::vector<std::string>& fields) {
    std::string row;
    for (size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) row += ',';
        // Else it would be a blank line, or a mark at the start of the file.
        const bool is_special = (fields.size() == 1 && fields[i].empty()) || fields[i].starts_with(kMark);
        if (!is_special && fields[i].find_first_of("\",;\t\r\n") == std::string::npos) {
            row += fields[i];
            continue;
        }
        row += '"';
        for (const char c : fields[i]) row += c == '"' ? "\"\"" : std::string(1, c);
        row += '"';
    }
    return row + "\r\n";
}

std::string without_formula(const std::string& text) {
    return is_like_formula(text) ? "'" + text : text;
}

std::string with_formula(const std::string& field) {
    return field.starts_with("'") && is_like_formula(field) ? field.substr(1) : field;
}

}  // namespace craft

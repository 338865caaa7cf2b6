#include "eval/editeval/csv_rows.h"

#include "core/error.h"

namespace craft {

namespace {

class CsvReader {
public:
    CsvReader(std::string_view text, const std::string& where) : text_(text), where_(where) {}

    std::vector<StsCsvRow> rows() {
        std::vector<StsCsvRow> all;
        while (at_ < text_.size()) {
            StsCsvRow row = {.fields = {}, .line = line_};
            for (bool more = true; more;) {
                row.fields.push_back(peek() == '"' ? quoted() : plain());
                more = peek() == ',';
                if (more) ++at_;
            }
            end_line();
            if (row.fields.size() > 1 || !row.fields[0].empty()) all.push_back(std::move(row));
        }
        return all;
    }

private:
    int peek() const { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1; }
    bool at_end_of_line() const {
        return at_ >= text_.size() || text_[at_] == '\n' || text_.substr(at_).starts_with("\r\n") ||
               (text_[at_] == '\r' && at_ + 1 == text_.size());
    }
    std::string plain() {
        const size_t begin = at_;
        while (!at_end_of_line() && text_[at_] != ',') ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }
    std::string quoted() {
        const int64_t first = line_;
        std::string field;
        for (++at_;; ++at_) {
            if (at_ >= text_.size())
                throw Error(where_ + ":" + std::to_string(first), "a closing quote for the one that opens here",
                            "the end of the file");
            if (text_[at_] == '\n') ++line_;
            if (text_[at_] != '"') {
                field += text_[at_];
            } else if (text_.substr(at_).starts_with("\"\"")) {
                field += text_[at_++];
            } else {
                break;
            }
        }
        ++at_;
        if (!at_end_of_line() && text_[at_] != ',')
            throw Error(where_ + ":" + std::to_string(line_), "a comma or the end of the line behind a closing quote",
                        "'" + std::string(1, text_[at_]) + "'");
        return field;
    }
    void end_line() {
        if (peek() == '\r') ++at_;
        if (peek() == '\n') ++at_;
        ++line_;
    }

    std::string_view text_;
    const std::string& where_;
    size_t at_ = 0;
    int64_t line_ = 1;
};

}  // namespace

std::vector<StsCsvRow> parse_csv(std::string_view text, const std::string& where) {
    return CsvReader(text, where).rows();
}

}  // namespace craft

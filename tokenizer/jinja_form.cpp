#include "tokenizer/jinja_form.h"

#include <regex>

namespace craft {

namespace {

// The inside of a tag without blanks outside strings, strings in single quotes.
std::string tag_form(std::string_view inside) {
    std::string form;
    char quote = 0;
    for (size_t i = 0; i < inside.size(); ++i) {
        const char c = inside[i];
        if (quote != 0) {
            if (c == '\\' && i + 1 < inside.size()) {
                form += c;
                form += inside[++i];
            } else if (c == quote) {
                form += '\'';
                quote = 0;
            } else {
                form += c;
            }
        } else if (c == '\'' || c == '"') {
            form += '\'';
            quote = c;
        } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            form += c;
        }
    }
    return std::regex_replace(form, std::regex("message\\.(role|content)"), "message['$1']");
}

void trim_right(std::string& text, const char* blanks) {
    text.erase(text.find_last_not_of(blanks) + 1);
}

}  // namespace

std::string jinja_form(std::string_view source) {
    while (!source.empty() && source.back() == '\n') source.remove_suffix(1);  // Jinja drops the last newline
    std::string form, literal;
    bool trim_next = false, block_before = false;
    const auto flush = [&] {
        std::string_view text = literal;
        if (trim_next) {
            const size_t kept = text.find_first_not_of(" \t\r\n");
            text.remove_prefix(kept == text.npos ? text.size() : kept);
        } else if (block_before && !text.empty() && text.front() == '\n') {
            text.remove_prefix(1);  // trim_blocks
        }
        form += text;
        literal.clear();
    };
    while (!source.empty()) {
        const size_t open = source.find('{');
        const char kind = open != source.npos && open + 1 < source.size() ? source[open + 1] : '\0';
        if (open == source.npos || (kind != '{' && kind != '%' && kind != '#')) {
            const size_t taken = open == source.npos ? source.size() : open + 1;
            literal += source.substr(0, taken);
            source.remove_prefix(taken);
            continue;
        }
        const std::string closing = kind == '{' ? "}}" : std::string(1, kind) + "}";
        const size_t close = source.find(closing, open + 2);
        if (close == source.npos) break;  // not a template; what is left is literal and matches nothing
        literal += source.substr(0, open);
        std::string_view inside = source.substr(open + 2, close - open - 2);
        const bool left = !inside.empty() && inside.front() == '-', right = !inside.empty() && inside.back() == '-';
        if (left) inside.remove_prefix(1);
        if (right && !inside.empty()) inside.remove_suffix(1);
        if (left) {
            trim_right(literal, " \t\r\n");
        } else if (kind != '{') {  // lstrip_blocks: blanks from the start of the line to a block
            const size_t kept = literal.find_last_not_of(" \t");
            if (kept == std::string::npos || literal[kept] == '\n') trim_right(literal, " \t");
        }
        flush();
        if (kind != '#') form += "{" + std::string(1, kind) + tag_form(inside) + closing;
        trim_next = right;
        block_before = kind != '{';
        source.remove_prefix(close + 2);
    }
    literal += source;
    flush();
    return form;
}

}  // namespace craft

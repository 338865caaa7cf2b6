#include "tools/grammar_text.h"

#include <cstdio>

namespace craft {

namespace {

using Kind = GrammarTerm::Kind;

// A rule's alternatives stand below each other where they are many.
constexpr size_t kOnOneLine = 4;

std::string code_point_number(char32_t c, const char* form) {
    char digits[16];
    std::snprintf(digits, sizeof digits, form, static_cast<unsigned>(c));
    return digits;
}

bool is_printable_ascii(char32_t c) {
    return c >= 0x20 && c < 0x7F;
}

class Printer {
public:
    virtual ~Printer() = default;
    std::string print(const GrammarRules& rules) {
        check_grammar_rules(rules);
        std::string text;
        for (const GrammarRule& rule : rules) {
            const bool is_root = &rule == &rules.front();
            const bool is_long = rule.body.kind == Kind::choice && rule.body.parts.size() > kOnOneLine;
            text += begun_rule(rule.name, is_root) + (is_long ? "\n  " : " ") + term(rule.body, is_long ? " |\n  " : " | ") +
                    end_of_rule();
        }
        return text;
    }

protected:
    std::string term(const GrammarTerm& t, const std::string& bar = " | ") {
        switch (t.kind) {
            case Kind::literal:
                return literal(t.text);
            case Kind::characters:
                return characters(t.characters);
            case Kind::rule:
                return t.text;
            case Kind::sequence:
                return joined(t.parts, comma(), true);
            case Kind::choice:
                return joined(t.parts, bar, false);
            case Kind::repetition:
                return repetition(t);
        }
        return "";
    }
    virtual std::string begun_rule(const std::string& name, bool is_root) = 0;
    virtual std::string end_of_rule() = 0;
    virtual std::string comma() = 0;
    virtual std::string literal(const std::string& text) = 0;
    virtual std::string characters(const CharacterSet& set) = 0;
    virtual std::string repetition(const GrammarTerm& t) = 0;

private:
    std::string joined(const std::vector<GrammarTerm>& parts, const std::string& between, bool is_sequence) {
        if (parts.empty()) return literal("");
        std::string text;
        for (const GrammarTerm& part : parts) {
            const bool in_brackets = is_sequence && part.kind == Kind::choice;
            text += (&part == &parts.front() ? "" : between) + (in_brackets ? "(" + term(part) + ")" : term(part));
        }
        return text;
    }
};

class GbnfPrinter final : public Printer {
    std::string begun_rule(const std::string& name, bool is_root) override { return (is_root ? "root" : name) + " ::="; }
    std::string end_of_rule() override { return "\n"; }
    std::string comma() override { return " "; }

    static std::string escaped(char32_t c, char closing) {
        if (c == '\n') return "\\n";
        if (c == '\r') return "\\r";
        if (c == '\t') return "\\t";
        if (c == '\\' || c == static_cast<char32_t>(closing)) return {'\\', static_cast<char>(c)};
        if (is_printable_ascii(c)) return {static_cast<char>(c)};
        return code_point_number(c, c < 0x100 ? "\\x%02X" : c < 0x10000 ? "\\u%04X" : "\\U%08X");
    }
    std::string literal(const std::string& text) override {
        std::string out = "\"";
        for (const char c : text) out += (c & 0x80) != 0 ? std::string(1, c) : escaped(static_cast<char32_t>(c), '"');
        return out + "\"";
    }
    std::string characters(const CharacterSet& set) override {
        std::string out = set.is_complement ? "[^" : "[";
        for (const CodePointRange& range : set.ranges) {
            out += escaped(range.first, ']');
            if (range.last > range.first) out += "-" + escaped(range.last, ']');
        }
        return out + "]";
    }
    std::string repetition(const GrammarTerm& t) override {
        const GrammarTerm& part = t.parts[0];
        const bool is_one = part.kind == Kind::characters || part.kind == Kind::rule;
        const std::string what = is_one ? term(part) : "(" + term(part) + ")";
        if (t.least == 0 && t.most == 1) return what + "?";
        if (!t.most && t.least < 2) return what + (t.least == 0 ? "*" : "+");
        return what + "{" + std::to_string(t.least) + "," + (t.most ? std::to_string(*t.most) : "") + "}";
    }
};

class EbnfPrinter final : public Printer {
    std::string begun_rule(const std::string& name, bool) override { return name + " ="; }
    std::string end_of_rule() override { return " ;\n"; }
    std::string comma() override { return " , "; }

    static std::string named(char32_t c) {
        return is_printable_ascii(c) && c != '?' && c != ' ' ? std::string(1, static_cast<char>(c))
                                                             : code_point_number(c, "U+%04X");
    }
    // EBNF has no escapes: a text with both quotation marks, or with other than printable characters, falls into pieces.
    std::string literal(const std::string& text) override {
        std::string out, piece;
        const auto close = [&] {
            const char quote = piece.find('"') == std::string::npos ? '"' : '\'';
            if (!piece.empty()) out += (out.empty() ? "" : " , ") + (quote + piece + quote);
            piece.clear();
        };
        for (const char c : text) {
            const bool is_byte_of_character = (c & 0x80) != 0;
            if (!is_byte_of_character && !is_printable_ascii(static_cast<char32_t>(c))) {
                close();
                out += (out.empty() ? "" : " , ") + ("? " + named(static_cast<char32_t>(c)) + " ?");
                continue;
            }
            const char other = c == '"' ? '\'' : '"';
            if ((c == '"' || c == '\'') && piece.find(other) != std::string::npos) close();
            piece += c;
        }
        close();
        return out.empty() ? "\"\"" : out;
    }
    std::string characters(const CharacterSet& set) override {
        std::string out;
        for (const CodePointRange& range : set.ranges)
            out += (out.empty() ? "" : ", ") + named(range.first) +
                   (range.last > range.first ? " to " + named(range.last) : "");
        return std::string("? a character ") + (set.is_complement ? "but " : "of ") + out + " ?";
    }
    std::string repetition(const GrammarTerm& t) override {
        const std::string what = term(t.parts[0]);
        const bool is_one = t.parts[0].kind == Kind::characters || t.parts[0].kind == Kind::rule;
        const auto times = [](size_t count, const std::string& item) {
            return count == 1 ? item : std::to_string(count) + " * " + item;
        };
        std::string out = t.least == 0 ? "" : times(t.least, is_one ? what : "(" + what + ")");
        if (t.most == t.least) return out;
        const std::string more = t.most ? times(*t.most - t.least, "[ " + what + " ]") : "{ " + what + " }";
        return out.empty() ? more : out + " , " + more;
    }
};

}  // namespace

std::string gbnf_text(const GrammarRules& rules) {
    return GbnfPrinter().print(rules);
}
std::string ebnf_text(const GrammarRules& rules) {
    return EbnfPrinter().print(rules);
}

}  // namespace craft

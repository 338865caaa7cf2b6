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

class GbnfPrinter {
public:
    std::string print(const GrammarRules& rules) {
        check_grammar_rules(rules);
        std::string text;
        for (const GrammarRule& rule : rules) {
            const bool is_root = &rule == &rules.front();
            const bool is_long = rule.body.kind == Kind::choice && rule.body.parts.size() > kOnOneLine;
            text += (is_root ? "root" : rule.name) + " ::=" + (is_long ? "\n  " : " ") +
                    term(rule.body, is_long ? " |\n  " : " | ") + "\n";
        }
        return text;
    }

private:
    std::string term(const GrammarTerm& t, const std::string& bar = " | ") {
        switch (t.kind) {
            case Kind::literal:
                return literal(t.text);
            case Kind::characters:
                return characters(t.characters);
            case Kind::rule:
                return t.text;
            case Kind::sequence:
                return joined(t.parts, " ", true);
            case Kind::choice:
                return joined(t.parts, bar, false);
            case Kind::repetition:
                return repetition(t);
        }
        return "";
    }
    std::string joined(const std::vector<GrammarTerm>& parts, const std::string& between, bool is_sequence) {
        if (parts.empty()) return literal("");
        std::string text;
        for (const GrammarTerm& part : parts) {
            const bool in_brackets = is_sequence && part.kind == Kind::choice;
            text += (&part == &parts.front() ? "" : between) + (in_brackets ? "(" + term(part) + ")" : term(part));
        }
        return text;
    }
    static std::string escaped(char32_t c, char closing) {
        if (c == '\n') return "\\n";
        if (c == '\r') return "\\r";
        if (c == '\t') return "\\t";
        if (c == '\\' || c == static_cast<char32_t>(closing)) return {'\\', static_cast<char>(c)};
        if (is_printable_ascii(c)) return {static_cast<char>(c)};
        return code_point_number(c, c < 0x100 ? "\\x%02X" : c < 0x10000 ? "\\u%04X" : "\\U%08X");
    }
    std::string literal(const std::string& text) {
        std::string out = "\"";
        for (const char c : text) out += (c & 0x80) != 0 ? std::string(1, c) : escaped(static_cast<char32_t>(c), '"');
        return out + "\"";
    }
    std::string characters(const CharacterSet& set) {
        std::string out = set.is_complement ? "[^" : "[";
        for (const CodePointRange& range : set.ranges) {
            out += escaped(range.first, ']');
            if (range.last > range.first) out += "-" + escaped(range.last, ']');
        }
        return out + "]";
    }
    std::string repetition(const GrammarTerm& t) {
        const GrammarTerm& part = t.parts[0];
        const bool is_one = part.kind == Kind::characters || part.kind == Kind::rule;
        const std::string what = is_one ? term(part) : "(" + term(part) + ")";
        if (t.least == 0 && t.most == 1) return what + "?";
        if (!t.most && t.least < 2) return what + (t.least == 0 ? "*" : "+");
        return what + "{" + std::to_string(t.least) + "," + (t.most ? std::to_string(*t.most) : "") + "}";
    }
};

}  // namespace

std::string gbnf_text(const GrammarRules& rules) {
    return GbnfPrinter().print(rules);
}

}  // namespace craft

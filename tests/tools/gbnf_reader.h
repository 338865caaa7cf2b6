// GBNF read and matched by another hand, slowly: what a printed grammar says to those that read it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/code_points.h"

namespace craft::test {

class GbnfReader {
public:
    explicit GbnfReader(const std::string& grammar) : text_(grammar) {
        while (at_ < text_.size()) {
            const std::string name = word();
            blanks();
            take("::=");
            rules_[name] = alternatives();
            take("\n");
        }
    }
    bool accepts(std::string_view sentence) const {
        return ends(*rules_.at("root"), sentence, {0}).count(sentence.size()) > 0;
    }

private:
    struct Node {
        char kind = 's';  // 's'equence, 'c'hoice, 'l'iteral, 'r'ule, '[' set, '*' repetition
        std::u32string literal;
        std::string rule;
        std::vector<std::pair<char32_t, char32_t>> set;
        bool negated = false;
        std::vector<std::shared_ptr<Node>> parts;
        size_t least = 0, most = 0;
    };
    using Pointer = std::shared_ptr<Node>;

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void take(const std::string& expected) {
        if (text_.compare(at_, expected.size(), expected) != 0)
            throw std::runtime_error("expected " + expected + " at " + text_.substr(at_, 30));
        at_ += expected.size();
    }
    void blanks(bool newlines = false) {
        while (peek() == ' ' || (newlines && peek() == '\n')) ++at_;
    }
    std::string word() {
        const size_t begin = at_;
        while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '-') ++at_;
        if (at_ == begin) throw std::runtime_error("expected a name at " + text_.substr(at_, 30));
        return text_.substr(begin, at_ - begin);
    }
    char32_t character() {
        if (peek() != '\\') {
            const CodePoint read = code_point_at(text_, at_);
            at_ += read.bytes;
            return read.value;
        }
        const char escape = text_[at_ + 1];
        at_ += 2;
        if (escape == 'x') {
            at_ += 2;
            return static_cast<char32_t>(std::stoul(text_.substr(at_ - 2, 2), nullptr, 16));
        }
        const size_t known = std::string_view("nrt\\\"[]").find(escape);
        if (known == std::string_view::npos) throw std::runtime_error("an escape that llama.cpp does not know");
        return static_cast<char32_t>("\n\r\t\\\"[]"[known]);
    }
    // A rule ends with its line; after a bar and inside brackets lines may break.
    Pointer alternatives(bool nested = false) {
        auto choice = std::make_shared<Node>();
        choice->kind = 'c';
        blanks(true);
        choice->parts.push_back(sequence(nested));
        while (peek() == '|') {
            ++at_;
            blanks(true);
            choice->parts.push_back(sequence(nested));
        }
        return choice;
    }
    Pointer sequence(bool nested) {
        auto all = std::make_shared<Node>();
        for (blanks(nested); peek() != '|' && peek() != ')' && peek() != '\n' && peek() != '\0'; blanks(nested))
            all->parts.push_back(repeated(item()));
        return all;
    }
    Pointer item() {
        auto node = std::make_shared<Node>();
        if (peek() == '(') {
            ++at_;
            node = alternatives(true);
            take(")");
        } else if (peek() == '"') {
            node->kind = 'l';
            for (++at_; peek() != '"';) node->literal += character();
            ++at_;
        } else if (peek() == '[') {
            node->kind = '[';
            ++at_;
            node->negated = peek() == '^';
            if (node->negated) ++at_;
            while (peek() != ']') {
                const char32_t first = character();
                const bool is_range = peek() == '-';
                if (is_range) ++at_;
                node->set.emplace_back(first, is_range ? character() : first);
            }
            ++at_;
        } else {
            node->kind = 'r';
            node->rule = word();
        }
        return node;
    }
    Pointer repeated(Pointer of) {
        constexpr size_t kAny = 1000000;
        auto node = std::make_shared<Node>();
        node->kind = '*';
        node->most = kAny;
        switch (peek()) {
            case '?':
                node->most = 1;
                break;
            case '*':
                break;
            case '+':
                node->least = 1;
                break;
            case '{': {
                const size_t close = text_.find('}', at_), comma = text_.find(',', at_);
                node->least = std::stoul(text_.substr(at_ + 1));
                if (comma + 1 < close) node->most = std::stoul(text_.substr(comma + 1));
                at_ = close;
                break;
            }
            default:
                return of;
        }
        ++at_;
        node->parts = {std::move(of)};
        return node;
    }

    // Where a node may end that begins at one of these places.
    using Places = std::set<size_t>;
    Places ends(const Node& node, std::string_view s, const Places& begins) const {
        Places out;
        if (node.kind == 's') {
            out = begins;
            for (const Pointer& part : node.parts) out = ends(*part, s, out);
        } else if (node.kind == 'c') {
            for (const Pointer& part : node.parts) out.merge(ends(*part, s, begins));
        } else if (node.kind == 'r') {
            out = ends(*rules_.at(node.rule), s, begins);
        } else if (node.kind == '*') {
            Places now = begins;
            if (node.least == 0) out = now;
            for (size_t count = 1; count <= node.most && !now.empty(); ++count) {
                now = ends(*node.parts[0], s, now);
                if (count < node.least) continue;
                const size_t before = out.size();
                out.insert(now.begin(), now.end());
                if (out.size() == before) break;  // nothing new follows
            }
        } else {
            for (const size_t begin : begins) match(node, s, begin, out);
        }
        return out;
    }
    static void match(const Node& node, std::string_view s, size_t begin, Places& out) {
        if (node.kind == 'l') {
            for (const char32_t expected : node.literal) {
                if (begin == s.size()) return;
                const CodePoint read = code_point_at(s, begin);
                if (read.value != expected) return;
                begin += read.bytes;
            }
            out.insert(begin);
            return;
        }
        if (begin == s.size()) return;
        const CodePoint read = code_point_at(s, begin);
        bool found = false;
        for (const auto& [first, last] : node.set) found = found || (first <= read.value && read.value <= last);
        const bool is_character = read.value < 0xD800 || read.value >= 0xE000;
        if (found != node.negated && is_character) out.insert(begin + read.bytes);
    }

    std::string text_;
    size_t at_ = 0;
    std::map<std::string, Pointer> rules_;
};

}  // namespace craft::test

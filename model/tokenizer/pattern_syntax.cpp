// What differs between the regular expressions of Oniguruma (Ruby's syntax) and PCRE2's.
#include <map>

#include "core/error.h"
#include "core/utf8.h"
#include "model/tokenizer/pattern.h"

namespace craft {

namespace {

// PCRE2's \s has U+180E, its \w and \d other characters, \h is a blank there and a hexadecimal digit here.
const char* class_members(char letter) {
    switch (letter) {
        case 's':
            return R"(\t-\r\x{85}\p{Z})";
        case 'w':
            return R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE})";
        case 'h':
            return "0-9a-fA-F";
        default:
            return nullptr;
    }
}

// Members of [:NAME:], as Oniguruma has them for Unicode; empty: no such class. `negated`: of [:^NAME:], where these can be
// said.
std::string posix_members(const std::string& name, bool negated) {
    static const std::map<std::string, std::pair<std::string, std::string>> known = {
        {"alnum", {R"(\p{Alphabetic}\p{Nd})", ""}},
        {"alpha", {R"(\p{Alphabetic})", R"(\P{Alphabetic})"}},
        {"ascii", {R"(\x{0}-\x{7F})", R"(\x{80}-\x{10FFFF})"}},
        {"blank", {R"(\t\p{Zs})", ""}},
        {"cntrl", {R"(\p{Cc})", R"(\P{Cc})"}},
        {"digit", {R"(\p{Nd})", R"(\P{Nd})"}},
        {"graph", {R"(\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co})", R"(\p{Z}\p{Cc}\p{Cn})"}},
        {"lower", {R"(\p{Lowercase})", R"(\P{Lowercase})"}},
        {"print", {R"(\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co}\p{Zs})", R"(\p{Zl}\p{Zp}\p{Cc}\p{Cn})"}},
        {"punct", {R"(\p{P}\p{S})", R"(\p{C}\p{L}\p{M}\p{N}\p{Z})"}},
        {"space", {class_members('s'), ""}},
        {"upper", {R"(\p{Uppercase})", R"(\P{Uppercase})"}},
        {"word", {R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})", ""}},
        {"xdigit", {"0-9a-fA-F", ""}},
    };
    const auto found = known.find(name);
    if (found == known.end()) return "";
    return negated ? found->second.second : found->second.first;
}

// \b, or \B for `inside`: between a character of \w and another, or an end.
std::string word_boundary(bool inside) {
    const std::string word = std::string("[") + class_members('w') + "]";
    return "(?:(?<=" + word + ")(?" + (inside ? "=" : "!") + word + ")|(?<!" + word + ")(?" + (inside ? "!" : "=") + word +
           "))";
}

class Translation {
public:
    Translation(const std::string& from, const std::string& where) : from_(from), where_(where) {}

    std::string run() {
        while (at_ < from_.size()) {
            const char c = from_[at_];
            if (c == '\\')
                escape();
            else if (c == '[')
                open_class();
            else if (c == ']' && depth_ > 0)
                close_class();
            else if (depth_ > 0 && from_.compare(at_, 2, "&&") == 0)
                refuse("an intersection of classes (&&)");
            else if (depth_ == 0 && c == '(' && from_.compare(at_, 2, "(?") == 0)
                group();
            else if (depth_ == 0 && c == '}' && interval_ && at_ + 1 < from_.size() && from_[at_ + 1] == '+')
                refuse("'}+', which repeats in one and is possessive in the other");
            else
                plain(c);
        }
        return to_;
    }

private:
    [[noreturn]] void refuse(const std::string& construct) const {
        throw Error(where_, "a pattern that PCRE2 reads as Oniguruma does",
                    construct + " in '" + shortened(from_, 200) + "'");
    }

    void plain(char c) {
        if (depth_ == 0 && c == '{') interval_ = at_ + 1 < from_.size() && from_[at_ + 1] >= '0' && from_[at_ + 1] <= '9';
        if (depth_ == 0 && c == '{' && from_.compare(at_, 2, "{,") == 0) {  // {,n} is {0,n}
            to_ += "{0";
            interval_ = true;
        } else {
            to_ += c;
        }
        if (depth_ > 0) class_empty_ = false;
        ++at_;
    }

    void open_class() {
        if (depth_ > 0) {
            if (from_.compare(at_, 2, "[:") == 0) {  // [:alpha:]
                const size_t end = from_.find(":]", at_);
                if (end == from_.npos) refuse("'[:' without ':]'");
                const bool negated = from_.compare(at_, 3, "[:^") == 0;
                const size_t begin = at_ + (negated ? 3 : 2);
                const std::string members = posix_members(from_.substr(begin, end - begin), negated);
                if (members.empty()) refuse(from_.substr(at_, end + 2 - at_));
                to_ += members;
                at_ = end + 2;
                class_empty_ = false;
                return;
            }
            refuse("a class within a class");
        }
        depth_ = 1;
        class_empty_ = true;
        to_ += from_[at_++];
        if (at_ < from_.size() && from_[at_] == '^') to_ += from_[at_++];
    }

    void close_class() {
        if (class_empty_) {  // the first ] of a class is a member
            to_ += "\\]";
            class_empty_ = false;
        } else {
            depth_ = 0;
            to_ += ']';
        }
        ++at_;
    }

    // (?m) is Perl's (?s); other options have the same letters.
    void group() {
        to_ += "(?";
        at_ += 2;
        const size_t end = from_.find_first_not_of("imxs-", at_);
        if (end == from_.npos || end == at_ || (from_[end] != ':' && from_[end] != ')')) return;
        for (; at_ < end; ++at_) {
            if (from_[at_] == 's') refuse("the option s");
            to_ += from_[at_] == 'm' ? 's' : from_[at_];
        }
    }

    void escape() {
        if (at_ + 1 >= from_.size()) refuse("a backslash at the end");
        const char letter = from_[at_ + 1];
        const bool in_class = depth_ > 0;
        class_empty_ = false;
        if (const char* members = class_members(letter)) {
            to_ += in_class ? std::string(members) : "[" + std::string(members) + "]";
        } else if (letter == 'S' && !in_class) {
            to_ += "[^" + std::string(class_members('s')) + "]";
        } else if (letter == 'W' && !in_class) {
            to_ += "[^" + std::string(class_members('w')) + "]";
        } else if ((letter == 'b' || letter == 'B') && !in_class) {
            to_ += word_boundary(letter == 'B');
        } else if (letter == 'H') {
            if (in_class) refuse("\\H in a class");
            to_ += "[^0-9a-fA-F]";
        } else if ((letter == 'p' || letter == 'P') && from_.compare(at_ + 2, 1, "{") == 0) {
            property(letter);
            return;
        } else if (letter == 'u') {  // \uHHHH
            if (from_.size() < at_ + 6) refuse("\\u without four digits");
            to_ += "\\x{" + from_.substr(at_ + 2, 4) + "}";
            at_ += 6;
            return;
        } else {
            to_ += from_.substr(at_, 2);
        }
        at_ += 2;
    }

    // Scripts are those of the property Script, not of its extensions, which PCRE2 takes where none is named.
    void property(char letter) {
        const size_t end = from_.find('}', at_);
        if (end == from_.npos) refuse("\\p{ without }");
        const std::string name = from_.substr(at_ + 3, end - at_ - 3);
        const bool is_script = name.size() > 2 && name.find_first_of("=:^&_ ") == name.npos && name != "Any" &&
                               name != "Alphabetic" && name != "alpha" && name != "Emoji";
        to_ += std::string("\\") + letter + "{" + (is_script ? "sc:" : "") + name + "}";
        at_ = end + 1;
    }

    const std::string& from_;
    const std::string& where_;
    std::string to_;
    size_t at_ = 0;
    int depth_ = 0;             // of brackets
    bool class_empty_ = false;  // nothing stands in the class yet
    bool interval_ = false;     // the last { began {n,m}
};

}  // namespace

std::string pcre_expression(const std::string& oniguruma, const std::string& where) {
    return Translation(oniguruma, where).run();
}

}  // namespace craft

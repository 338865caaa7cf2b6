#include "tools/grammar/parse_text.h"

#include <algorithm>

#include "english/parsed_sentence.h"
#include "text/code_points.h"

namespace craft {

namespace {

bool is_left_part(std::string_view word) {
    return word == "(" || word == "[" || word == "$" || word == "#";
}

bool is_right_part(std::string_view word) {
    static constexpr std::string_view kParts[] = {",", ".", ";", ":", "!", "?", ")", "]", "%", "...", "n't"};
    return is_one_of(word, kParts) || (word.size() > 1 && word.front() == '\'');
}

std::string with_plain_quotes(const std::string& word) {
    std::string plain;
    for (const char32_t c : decode_utf8(word)) {
        if (c == U'‘' || c == U'’')
            plain += '\'';
        else if (c == U'“' || c == U'”')
            plain += '"';
        else
            append_utf8(plain, c);
    }
    if (plain == "``" || plain == "''") return "\"";
    return plain;
}

}  // namespace

ParseText parse_text(const std::vector<std::string>& words) {
    ParseText parsed;
    bool is_open = true;
    for (const std::string& word : words) {
        const std::string plain = with_plain_quotes(word);
        if (!is_open && !is_right_part(plain)) parsed.text += ' ';
        parsed.begins.push_back(parsed.text.size());
        parsed.text += plain;
        is_open = is_left_part(plain);
    }
    return parsed;
}

ParseText parse_text(const EnglishDocument& tokens) {
    std::vector<std::string> words;
    for (const EnglishToken& token : tokens)
        if (!token.is_space) words.push_back(token.text);
    const ParseText parsed = parse_text(words);
    ParseText text{parsed.text, {}};
    size_t word = 0;
    for (const EnglishToken& token : tokens) {
        text.begins.push_back(word < parsed.begins.size() ? parsed.begins[word] : parsed.text.size());
        if (!token.is_space) ++word;
    }
    return text;
}

std::vector<size_t> left_out_tokens(const ConstituentParse& parse, const ParseText& text) {
    std::vector<size_t> tokens;
    for (const LeftOutWord& word : parse.left_out_words) {
        const auto behind = std::upper_bound(text.begins.begin(), text.begins.end(), word.begin);
        if (behind == text.begins.begin()) continue;
        const size_t token = static_cast<size_t>(behind - text.begins.begin()) - 1;
        if (tokens.empty() || tokens.back() != token) tokens.push_back(token);
    }
    return tokens;
}

}  // namespace craft

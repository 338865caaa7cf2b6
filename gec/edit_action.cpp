#include "gec/edit_action.h"

#include <algorithm>
#include <optional>

#include "core/utf8.h"
#include "gec/common_words.h"
#include "gec/sentence_words.h"
#include "text/code_points.h"
#include "text/quoted_lines.h"
#include "text/utf8.h"

namespace craft {

namespace {

// Words of a sentence that an edit names.
struct NamedWords {
    size_t begin = 0, end = 0;
};

class SentenceUnderEdit {
public:
    SentenceUnderEdit(const std::string& action, const Json& input, const std::string& sentence)
        : action_(action), input_(input), sentence_(sentence), worded_(sentence_) {
        result_.sentence = sentence;
    }
    EditResult edit() {
        if (action_ == "insert")
            insert();
        else if (action_ == "delete")
            remove();
        else
            replace();
        if (result_.refused.empty() && result_.sentence == sentence_) refuse("no_change", {});
        return std::move(result_);
    }

private:
    void refuse(const std::string& why, const std::map<std::string, std::string>& told) {
        if (!result_.refused.empty()) return;
        result_.refused = why;
        result_.told = told;
        result_.sentence = sentence_;
    }
    // The values of these parameters; the input may have no others. Empty where one is missing, which is refused.
    bool has_only(const std::vector<std::string>& needed, const std::vector<std::string>& also) {
        for (const auto& [key, value] : input_.items()) {
            const bool known = std::find(needed.begin(), needed.end(), key) != needed.end() ||
                               std::find(also.begin(), also.end(), key) != also.end() || key == "occurrence";
            if (!known) refuse("input", {{"action", action_}, {"problem", unknown(key)}});
            const bool fits = key == "occurrence" ? value.is_number_integer() && value > 0 : value.is_string();
            if (known && !fits)
                refuse("input",
                       {{"action", action_},
                        {"problem", "'" + key + "' must be a " + (key == "occurrence" ? "number from 1" : "text")}});
        }
        for (const std::string& key : needed)
            if (text_of(key).empty())
                refuse("input", {{"action", action_}, {"problem", "'" + key + "' is missing or empty"}});
        // They would put several lines, or what nobody sees, into a sentence.
        for (const char* key : {"text", "to"})
            if (has_signs_of_control(text_of(key)))
                refuse("input", {{"action", action_},
                                 {"problem", "'" + std::string(key) + "' has a line break or another sign of control"}});
        return result_.refused.empty();
    }
    static std::string unknown(const std::string& key) {
        return key.empty() ? "its input is a JSON object with its parameters"
                           : "'" + shortened(one_line(key), 40) + "' is none of its parameters";
    }
    std::string text_of(const std::string& key) const {
        return input_.contains(key) && input_[key].is_string() ? trim(input_[key].get<std::string>()) : "";
    }

    // Where the words stand that the input calls `key`.
    std::optional<NamedWords> find(const std::string& key) {
        const std::string wanted = text_of(key);
        const std::vector<std::string> words = plain_words(WordedText(wanted).words), there = plain_words(worded_.words);
        std::vector<NamedWords> found;
        for (size_t i = 0; !words.empty() && i + words.size() <= there.size(); ++i)
            if (std::equal(words.begin(), words.end(), there.begin() + static_cast<std::ptrdiff_t>(i)))
                found.push_back({i, i + words.size()});
        const std::map<std::string, std::string> told = {{"words", wanted}, {"times", std::to_string(found.size())}};
        if (found.empty()) {
            refuse("absent", told);
            return std::nullopt;
        }
        const bool is_given = input_.contains("occurrence");
        const auto which = is_given ? input_["occurrence"].get<uint64_t>() : uint64_t{1};
        if (found.size() > 1 && !is_given) refuse("several_places", told);
        if (which > found.size()) refuse("occurrence", told);
        if (!result_.refused.empty()) return std::nullopt;
        return found[which - 1];
    }
    static std::vector<std::string> plain_words(const std::vector<std::string_view>& words) {
        std::vector<std::string> plain;
        for (const std::string_view word : words) plain.push_back(plain_quotes(word));
        return plain;
    }

    void replace() {
        if (!has_only({"from", "to"}, {})) return;
        const std::string to = text_of("to");
        const std::optional<NamedWords> found = find("from");
        if (!found) return;
        const size_t begin = worded_.begin(found->begin), end = worded_.end(found->end - 1);
        const WordedText from(worded_.part(begin, end)), changed(to);
        if (action_ == "rearrange" && sorted(from.words) != sorted(changed.words))
            return refuse("other_words", {{"words", std::string(from.text)}, {"to", to}});
        if (changed_regions(from.words, changed.words).size() > 1)
            return refuse("several_changes", {{"words", std::string(from.text)}});
        put(begin, end, to);
    }
    static std::vector<std::string> sorted(const std::vector<std::string_view>& words) {
        std::vector<std::string> lower;
        for (const std::string_view word : words) lower.push_back(lowercase(plain_quotes(word)));
        std::sort(lower.begin(), lower.end());
        return lower;
    }

    void remove() {
        if (!has_only({"words"}, {})) return;
        const std::optional<NamedWords> found = find("words");
        if (!found) return;
        // One of the gaps goes with the words: the one in front, where there is one, so that "home very." is "home.".
        if (found->begin > 0 && !worded_.gap(found->begin).empty()) {
            put(worded_.gap_begin(found->begin), worded_.end(found->end - 1), "");
            return;
        }
        put(worded_.begin(found->begin), worded_.gap_end(found->end), "");
    }

    void insert() {
        const bool is_before = input_.contains("before");
        if (is_before == input_.contains("after"))
            return refuse("input", {{"action", action_}, {"problem", "give either 'after' or 'before'"}});
        const char* anchor = is_before ? "before" : "after";
        if (!has_only({"text", anchor}, {})) return;
        const std::optional<NamedWords> found = find(anchor);
        if (!found) return;
        const size_t gap = is_before ? found->begin : found->end;
        const std::string text = text_of("text"), kept(worded_.gap(gap));
        const bool closes = text.find_first_of(",.;:!?)") == 0 && !is_tokenised();
        std::string made = text;
        // After a bracket or a quotation mark, on which the next word is written, the blank follows.
        const bool follows_open = kept.empty() && gap < worded_.words.size() && begins_word(worded_.words[gap]);
        if (gap == 0 || follows_open)
            made = kept + text + (opens(text) && !is_tokenised() ? "" : " ");
        else
            made = (closes ? "" : " ") + text + kept;
        put(worded_.gap_begin(gap), worded_.gap_end(gap), made);
    }
    // A mark on which the word after it is written.
    static bool opens(std::string_view text) {
        return text == "\"" || text == "'" || text.ends_with("\xE2\x80\x9C") || text.ends_with("\xE2\x80\x98") ||
               text.ends_with("(") || text.ends_with("[");
    }
    static bool begins_word(std::string_view word) { return is_unicode_word_character(code_point_at(word, 0).value); }
    // Whether stops and commas stand apart in this sentence.
    bool is_tokenised() const {
        for (size_t i = 1; i < worded_.words.size(); ++i)
            if (worded_.words[i].find_first_of(",.;:!?") == 0 && !worded_.gap(i).empty()) return true;
        return false;
    }

    void put(size_t begin, size_t end, const std::string& text) {
        result_.sentence = sentence_.substr(0, begin) + text + sentence_.substr(end);
    }

    const std::string& action_;
    const Json& input_;
    const std::string& sentence_;
    WordedText worded_;
    EditResult result_;
};

}  // namespace

const std::vector<std::string>& edit_action_names() {
    static const std::vector<std::string> kNames = {"insert", "delete", "transform", "rearrange"};
    return kNames;
}

bool is_edit_action(const std::string& name) {
    const std::vector<std::string>& names = edit_action_names();
    return std::find(names.begin(), names.end(), name) != names.end();
}

EditResult apply_edit(const std::string& action, const Json& input, const std::string& sentence) {
    Json named = input;
    if (action == "delete" && named.contains("")) {  // the only parameter that it needs
        named["words"] = Json(named[""]);
        named.erase("");
    }
    return SentenceUnderEdit(action, named, sentence).edit();
}

}  // namespace craft

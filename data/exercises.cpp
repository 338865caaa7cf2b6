#include "data/exercises.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "data/rule_notes.h"
#include "text/lists.h"
#include "text/numbers.h"
#include "text/sentences.h"
#include "text/words.h"

namespace craft {

namespace {

// What an exercise is made from: one text, its sentences, words of all texts, spellings that no text holds.
struct Material {
    const std::string& text;
    const std::vector<std::string>& sentences;
    const std::vector<std::string>& words;
    const std::vector<std::string>& symbols;
};

struct Task {
    std::string question, answer;
};

std::string quote(const std::string& word, Rng& rng) {
    return rng.uniform() < 0.75 ? "'" + word + "'" : "\"" + word + "\"";
}

// Small numbers come up often, three-digit ones too.
int64_t some_number(Rng& rng) {
    const double kind = rng.uniform();
    return kind < 0.4 ? rng.between(1, 20) : kind < 0.8 ? rng.between(10, 140) : rng.between(100, 999);
}

std::string spelled(int64_t value, Rng& rng) {
    return rng.uniform() < 0.5 ? number_words(value) : std::to_string(value);
}

std::string some_words(const Material& m, size_t count, Rng& rng) {
    std::vector<std::string> out;
    for (size_t i = 0; i < count; ++i) out.push_back(rng.pick(m.words));
    return join(out, " ");
}

// A stretch of running text, as distraction around what has to be found.
std::string stretch(const Material& m, Rng& rng) {
    const auto words = whitespace_words(rng.pick(m.sentences));
    const size_t take = std::min<size_t>(words.size(), 2 + rng.below(5));
    const size_t from = rng.below(words.size() - take + 1);
    return join(
        {words.begin() + static_cast<std::ptrdiff_t>(from), words.begin() + static_cast<std::ptrdiff_t>(from + take)}, " ");
}

std::string beginning(const std::string& sentence, size_t count) {
    const auto words = whitespace_words(sentence);
    if (words.size() <= count) return sentence;
    return join({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count)}, " ") + "...";
}

// Words that no text holds in this order: they can only be copied, not remembered.
Task repeat_words(const Material& m, Rng& rng) {
    static const std::vector<std::string> asks = {"Copy these words:", "Repeat:", "Say it again:"};
    std::vector<std::string> items;
    for (size_t i = 0, n = 3 + rng.below(28); i < n; ++i)
        items.push_back(rng.pick(!m.symbols.empty() && rng.uniform() < 0.25 ? m.symbols : m.words));
    const std::string words = join(items, " ");
    return {rng.pick(asks) + " " + words, words};
}

// The same with numbers, symbols and other marks between the words.
Task repeat_list(const Material& m, Rng& rng) {
    std::vector<std::string> items;
    for (size_t i = 0, n = 2 + rng.below(7); i < n; ++i) {
        if (!m.symbols.empty() && rng.uniform() < 0.25)
            items.push_back(rng.pick(m.symbols));
        else
            items.push_back(rng.uniform() < 0.5 ? std::to_string(some_number(rng)) : quote(rng.pick(m.words), rng));
    }
    const std::string list = join(items, rng.uniform() < 0.5 ? ", " : "; ");
    return {"Copy the list: " + list, list};
}

Task quote_sentence(const Material& m, Rng& rng) {
    const size_t id = rng.below(m.sentences.size());
    const int64_t number = static_cast<int64_t>(id) + 1;
    const std::string which = rng.uniform() < 0.4   ? "sentence " + std::to_string(number)
                              : rng.uniform() < 0.5 ? "the " + ordinal_words(number) + " sentence"
                                                    : "the " + ordinal_digits(number) + " sentence";
    return {"Quote " + which + ".", "\"" + m.sentences[id] + "\""};
}

Task outline(const Material& m, Rng& rng) {
    const size_t words = 3 + rng.below(3);
    std::vector<std::string> lines;
    for (const auto& sentence : m.sentences) lines.push_back("- \"" + beginning(sentence, words) + "\"");
    return {"Give the first " + number_words(static_cast<int64_t>(words)) + " words of each sentence.", join(lines, "\n")};
}

Task quoted_words(const Material& m, Rng& rng) {
    std::string question = "List what stands in quotes:";
    std::vector<std::string> found;
    for (size_t i = 0, n = 1 + rng.below(4); i < n; ++i) {
        const std::string word = some_words(m, rng.uniform() < 0.85 ? 1 : 2, rng);
        question += " " + stretch(m, rng) + " " + quote(word, rng) + (rng.uniform() < 0.5 ? "." : "");
        found.push_back("\"" + word + "\"");
    }
    return {question, join(found, "\n")};
}

// Digits, number words and ordinals, also within a compound: "1957.", "four-legged", "hundreds".
bool holds_number(const std::string& word) {
    std::string part;
    for (const char c : word + "-") {
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) return true;
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
            part += c;
            continue;
        }
        if (parse_number(part) || parse_ordinal(part) || part.starts_with("hundred") || part.starts_with("thousand"))
            return true;
        part.clear();
    }
    return false;
}

// Texts hold numbers of their own, which the answer would have to hold too.
std::string without_numbers(const std::string& text) {
    std::vector<std::string> words = whitespace_words(text);
    std::erase_if(words, holds_number);
    return words.empty() ? "then" : join(words, " ");
}

Task numbers_in_digits(const Material& m, Rng& rng) {
    std::string question = "Write the numbers in digits:";
    std::vector<std::string> found;
    for (size_t i = 0, n = 1 + rng.below(4); i < n; ++i) {
        const int64_t value = some_number(rng);
        const bool ordinal = value <= 100 && rng.uniform() < 0.35;
        question += " " + without_numbers(stretch(m, rng)) + " " +
                    (ordinal ? (rng.uniform() < 0.5 ? ordinal_words(value) : ordinal_digits(value)) : spelled(value, rng));
        found.push_back(std::to_string(value));
    }
    return {question, join(found, ", ")};
}

Task neighbours(const Material&, Rng& rng) {
    std::vector<std::string> asked, answers;
    const bool up = rng.uniform() < 0.5;
    for (size_t i = 0, n = 1 + rng.below(4); i < n; ++i) {
        const int64_t value = some_number(rng) + (up ? 0 : 1);
        asked.push_back(spelled(value, rng));
        answers.push_back(std::to_string(value + (up ? 1 : -1)));
    }
    return {std::string(up ? "One more than " : "One less than ") + listed(asked) + "?", join(answers, ", ")};
}

// Function calls with made-up names, so that the notation is known but no tool is.
Task write_calls(const Material& m, Rng& rng) {
    std::vector<std::string> asked, calls;
    for (size_t i = 0, n = 1 + rng.below(4); i < n; ++i) {
        const std::string name = join({rng.pick(m.words), rng.pick(m.words)}, "_");
        const double kind = rng.uniform();
        if (kind < 0.35) {
            const std::string word = some_words(m, rng.uniform() < 0.85 ? 1 : 2, rng);
            const int64_t value = some_number(rng);
            asked.push_back(name + " with " + quote(word, rng) + " and " + spelled(value, rng));
            calls.push_back(name + "(\"" + word + "\", " + std::to_string(value) + ")");
        } else if (kind < 0.7) {
            std::vector<std::string> said, ids;
            int64_t value = 0;
            for (size_t k = 0, count = 1 + rng.below(3); k < count; ++k) {
                value += rng.between(1, 5);
                said.push_back(rng.uniform() < 0.5 ? ordinal_words(value) : std::to_string(value));
                ids.push_back(std::to_string(value));
            }
            asked.push_back(name + " with the items " + listed(said));
            calls.push_back(name + "([" + join(ids, ", ") + "])");
        } else {
            const int64_t value = some_number(rng);
            asked.push_back(name + " with " + spelled(value, rng));
            calls.push_back(name + "(" + std::to_string(value) + ")");
        }
    }
    return {"Write as code: " + join(asked, ". "), "```\n" + join(calls, "\n") + "\n```"};
}

// "They need at least 3 chairs -> chairs: more than 2": what is said, then what it comes to.
std::vector<std::string> with_their_words(const RuleNotes& made) {
    std::vector<std::string> lines;
    for (size_t i = 0; i < made.notes.size(); ++i) lines.push_back(made.said[i] + " -> " + made.notes[i]);
    return lines;
}

Task note_rules(const Material& m, Rng& rng) {
    const RuleNotes made = make_rule_notes(m.words, rng);
    return {"Note the rules: " + made.rules, "- " + join(with_their_words(made), "\n- ")};
}

// The notes first, then what they come to in code.
Task code_rules(const Material& m, Rng& rng) {
    const RuleNotes made = make_rule_notes(m.words, rng);
    return {"Note the rules, then write them as code: " + made.rules,
            join(with_their_words(made), "; ") + ".\n```\n" + join(made.calls, "\n") + "\n```"};
}

struct Kind {
    const char* name;
    Task (*make)(const Material&, Rng&);
};
const Kind kWords = {"copy words", repeat_words}, kList = {"copy a list", repeat_list},
           kQuotedWords = {"quoted words", quoted_words}, kNumbers = {"numbers in digits", numbers_in_digits},
           kNeighbours = {"one more, one less", neighbours}, kCalls = {"calls", write_calls},
           kNotes = {"rule notes", note_rules}, kCode = {"rules in code", code_rules},
           kSentence = {"quote a sentence", quote_sentence}, kOutline = {"outline", outline};
// As often as they stand here.
const std::vector<Kind> kCopying = {kWords, kWords, kList};
const std::vector<Kind> kWithoutText = {kWords, kList,  kQuotedWords, kNumbers, kNumbers, kNeighbours, kNeighbours,
                                        kCalls, kCalls, kNotes,       kNotes,   kNotes,   kNotes,      kCode,
                                        kCode,  kCode,  kCode,        kCode,    kCode,    kCode};
const std::vector<Kind> kAboutText = {kSentence, kOutline, kOutline, kOutline, kOutline};

// Copying comes first and alone, since all else here needs it; then texts come in by and by.
struct Lesson {
    bool copying = false;
    double text_share = 0;  // of conversations that begin with a text

    // `progress` in [0, 1).
    explicit Lesson(double progress)
        : copying(progress < 0.05), text_share(0.6 * std::clamp((progress - 0.05) / 0.25, 0.0, 1.0)) {}
};

// The text of a conversation stands in its first message, before the question or behind it; half of the questions are about
// it, the others have to be answered past it.
Exercise conversation(const Material& m, const Lesson& lesson, Rng& rng) {
    const bool has_text = rng.uniform() < lesson.text_share;
    Exercise exercise;
    for (size_t turn = 0, turns = 1 + rng.below(4); turn < turns; ++turn) {
        const bool asks_about_text = has_text && rng.uniform() < 0.5;
        const Kind& kind = rng.pick(lesson.copying ? kCopying : asks_about_text ? kAboutText : kWithoutText);
        Task task = kind.make(m, rng);
        if (has_text && turn == 0)
            task.question = rng.uniform() < 0.7 ? m.text + "\n\n" + task.question : task.question + "\n\n" + m.text;
        exercise.kinds.emplace_back(kind.name);
        exercise.messages.push_back({Role::user, std::move(task.question)});
        exercise.messages.push_back({Role::assistant, std::move(task.answer)});
    }
    return exercise;
}

// Sentences of any texts, one word in seven exchanged for another: what is asked about it must be read off, not remembered.
std::string mixed_text(const std::vector<std::string>& sentences, const std::vector<std::string>& words, Rng& rng) {
    std::vector<std::string> mixed;
    for (size_t i = 0, n = 3 + rng.below(6); i < n; ++i)
        for (std::string& word : whitespace_words(rng.pick(sentences))) {
            const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
            const auto end = std::find_if_not(word.begin(), word.end(), is_letter);
            if (end != word.begin() && rng.uniform() < 0.15) word.replace(word.begin(), end, rng.pick(words));
            mixed.push_back(std::move(word));
        }
    return join(mixed, " ");
}

// Words of three letters or more as often as they stand in the texts, up to a limit: common ones come up more often than
// rare ones, and none too often.
std::vector<std::string> common_words(const std::vector<std::string>& texts) {
    constexpr int kMostOften = 16;
    std::map<std::string, int> counts;
    std::vector<std::string> words;
    for (const auto& text : texts)
        for (auto& word : whitespace_words(text)) {
            std::erase_if(word, [](unsigned char c) { return std::isalpha(c) == 0; });
            if (word.size() >= 3 && ++counts[word] <= kMostOften) words.push_back(word);
        }
    return words;
}

}  // namespace

void make_exercises(const std::vector<std::string>& texts, const std::vector<std::string>& symbols, int64_t count,
                    uint64_t seed, const std::function<void(Exercise&&)>& emit) {
    if (texts.empty()) throw Error("texts", "at least one text", "none");
    const std::vector<std::string> words = common_words(texts);
    std::vector<std::string> sentences;
    for (const std::string& text : texts) {
        const auto of_text = split_sentences(text);
        if (of_text.empty()) throw Error("texts", "sentences in every text", "a blank one");
        sentences.insert(sentences.end(), of_text.begin(), of_text.end());
    }
    if (words.empty()) throw Error("texts", "words of three letters or more", "none");
    for (int64_t i = 0; i < count; ++i) {
        Rng rng(seed, "exercises", static_cast<uint64_t>(i));
        if (i % 12 == 0) {
            emit({{}, {}, rng.pick(texts)});
            continue;
        }
        const std::string text = mixed_text(sentences, words, rng);
        const auto of_text = split_sentences(text);
        const Lesson lesson(static_cast<double>(i) / static_cast<double>(count));
        emit(conversation({text, of_text, words, symbols}, lesson, rng));
    }
}

}  // namespace craft

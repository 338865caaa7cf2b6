// Puts constraints into words: draws wordings and how they stand in an instruction, and joins them.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "data/constraints/decoys.h"
#include "data/constraints/filler.h"
#include "data/constraints/wordings.h"
#include "text/utf8.h"
#include "text/wording_table.h"

namespace craft {

namespace {

// A sentence under construction and what may still be joined to it.
struct Sentence {
    std::string text;
    int clauses = 0;      // "ensure that" clauses
    int phrases = 0;      // attached "with" and "ing" phrases
    bool closed = false;  // nothing may be joined to it, nor continue after it with "Do so"
};

bool has_end_mark(const std::string& text) {
    return !text.empty() && std::string(".?!:").find(text.back()) != std::string::npos;
}

// As it stands within a sentence. Plain sentences begin with no name.
std::string lowercase_first(const std::string& text) {
    return text.empty() ? text : lowercase(text.substr(0, 1)) + text.substr(1);
}

// "{old} ... Make that {new_value}" is said in two places.
std::pair<std::string, std::string> halves_of(const std::string& frame) {
    static const std::string gap = " ... ";
    const size_t at = frame.find(gap);
    if (at == std::string::npos) return {"", frame};
    return {frame.substr(0, at), frame.substr(at + gap.size())};
}

// Fills a frame; what comes to stand where a sentence begins begins with a capital letter.
std::string framed(const std::string& frame, const std::map<std::string, std::string>& values) {
    std::map<std::string, std::string> lower;
    for (const auto& [slot, value] : values) lower[slot] = lowercase_first(value);
    std::string out, rest = frame;
    for (size_t at = rest.find('{'); at != std::string::npos; at = rest.find('{')) {
        const size_t close = rest.find('}', at);
        out += rest.substr(0, at);
        const std::string value = lower.at(rest.substr(at + 1, close - at - 1));
        out += out.empty() || begins_sentence(out) ? uppercase_first(value) : value;
        rest = rest.substr(close + 1);
    }
    return out + rest;
}

// One constraint in a stretch of its own.
struct Said {
    std::string before;  // what stands anywhere earlier; may be empty
    std::string text;
    std::string phrase;  // the part of `text` that counts
};

class Renderer {
public:
    Renderer(const std::vector<Constraint>& constraints, const std::vector<std::string>& sentences, const Wordings& wordings,
             Split split, Rng& rng)
        : constraints_(constraints),
          text_(sentences),
          wordings_(wordings),
          chances_(wordings.chances()),
          split_(split),
          rng_(rng),
          filler_(wordings, sentences, split, rng) {}

    Rendering run() {
        const std::string& opener = pick(Part::openers);
        sentences_.push_back({opener, 0, 0, has_end_mark(opener)});
        if (constraints_.size() > 1 && chance(chances_.list))
            write_list();
        else
            write_prose();
        if (chance(chances_.closers)) {
            const std::string& closer = pick(Part::closers);
            out_ += (has_list_ ? "\n" : has_end_mark(out_) ? " " : ". ") + closer;
        } else if (!has_list_ && !has_end_mark(out_)) {
            out_ += talked_last_ ? "." : ":";
        }
        return {std::move(out_), std::move(phrases_)};
    }

private:
    const std::string& pick(Part part) { return filler_.pick(wordings_.of(part)); }
    bool chance(double probability) { return filler_.chance(probability); }
    std::string fill(const std::string& text, const Constraint& c) { return filler_.fill(text, c, constraints_).text; }

    void add_closed(std::string text) { sentences_.push_back({std::move(text), 0, 0, true}); }

    void write_prose() {
        const size_t taken_back =
            chance(chances_.withdrawals) ? rng_.below(constraints_.size() + 1) : constraints_.size() + 1;
        for (size_t i = 0; i <= constraints_.size(); ++i) {
            if (chance(chances_.talk)) add_closed(talk());
            if (i == taken_back) withdraw();
            if (i < constraints_.size()) say(constraints_[i]);
        }
        for (const Sentence& sentence : sentences_)
            out_ += (out_.empty() ? "" : has_end_mark(out_) ? " " : ". ") + sentence.text;
        talked_last_ = sentences_.back().closed;
    }

    // "Please revise this text. House rules:" and the items.
    void write_list() {
        has_list_ = true;
        out_ = sentences_.back().text;
        if (chance(chances_.talk)) out_ += (has_end_mark(out_) ? " " : ". ") + talk();
        if (rng_.uniform() < 0.5)
            out_ += (has_end_mark(out_) ? " " : ". ") + pick(Part::lists);
        else if (!has_end_mark(out_))
            out_ += ":";
        const std::string& bullet = pick(Part::bullets);
        const bool lower = rng_.uniform() < 0.5;
        int64_t number = 0;
        const auto add = [&](const std::string& item) {
            out_ += "\n" + fill_in(bullet, {{"i", std::to_string(++number)}}) + item;
        };
        for (const Constraint& c : constraints_) {
            if (chance(chances_.talk / 2)) add(talk());
            add(item_of(c, lower));
        }
    }

    std::string item_of(const Constraint& c, bool lower) {
        std::optional<Said> said = said_twice(c);
        if (!said) said = said_anew(c, false);
        if (said) {
            phrases_.push_back(std::move(said->phrase));
            return std::move(said->text);
        }
        const Wording& wording = pick_wording(c.shape, {Form::item, Form::say});
        const std::string words = fill(rng_.pick(wording.texts), c);
        phrases_.push_back(wording.form == Form::item && lower ? words : uppercase_first(words));
        return phrases_.back();
    }

    std::string talk() {
        std::string out, rest = pick(Part::talk);
        for (size_t open = rest.find('{'); open != std::string::npos; open = rest.find('{')) {
            const size_t dash = rest.find('-', open), close = rest.find('}', open);
            const int64_t low = std::stol(rest.substr(open + 1, dash - open - 1)),
                          high = std::stol(rest.substr(dash + 1, close - dash - 1));
            out += rest.substr(0, open) + std::to_string(rng_.between(low, high));
            rest = rest.substr(close + 1);
        }
        return out + rest;
    }

    const Wording& pick_wording(Shape shape, const std::vector<Form>& forms) {
        std::vector<const Wording*> wordings = allowed(wordings_.of(shape), split_);
        std::erase_if(wordings, [&](const Wording* wording) {
            return std::find(forms.begin(), forms.end(), wording->form) == forms.end();
        });
        return *rng_.pick(wordings);
    }

    void say(const Constraint& c) {
        std::optional<Said> said = said_twice(c);
        if (!said) said = said_anew(c, true);
        if (!said) return say_once(c);
        if (!said->before.empty()) insert_earlier(std::move(said->before));
        add_closed(std::move(said->text));
        phrases_.push_back(std::move(said->phrase));
    }

    void say_once(const Constraint& c) {
        Sentence& last = sentences_.back();
        const Wording& wording = last.closed ? pick_wording(c.shape, {Form::say, Form::that, Form::fact, Form::item})
                                             : *rng_.pick(allowed(wordings_.of(c.shape), split_));
        std::string words = fill(rng_.pick(wording.texts), c);
        const bool phrase = wording.form == Form::with || wording.form == Form::ing;
        if (phrase && last.phrases < 2) {
            last.text += (last.phrases > 0 ? " and " : ", ") + words;
            ++last.phrases;
        } else if (wording.form == Form::that) {
            words = add_clause(words);
        } else if (phrase) {
            sentences_.push_back({"Do so " + words, 0, 1});
        } else {
            words = uppercase_first(words);
            sentences_.push_back({words, 0, 0, wording.form != Form::say});
        }
        phrases_.push_back(std::move(words));
    }

    // Returns what says the clause there, with the "ensure that" which opens its sentence: an answer that quotes the first
    // words of a constraint then quotes the start of a sentence.
    std::string add_clause(const std::string& clause) {
        const std::string& ensure = pick(Part::ensure);
        Sentence& last = sentences_.back();
        if (last.clauses > 0 && last.clauses < 3 && last.phrases == 0 && rng_.uniform() < 0.7) {
            last.text += (rng_.uniform() < 0.5 ? " and that " : ", and ") + clause;
            ++last.clauses;
            return clause;
        }
        // A clause needs no "ensure": it can stand as a sentence.
        const bool bare = rng_.uniform() < 0.25;
        sentences_.push_back({bare ? uppercase_first(clause) : ensure + " " + clause, bare ? 0 : 1, 0});
        return sentences_.back().text;
    }

    // Two wordings of one limit in one stretch, where the chance has it.
    std::optional<Said> said_twice(const Constraint& c) {
        if (!chance(chances_.repeats)) return std::nullopt;
        const Wording *one = &pick_wording(c.shape, {Form::say}), *two = &pick_wording(c.shape, {Form::say});
        if (one == two) return std::nullopt;
        const std::string said =
            framed(pick(Part::repeats), {{"one", fill(rng_.pick(one->texts), c)}, {"two", fill(rng_.pick(two->texts), c)}});
        return Said{"", said, said};
    }

    // The limit in place of another one, where the chance has it. `apart`: the other one may stand earlier.
    std::optional<Said> said_anew(const Constraint& c, bool apart) {
        if (text_.empty() || !chance(chances_.changes)) return std::nullopt;
        const auto other = changed_limit(c, constraints_, text_, split_, rng_);
        if (!other) return std::nullopt;
        const std::string& text = rng_.pick(pick_wording(c.shape, {Form::say}).texts);
        const Filled before = filler_.fill(text, *other, constraints_), now = filler_.fill(text, c, constraints_);
        const std::string& frame = pick(Part::changes);
        const auto [first, second] = halves_of(frame);
        const bool names_value = frame.find("_value}") != std::string::npos;
        if ((names_value && now.value.empty()) || (!apart && !first.empty())) return std::nullopt;
        const std::map<std::string, std::string> values = {{"old", before.text},
                                                           {"new", now.text},
                                                           {"old_value", before.value},
                                                           {"new_value", now.value},
                                                           {"topic", filler_.pick(wordings_.topics(sub_type(c.shape)))}};
        const std::string said = framed(second, values);
        return Said{framed(first, values), said, last_word(said, second, values)};
    }

    // The limit alone where the frame says it whole; else all of what corrects the other one.
    static std::string last_word(const std::string& said, const std::string& frame,
                                 const std::map<std::string, std::string>& values) {
        const size_t at = frame.find("{new}");
        if (at == std::string::npos) return said;
        return said.substr(framed(frame.substr(0, at), values).size(), values.at("new").size());
    }

    void withdraw() {
        const auto stray = stray_limit(constraints_, text_, split_, rng_);
        if (!stray) return;
        const std::string said = fill(rng_.pick(pick_wording(stray->shape, {Form::say}).texts), *stray);
        const auto [first, second] = halves_of(pick(Part::withdrawals));
        const std::map<std::string, std::string> values = {
            {"old", said}, {"topic", filler_.pick(wordings_.topics(sub_type(stray->shape)))}};
        if (!first.empty()) insert_earlier(framed(first, values));
        add_closed(framed(second, values));
    }

    // Somewhere after the opener.
    void insert_earlier(std::string text) {
        const auto place = static_cast<std::ptrdiff_t>(1 + rng_.below(sentences_.size()));
        sentences_.insert(sentences_.begin() + place, {std::move(text), 0, 0, true});
    }

    const std::vector<Constraint>& constraints_;
    const std::vector<std::string>& text_;
    const Wordings& wordings_;
    const Chances& chances_;
    Split split_;
    Rng& rng_;
    Filler filler_;
    std::vector<Sentence> sentences_;
    std::vector<std::string> phrases_;
    std::string out_;
    bool has_list_ = false, talked_last_ = false;
};

}  // namespace

Rendering render_instruction(const std::vector<Constraint>& constraints, const std::vector<std::string>& sentences,
                             const Wordings& wordings, Split split, Rng& rng) {
    return Renderer(constraints, sentences, wordings, split, rng).run();
}

}  // namespace craft

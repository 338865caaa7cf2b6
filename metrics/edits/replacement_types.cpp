#include "metrics/edits/replacement_types.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "metrics/edits/character_distance.h"
#include "metrics/edits/lancaster_stemmer.h"
#include "metrics/edits/token_tags.h"
#include "text/code_points.h"

namespace craft {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// The auxiliary that a contraction leaves behind: "ca" of "ca n't". Empty of other words.
std::string_view auxiliary_of(std::string_view contracted) {
    if (contracted == "ca") return "can";
    if (contracted == "sha") return "shall";
    if (contracted == "wo") return "will";
    return {};
}

// Python's str.isalpha().
bool is_alphabetic(std::u32string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char32_t c) { return u_isalpha(static_cast<UChar32>(c)); });
}

bool begins_with(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

bool is_auxiliary(const AnnotatedToken& token) {
    return begins_with(token.dep, "aux");
}

// The two words of a replacement with all that the rules ask of them. Each rule returns a category, or nothing if it does
// not speak of them; their order is the reference's and matters.
class WordReplacement {
public:
    WordReplacement(const TokenSpan& source, const TokenSpan& target)
        : source_span_(source),
          target_span_(target),
          o_(source[0]),
          c_(target[0]),
          o_part_(part_of_tag(o_.tag)),
          c_part_(part_of_tag(c_.tag)),
          o_text_(decode_utf8(o_.text)),
          c_text_(decode_utf8(c_.text)) {}

    std::string_view special() const {
        if (o_.tag == "POS" || c_.tag == "POS") return "NOUN:POSS";
        if ((is_contraction(o_) || is_contraction(c_)) && o_part_ == c_part_) return "CONTR";
        const auto o_auxiliary = auxiliary_of(o_.lower), c_auxiliary = auxiliary_of(c_.lower);
        if ((!o_auxiliary.empty() && c_.lower == o_auxiliary) || (!c_auxiliary.empty() && o_.lower == c_auxiliary))
            return "CONTR";
        if (!o_auxiliary.empty() || !c_auxiliary.empty()) return "VERB:TENSE";
        return are("was", "were") ? "VERB:SVA" : "";
    }

    std::string spelling(const KnownWord& known_word) const {
        if (!is_alphabetic(o_text_) || known_word(o_.text) || known_word(o_.lower)) return "";
        if (o_.lemma == c_.lemma) {
            const bool inflected = o_part_ == c_part_ && (o_part_ == "NOUN" || o_part_ == "VERB");
            return inflected ? std::string(o_part_) + ":INFL" : "MORPH";
        }
        const double alike = similarity();
        if (alike > 0.55) return "SPELL";
        const bool third = alike >= 0.3325 && alike <= 0.3335;  // .333 when rounded
        if ((alike == 0.5 || third) && o_text_.size() <= 4 && c_text_.size() <= 4) return "SPELL";
        return is_rare_part(c_part_) ? "OTHER" : std::string(c_part_);
    }

    std::string_view morphology() const {
        if (!is_open_part(o_part_) || !is_open_part(c_part_)) return "";
        if (o_.lemma == c_.lemma) return inflection();
        return lancaster_stem(o_.text) == lancaster_stem(c_.text) ? "MORPH" : "";
    }

    std::string_view general() const {
        if (is_auxiliary(o_) && is_auxiliary(c_)) return "VERB:TENSE";
        if (o_part_ == c_part_ && !is_rare_part(o_part_)) return o_part_;
        if (o_.dep == c_.dep) {
            if (const auto part = part_of_dependency(o_.dep); !part.empty()) return part;
        }
        if (parts_are("PART", "PREP") || same_pair({o_.dep, c_.dep}, "prt", "prep")) return "PART";
        if (parts_are("DET", "PRON")) {
            for (const std::string_view label : {"nsubj", "nsubjpass", "dobj", "pobj"}) {
                if (c_.dep == label) return "PRON";
            }
            if (c_.dep == "poss") return "DET";
        }
        if (parts_are("NUM", "DET")) return "DET";
        if (are("other", "another")) return "DET";
        if (o_.lower == "your" && c_.lower == "yours") return "PRON";
        return are("no", "not") ? "OTHER" : "";
    }

    std::string_view by_letters() const {
        if (!is_alphabetic(o_text_) || !is_alphabetic(c_text_)) return "OTHER";
        const double alike = similarity();
        const size_t o = o_text_.size(), c = c_text_.size();
        const std::string_view content = is_rare_part(c_part_) ? std::string_view{} : c_part_;
        switch (o) {
            case 1:
                return c == 2 && alike == 0.5 ? "SPELL" : "";
            case 2:
                return c >= 2 && c <= 3 && alike >= 0.5 ? "SPELL" : "";
            case 3:
                if (o_.lower == "the" && c_.lower == "that") return "PRON";
                if (o_.lower == "all" && c_.lower == "everything") return "PRON";
                return c >= 2 && c <= 4 && alike >= 0.5 ? "SPELL" : "";
            case 4:
                if (are("that", "what")) return "PRON";
                if (are("good", "well") && !content.empty()) return content;
                if ((c == 3 && alike > 0.5) || (c == 4 && alike >= 0.5) || (c == 5 && alike == 0.8)) return "SPELL";
                return c > 5 && alike > 0.5 ? content : "";
            case 5:
                if (are("after", "later") && !content.empty()) return content;
                if ((c == 4 && alike == 0.8) || (c == 5 && alike >= 0.6)) return "SPELL";
                return c > 5 ? content : "";
            default:
                return c > 5 ? long_words(alike, content) : "";
        }
    }

private:
    static bool same_pair(Pair found, std::string_view a, std::string_view b) {
        return found == Pair{a, b} || found == Pair{b, a};
    }
    bool are(std::string_view a, std::string_view b) const { return same_pair({o_.lower, c_.lower}, a, b); }
    bool parts_are(std::string_view a, std::string_view b) const { return same_pair({o_part_, c_part_}, a, b); }
    double similarity() const { return levenshtein_similarity(decode_utf8(o_.lower), decode_utf8(c_.lower)); }
    bool one_has_tag(std::string_view tag) const { return o_.tag == tag || c_.tag == tag; }

    std::string_view long_words(double alike, std::string_view content) const {
        if (o_.lower == "therefor" && c_.lower == "therefore") return "SPELL";
        if (are("though", "thought")) return "SPELL";
        if ((begins_with(o_.text, c_.text) || begins_with(c_.text, o_.text)) && alike >= 0.66) return "MORPH";
        if (alike > 0.8) return "SPELL";
        return alike < 0.55 ? content : "";
    }

    // Of two words of one lemma.
    std::string_view inflection() const {
        if (o_part_ == c_part_) {
            if (o_part_ == "ADJ") return "ADJ:FORM";
            if (o_part_ == "NOUN") return "NOUN:NUM";
            if (o_part_ == "VERB") {
                if (both_follow_auxiliary() || one_has_tag("VBG") || one_has_tag("VBN")) return "VERB:FORM";
                if (one_has_tag("VBD")) return "VERB:TENSE";
                if (one_has_tag("VBZ")) return "VERB:SVA";
                if (is_auxiliary(o_) && is_auxiliary(c_)) return "VERB:TENSE";
            }
        }
        const auto describes = [](const AnnotatedToken& token) { return token.dep == "acomp" || token.dep == "amod"; };
        if (describes(o_) && describes(c_)) return "ADJ:FORM";
        if (o_part_ == "ADJ" && c_.tag == "NNS") return "NOUN:NUM";
        if (c_.tag == "VBG" || c_.tag == "VBN") return "VERB:FORM";
        if (c_.tag == "VBD") return "VERB:TENSE";
        return c_.tag == "VBZ" ? "VERB:SVA" : "MORPH";
    }

    // Main verbs that both have an auxiliary; or auxiliaries neither of which is the first of its verb.
    bool both_follow_auxiliary() const {
        if (!is_auxiliary(o_) || !is_auxiliary(c_)) {
            const auto has_auxiliary = [](const TokenSpan& tokens) {
                const auto children = tokens.children(tokens.index(0));
                return std::any_of(children.begin(), children.end(), [](const AnnotatedToken* child) {
                    return child->dep == "aux" || child->dep == "auxpass";
                });
            };
            return has_auxiliary(source_span_) && has_auxiliary(target_span_);
        }
        const auto is_later = [](const TokenSpan& tokens) {
            const auto siblings = tokens.children(static_cast<size_t>(std::max<int64_t>(0, tokens[0].head)));
            const auto first =
                std::find_if(siblings.begin(), siblings.end(), [](const AnnotatedToken* s) { return is_auxiliary(*s); });
            return first != siblings.end() && (*first)->text != tokens[0].text;
        };
        return is_later(source_span_) && is_later(target_span_);
    }

    TokenSpan source_span_, target_span_;
    const AnnotatedToken &o_, &c_;  // the original and the corrected word
    std::string_view o_part_, c_part_;
    std::u32string o_text_, c_text_;
};

}  // namespace

bool is_contraction(const AnnotatedToken& token) {
    static constexpr std::array<std::string_view, 7> kContractions = {"'d", "'ll", "'m", "n't", "'re", "'s", "'ve"};
    return std::find(kContractions.begin(), kContractions.end(), token.lower) != kContractions.end();
}

std::string word_replacement_type(const TokenSpan& source, const TokenSpan& target, const KnownWord& known_word) {
    const WordReplacement words(source, target);
    if (const auto type = words.special(); !type.empty()) return std::string(type);
    if (std::string type = words.spelling(known_word); !type.empty()) return type;
    if (const auto type = words.morphology(); !type.empty()) return std::string(type);
    if (const auto type = words.general(); !type.empty()) return std::string(type);
    return std::string(words.by_letters());
}

}  // namespace craft

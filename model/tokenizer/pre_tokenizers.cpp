#include "model/tokenizer/pre_tokenizers.h"

#include "core/error.h"
#include "model/tokenizer/component_table.h"
#include "model/tokenizer/unicode_classes.h"
#include "text/code_points.h"

namespace craft {

namespace {

class SequencePreTokenizer final : public PreTokenizer {
public:
    explicit SequencePreTokenizer(const Component& component) {
        for (const Component& part : component.components("pretokenizers")) parts_.push_back(make_pre_tokenizer(part));
    }
    void split(PieceList& list) const override {
        for (const auto& part : parts_) part->split(list);
    }
    bool leave_byte_alphabet() override { return !parts_.empty() && parts_.back()->leave_byte_alphabet(); }

private:
    std::vector<std::unique_ptr<PreTokenizer>> parts_;
};

// Splits at characters of a class.
class CharacterSplit final : public PreTokenizer {
public:
    CharacterSplit(bool (*matches)(char32_t), MatchBehaviour behaviour) : matches_(matches), behaviour_(behaviour) {}
    void split(PieceList& list) const override {
        split_pieces(list, [&](const Piece& piece) {
            list.spans.clear();
            character_spans(piece.text, matches_, list.spans);
            append_parts(list, piece, behaviour_);
        });
    }

private:
    bool (*matches_)(char32_t);
    MatchBehaviour behaviour_;
};

class PatternSplit final : public PreTokenizer {
public:
    PatternSplit(Pattern pattern, MatchBehaviour behaviour, bool invert)
        : pattern_(std::move(pattern)), behaviour_(behaviour), invert_(invert) {}
    void split(PieceList& list) const override {
        split_pieces(list, [&](const Piece& piece) {
            list.spans.clear();
            pattern_.spans(piece.text, list.spans);
            if (invert_)
                for (PatternSpan& span : list.spans) span.match = !span.match;
            append_parts(list, piece, behaviour_);
        });
    }

private:
    Pattern pattern_;
    MatchBehaviour behaviour_;
    bool invert_;
};

class BertPreTokenizer final : public PreTokenizer {
public:
    void split(PieceList& list) const override {
        blanks_.split(list);
        punctuation_.split(list);
    }

private:
    CharacterSplit blanks_{is_white_space, MatchBehaviour::removed};
    CharacterSplit punctuation_{is_wide_punctuation, MatchBehaviour::isolated};
};

class FixedLength final : public PreTokenizer {
public:
    explicit FixedLength(const Component& component) : length_(component.number("length", 5)) {
        if (length_ == 0) component.fail("length", "1 or more", "0");
    }
    void split(PieceList& list) const override {
        split_pieces(list, [&](const Piece& piece) {
            size_t begin = 0, at = 0;
            int64_t characters = 0;
            while (at < piece.text.size()) {
                at += code_point_at(piece.text, at).bytes;
                if (++characters < length_ && at < piece.text.size()) continue;
                list.next.push_back({piece.text.substr(begin, at - begin), piece.at_start && begin == 0});
                begin = at;
                characters = 0;
            }
        });
    }

private:
    int64_t length_;
};

// \w+|[^\w\s]+
class WhitespacePreTokenizer final : public PreTokenizer {
public:
    void split(PieceList& list) const override {
        split_pieces(list, [&](const Piece& piece) {
            size_t begin = 0;
            int kind = 0;  // of the run that begins there: 0 blanks, 1 word, 2 neither
            const auto close = [&](size_t end) {
                if (kind != 0 && begin < end)
                    list.next.push_back({piece.text.substr(begin, end - begin), piece.at_start && begin == 0});
                begin = end;
            };
            for (size_t at = 0; at < piece.text.size();) {
                const CodePoint c = code_point_at(piece.text, at);
                const int next = is_word(c.value) ? 1 : is_white_space(c.value) ? 0 : 2;
                if (next != kind) close(at);
                kind = next;
                at += c.bytes;
            }
            close(piece.text.size());
        });
    }
};

std::unique_ptr<PreTokenizer> make_punctuation(const Component& component) {
    const MatchBehaviour behaviour =
        component.has("behavior") ? match_behaviour(component, "behavior") : MatchBehaviour::isolated;
    return std::make_unique<CharacterSplit>(is_wide_punctuation, behaviour);
}

std::unique_ptr<PreTokenizer> make_digits(const Component& component) {
    const bool each = component.flag("individual_digits");
    return std::make_unique<CharacterSplit>(is_number_of_any_kind,
                                            each ? MatchBehaviour::isolated : MatchBehaviour::contiguous);
}

std::unique_ptr<PreTokenizer> make_split(const Component& component) {
    return std::make_unique<PatternSplit>(pattern_of(component), match_behaviour(component, "behavior"),
                                          component.flag("invert"));
}

std::unique_ptr<PreTokenizer> make_delimiter_split(const Component& component) {
    return std::make_unique<PatternSplit>(Pattern::literal(component.character("delimiter")), MatchBehaviour::removed,
                                          false);
}

std::unique_ptr<PreTokenizer> make_whitespace_split(const Component&) {
    return std::make_unique<CharacterSplit>(is_white_space, MatchBehaviour::removed);
}

template <class Kind>
constexpr auto plain_pre_tokenizer = make_part<PreTokenizer, Kind>;

const ComponentTable<PreTokenizer>& pre_tokenizer_makers() {
    static const ComponentTable<PreTokenizer> known = {
        {"BertPreTokenizer", plain_pre_tokenizer<BertPreTokenizer>},
        {"ByteLevel", make_byte_level},
        {"CharDelimiterSplit", make_delimiter_split},
        {"Digits", make_digits},
        {"FixedLength", plain_pre_tokenizer<FixedLength>},
        {"Metaspace", make_metaspace},
        {"Punctuation", make_punctuation},
        {"Sequence", plain_pre_tokenizer<SequencePreTokenizer>},
        {"Split", make_split},
        {"Whitespace", plain_pre_tokenizer<WhitespacePreTokenizer>},
        {"WhitespaceSplit", make_whitespace_split},
    };
    return known;
}

}  // namespace

Pattern pattern_of(const Component& component) {
    const Component pattern(component.object("pattern"), component.where() + ".pattern");
    if (pattern.has("Regex")) return Pattern::regular(pattern.text("Regex"), pattern.where());
    if (pattern.has("String")) return Pattern::literal(pattern.text("String"));
    throw Error(pattern.where(), "String or Regex", "neither");
}

std::unique_ptr<PreTokenizer> make_pre_tokenizer(const Component& component) {
    return make_from(pre_tokenizer_makers(), component, "pre-tokenizer");
}

}  // namespace craft

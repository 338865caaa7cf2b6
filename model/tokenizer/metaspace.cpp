#include "model/tokenizer/metaspace.h"

#include "model/tokenizer/pre_tokenizers.h"

namespace craft {

namespace {

class MetaspacePreTokenizer final : public PreTokenizer {
public:
    explicit MetaspacePreTokenizer(const Component& component)
        : options_(read_metaspace(component)), mark_(Pattern::literal(options_.mark)) {}

    void split(PieceList& list) const override {
        split_pieces(list, [&](Piece piece) {
            list.rewritten.push_back(marked(piece));
            piece.text = list.rewritten.back();
            if (!options_.split) {
                list.next.push_back(piece);
                return;
            }
            list.spans.clear();
            mark_.spans(piece.text, list.spans);
            append_parts(list, piece, MatchBehaviour::merged_with_next);
        });
    }

private:
    std::string marked(const Piece& piece) const {
        std::string text;
        text.reserve(piece.text.size() + piece.text.size() / 4 + options_.mark.size());
        const bool begins_marked = piece.text.starts_with(' ') || piece.text.starts_with(options_.mark);
        const bool prepend = options_.prepend == Metaspace::Prepend::always ||
                             (options_.prepend == Metaspace::Prepend::first && piece.at_start);
        if (prepend && !begins_marked) text += options_.mark;
        for (const char c : piece.text) {
            if (c == ' ')
                text += options_.mark;
            else
                text += c;
        }
        return text;
    }

    Metaspace options_;
    Pattern mark_;
};

}  // namespace

Metaspace read_metaspace(const Component& component) {
    Metaspace options;
    options.mark = component.character("replacement");
    const std::string scheme = component.optional_text("prepend_scheme").value_or("always");
    if (scheme == "first")
        options.prepend = Metaspace::Prepend::first;
    else if (scheme == "never")
        options.prepend = Metaspace::Prepend::never;
    else if (scheme != "always")
        component.fail("prepend_scheme", "first, never or always", "'" + scheme + "'");
    if (!component.flag("add_prefix_space", true)) {
        if (options.prepend != Metaspace::Prepend::never && component.has("prepend_scheme"))
            component.fail("add_prefix_space", "true where prepend_scheme is '" + scheme + "'", "false");
        options.prepend = Metaspace::Prepend::never;
    }
    options.split = component.flag("split", true);
    return options;
}

std::unique_ptr<PreTokenizer> make_metaspace(const Component& component) {
    return std::make_unique<MetaspacePreTokenizer>(component);
}

}  // namespace craft

// The wordings of constraints: templates in a file, some held out for development sets (CRAFT App. C.2).
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/constraints/sentence_places.h"
#include "data/instruction.h"

namespace craft {

// Which wordings and values may be used: training, development and sealed data share none. `all` holds nothing out but the
// sealed wordings, which are in a file of their own.
enum class Split { all, train, dev, sealed };

// How a wording fits into an instruction.
enum class Form {
    say,   // a plain sentence, which others can be joined to
    that,  // a clause that can follow "ensure that"
    with,  // a phrase that can follow a comma: "with each sentence ..."
    ing,   // a participle phrase that can follow a comma: "keeping the third sentence unchanged"
    fact,  // a sentence or several that nothing is joined to: a question, a house rule
    item,  // a fragment: an item of a list, or it stands like a sentence
};

struct Wording {
    Split split = Split::train;  // train, dev or sealed
    Form form = Form::say;
    std::vector<std::string> texts;  // its alternatives spelled out, with slots, see share/wordings/constraints.json
};

// What stands in an instruction beside the wordings of its constraints; share/wordings/constraints.json says what each is.
enum class Part { openers, ensure, talk, closers, lists, bullets, repeats, changes, withdrawals };
inline constexpr int kParts = 9;

// How often an instruction is written in which way. Each is a probability; 0 turns it off.
struct Chances {
    double words = 0.4;      // of a wording: its numbers up to 120 are written in words
    double large_words = 0;  // of such a wording: larger ones, too
    double places = 0;       // of a sentence: it is named by its place or by what it says instead of by its number
    double list = 0;         // of an instruction of two constraints or more: they are the items of a list
    double talk = 0;         // of each place between constraints: talk stands there
    double closers = 0;      // of an instruction: it ends with more than a colon
    double repeats = 0;      // of a constraint: it is said twice in two ways
    double changes = 0;      // of a constraint: other values were said before
    double withdrawals = 0;  // of an instruction: a limit of another kind is said and taken back
};

class Wordings {
public:
    // Those of training and of development data (share/wordings/constraints.json). What a dev wording says too is taken out
    // of the training wordings beside it. Throws Error naming the file and what is wrong: an unknown form or slot, a list
    // without wordings of a split.
    static Wordings load(const std::filesystem::path& file);
    // Those of the sealed evaluation sets (share/wordings/sealed.json): openers, and for each shape sentences without
    // alternatives, all Split::sealed. Throws Error likewise.
    static Wordings load_sealed(const std::filesystem::path& file);

    const std::vector<Wording>& of(Shape shape) const { return shapes_[static_cast<size_t>(shape)]; }
    const std::vector<Wording>& of(Part part) const { return parts_[static_cast<size_t>(part)]; }
    const std::vector<Wording>& of(Place place) const { return places_[static_cast<size_t>(place)]; }
    // What a constraint of this sub-type is called when it is spoken of: "the word limit".
    const std::vector<Wording>& topics(SubType type) const { return topics_[static_cast<size_t>(type)]; }
    const Chances& chances() const { return chances_; }
    const std::string& version() const { return version_; }  // hash of the file, for manifests

private:
    std::array<std::vector<Wording>, kShapes> shapes_;
    std::array<std::vector<Wording>, kParts> parts_;
    std::array<std::vector<Wording>, kPlaces> places_;
    std::array<std::vector<Wording>, kSubTypes> topics_;
    Chances chances_;
    std::string version_;
};

// The wordings of `all` that `split` may use. Split::all uses no sealed ones.
std::vector<const Wording*> allowed(const std::vector<Wording>& all, Split split);

struct Rendering {
    std::string instruction;
    // What says each constraint, as it stands in the instruction, in the order of the constraints: with the "Ensure that"
    // that opens its sentence, without the "and that" that joins it to another. Of a constraint that was changed it is the
    // part that has the last word.
    std::vector<std::string> phrases;
};

// A whole instruction in words: an opener and the constraints in their order, as sentences of their own, joined into one
// ("Ensure that ..., with each sentence ...") or as a list, with talk that sets no limit between them. However it is put, it
// asks for `constraints` and nothing else. `sentences`: of the text to revise; where there are none, sentences are named by
// their numbers, and no value is changed.
Rendering render_instruction(const std::vector<Constraint>& constraints, const std::vector<std::string>& sentences,
                             const Wordings& wordings, Split split, Rng& rng);

}  // namespace craft

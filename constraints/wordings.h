// The wordings of constraints: templates in a file, some held apart for development sets (CRAFT App. C.2).
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/instruction.h"

namespace craft {

// Which wordings and values may be used: training, development and sealed data share none. `all` holds nothing apart but the
// sealed wordings, which are in a file of their own.
enum class Split { all, train, dev, sealed };

// How a wording fits into a sentence.
enum class Form {
    say,   // a sentence of its own
    that,  // a clause that can follow "ensure that"
    with,  // a phrase that can follow a comma: "with each sentence ..."
    ing,   // a participle phrase that can follow a comma: "keeping the third sentence unchanged"
};

struct Wording {
    Split split = Split::train;  // train, dev or sealed
    Form form = Form::say;
    std::vector<std::string> texts;  // its alternatives spelled out, with slots, see share/wordings/constraints.json
};

class Wordings {
public:
    // Those of training and of development data (share/wordings/constraints.json). What a dev wording says too is taken out
    // of the training wordings beside it. Throws Error naming the file and what is wrong: an unknown form or slot, a shape
    // without wordings of a split.
    static Wordings load(const std::filesystem::path& file);
    // Those of the sealed evaluation sets (share/wordings/sealed.json): each a sentence of its own, without alternatives,
    // all Split::sealed. Throws Error likewise.
    static Wordings load_sealed(const std::filesystem::path& file);

    const std::vector<Wording>& of(Shape shape) const { return shapes_[static_cast<size_t>(shape)]; }
    const std::vector<Wording>& openers() const { return openers_; }
    const std::vector<Wording>& ensure() const { return ensure_; }
    const std::string& version() const { return version_; }  // hash of the file, for manifests

private:
    std::array<std::vector<Wording>, kShapes> shapes_;
    std::vector<Wording> openers_, ensure_;
    std::string version_;
};

// The wordings of `all` that `split` may use. Split::all uses no sealed ones.
std::vector<const Wording*> allowed(const std::vector<Wording>& all, Split split);

struct Rendering {
    std::string instruction;
    // What says each constraint, as it stands in the instruction: with the "Ensure that" that opens its sentence, without
    // the "and that" that joins it to another.
    std::vector<std::string> phrases;
};

// A whole instruction in words, ending in ":": an opener and the constraints in their order, some as sentences of their own,
// some joined into one ("Ensure that ..., with each sentence ...").
Rendering render_instruction(const std::vector<Constraint>& constraints, const Wordings& wordings, Split split, Rng& rng);

// A renderer that rewrites a template's text, e.g. a language model (CRAFT App. C.2).
class InstructionRewriter {
public:
    virtual ~InstructionRewriter() = default;
    virtual std::string rewrite(const std::string& instruction) = 0;
};
// False if the rewritten text lost a number (digits or words, shifted forms included), a keyword in quotes or a sentence id.
bool keeps_values(const std::string& rewritten, const std::string& original, const std::vector<Constraint>& constraints);

}  // namespace craft

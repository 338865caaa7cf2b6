#include "rollout/teacher_example.h"

#include "core/error.h"
#include "data/constraints/generator.h"
#include "data/trajectory.h"
#include "rollout/rules/rules_teacher.h"

namespace craft {

TeacherExample make_teacher_example(const std::filesystem::path& file, const std::shared_ptr<const Rules>& rules,
                                    const Wordings& wordings, const WordingTable& teacher, uint64_t seed,
                                    SentenceRule sentences) {
    const std::string where = file.string();
    const Json json = read_json_file(file);
    if (!json.is_object() || !json.contains("sentences") || !json["sentences"].is_array())
        throw Error(where, "an object with 'text' and a list 'sentences'", "another one");
    SourceText source{"example", string_field(json, "text", where), {}};
    const std::vector<std::string> originals = split_sentences(source.text, sentences);
    if (originals.size() != json["sentences"].size())
        throw Error(where + ": sentences", "one entry per sentence of the text (" + std::to_string(originals.size()) + ")",
                    std::to_string(json["sentences"].size()));
    std::vector<PlanLine> plan;
    for (size_t i = 0; i < originals.size(); ++i) {
        const Json& sentence = json["sentences"][i];
        plan.push_back({originals[i], string_field(sentence, "plan", where)});
        source.revision += (i == 0 ? "" : " ") + string_field(sentence, "revision", where);
    }

    GeneratorOptions options;
    options.domains = {2};
    options.count = 1;
    options.seed = seed;
    options.stage = "teacher-example";
    options.split = Split::train;
    options.sentences = sentences;
    Trajectory start;
    const auto report = generate_instructions(
        {source}, [](const std::string&, Rng&) { return std::string(); }, wordings, options,
        [&](Instruction&& made, const std::string&) { start.instruction = std::move(made); });
    if (start.instruction.instruction.empty())
        throw Error(where, "a revision from which constraints can be read", "none" + dropped_note(report.dropped));

    TeacherOptions words;
    words.seed = seed;
    words.sentences = sentences;
    PlannerResponse response = RulesTeacher(rules, teacher, words).respond(start, 0, 0);
    response.plan = std::move(plan);
    return {start.instruction.instruction, source.text, print_response(response)};
}

std::string with_example(const std::string& prompt, const TeacherExample& example) {
    return fill_in(
        prompt,
        {{"example_request", example.request}, {"example_text", example.text}, {"example_response", example.response}});
}

}  // namespace craft

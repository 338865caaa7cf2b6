#include "cli/judging_materials.h"

#include "cli/option_groups.h"
#include "core/weights_folder.h"
#include "english/constituents.h"
#include "text/sentences.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

// link-grammar reads sentences; a text's parse is theirs, one behind the other, and none where a sentence has none.
std::string parse_of_text(ConstituentParser& parser, const std::string& text) {
    std::string parses;
    for (const std::string& sentence : split_sentences(text)) {
        const std::string parse = parser.parse(sentence).bracketed;
        if (parse.empty()) return "";
        parses += (parses.empty() ? "" : " ") + parse;
    }
    return parses;
}

}  // namespace

void bind_judging_settings(OptionTable& table, JudgingSettings& s) {
    bind_judging_materials(table, s);
    bind_english(table, s.english).not_identity();
}

void bind_judging_materials(OptionTable& table, JudgingSettings& s) {
    const auto group = table.group(kJudgeGroup);
    bind_word_alignment(table, s.aligner);
    table.add("parses", s.parses,
              "show judges parses by link-grammar where a guideline asks for them and its English dictionary is installed");
    bind_rule_judge(table, s.rules);
}

std::shared_ptr<WordAligner> JudgingSources::aligner(const WordAlignmentSettings& settings) {
    if (!aligner_) aligner_ = open_word_alignment(settings, common_);
    return aligner_;
}

NamedMaterials JudgingSources::materials() {
    NamedMaterials made{.materials = {},
                        .names = {{"alignment", word_alignment_record(settings_.aligner)}, {"parses", nullptr}}};
    if (!settings_.aligner.encoder.empty())
        made.materials.align =
            [aligner = aligner(settings_.aligner)](const std::vector<std::pair<std::string, std::string>>& pairs) {
                return aligner->align(pairs);
            };
    if (settings_.parses && fs::exists(link_grammar_dictionary_file())) {
        made.names["parses"] = "link-grammar";
        made.materials.parse = [parser = std::make_shared<ConstituentParser>()](const std::string& text) {
            return parse_of_text(*parser, text);
        };
    }
    return made;
}

PrincipleSources JudgingSources::principles() {
    WordAlignmentSettings settings = settings_.aligner;
    if (settings.encoder.empty()) {
        settings.encoder = weights_place("minilm", "config.json");
        if (!fs::exists(settings.encoder)) settings.encoder.clear();  // the error that follows says how to get it
    }
    return open_principle_sources(settings_.rules, find_english(settings_.english), aligner(settings), common_);
}

}  // namespace craft

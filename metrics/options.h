// The options of all metrics. Each metric has its own defaults and refuses what it does not use (metrics/registry.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"

namespace craft {

enum class WordTokenizer {
    mteval13a,   // "13a": sacreBLEU's default, equal to mteval-v13a of WMT
    intl,        // sacreBLEU's international one: every punctuation mark and symbol of Unicode
    nltk,        // NLTK's word tokeniser as of 3.7-3.9.2, which EditEval asks for (text/treebank.h)
    nltk_3_10,   // "nltk3.10": the same as of 3.10.4
    whitespace,  // none: words are what is between white space
};
enum class SentenceUnit { line, icu };                 // a line is one sentence, or ICU's English break iterator looks
enum class GleuDraws { python3, python2 };             // how GLEU draws one reference an item
enum class BleuSmoothing { exp, floor, add_k, none };  // sacreBLEU's, of precisions that are zero
enum class MetricVariant {
    easse,          // SARI as EASSE computes it by default: F1 for added, kept and deleted n-grams
    del_precision,  // SARI with precision alone for deleted n-grams, as the original paper's code
    micro,          // SARI by the paper's equations: precision and recall are averaged over n before F1
    legacy,         // SARI whose source is neither lowercased nor tokenised, as EASSE's option of that name
    sacrebleu,      // BLEU as sacreBLEU computes it, 0-100
    editeval,       // BLEU as EditEval computes it (tensorflow/nmt), 0-1
    rouge_score,    // ROUGE as rouge-score computes it, of several references the best
    published,      // as EditEval's program computes it: ROUGE against the printed list of references, SARI with as many
                    // references an item as the item that has the fewest
};

enum class TextNormalizer {
    none,      // texts as given
    treebank,  // Treebank tokens written as running text first (text/treebank_detokenizer.h), EditEval's default
};

// An absent option has the metric's own default.
struct MetricOptions {
    std::optional<WordTokenizer> tokenizer;   // how texts are cut into words
    std::optional<bool> lowercase;            // compare texts without regard to case
    std::optional<SentenceUnit> sentences;    // what counts as a sentence
    std::optional<GleuDraws> draws;           // GLEU: under which Python the script's 500 draws are repeated
    std::optional<MetricVariant> variant;     // SARI, BLEU: which definition
    std::optional<BleuSmoothing> smoothing;   // BLEU: what stands for a precision of zero
    std::optional<double> smoothing_value;    // BLEU: of floor (default 0.1) and add-k (default 1)
    std::optional<TextNormalizer> normalize;  // every metric: what is done to all texts first; default none
};

template <class E>
using OptionNames = std::vector<std::pair<std::string, std::optional<E>>>;

// Calls visit(key, field, names, help) for every field that is an enum, visit(key, field, help) for others; what reads
// options from outside goes through this list and no other.
template <class Options, class Visit>
void for_each_metric_option(Options& o, Visit&& visit) {
    visit("tokenizer", o.tokenizer,
          OptionNames<WordTokenizer>{{"13a", WordTokenizer::mteval13a},
                                     {"intl", WordTokenizer::intl},
                                     {"nltk", WordTokenizer::nltk},
                                     {"nltk3.10", WordTokenizer::nltk_3_10},
                                     {"whitespace", WordTokenizer::whitespace}},
          "how texts are tokenised into words");
    visit("lowercase", o.lowercase, "compare texts ignoring case");
    visit("sentences", o.sentences, OptionNames<SentenceUnit>{{"line", SentenceUnit::line}, {"icu", SentenceUnit::icu}},
          "what counts as a sentence: each line, or what ICU finds");
    visit("draws", o.draws, OptionNames<GleuDraws>{{"python3", GleuDraws::python3}, {"python2", GleuDraws::python2}},
          "gleu: whose 500 random draws of references");
    visit("variant", o.variant,
          OptionNames<MetricVariant>{{"easse", MetricVariant::easse},
                                     {"del_precision", MetricVariant::del_precision},
                                     {"micro", MetricVariant::micro},
                                     {"legacy", MetricVariant::legacy},
                                     {"sacrebleu", MetricVariant::sacrebleu},
                                     {"editeval", MetricVariant::editeval},
                                     {"rouge_score", MetricVariant::rouge_score},
                                     {"published", MetricVariant::published}},
          "sari, bleu, rouge: which definition");
    visit("smoothing", o.smoothing,
          OptionNames<BleuSmoothing>{{"exp", BleuSmoothing::exp},
                                     {"floor", BleuSmoothing::floor},
                                     {"add-k", BleuSmoothing::add_k},
                                     {"none", BleuSmoothing::none}},
          "bleu: smoothing of precisions of zero");
    visit("smoothing_value", o.smoothing_value, "bleu: value of floor and add-k smoothing");
    visit("normalize", o.normalize,
          OptionNames<TextNormalizer>{{"none", TextNormalizer::none}, {"treebank", TextNormalizer::treebank}},
          "preprocessing of all texts: nothing, or Treebank tokens become running text as in EditEval");
}

// The keys of the options that are given, in the order above.
std::vector<std::string> given_options(const MetricOptions& options);

// The options that a metric's options() names, read back; other keys, as iBLEU's constant, are left out. Throws
// Error(where + ": field 'x'") for a value that is none of the option's.
MetricOptions metric_options_of(const Json& options, const std::string& where);

std::string option_name(WordTokenizer value);
std::string option_name(SentenceUnit value);
std::string option_name(GleuDraws value);
std::string option_name(MetricVariant value);
std::string option_name(BleuSmoothing value);
std::string option_name(TextNormalizer value);

}  // namespace craft

#include "cli/names_of_others.h"

#include <algorithm>
#include <cctype>

namespace craft {

const std::vector<NameOfOthers>& names_of_others() {
    // A name that is written alike here, but for dashes and dots (lora_alpha, max_grad_norm), needs its row for
    // configurations.
    static const std::vector<NameOfOthers> kNames = {
        {"model_name_or_path", {"model", "base_model"}},
        {"base_model", {"model", "base_model"}},
        {"adapter_name_or_path", {"adapter"}},
        {"dataset", {"data.path", "pairs", "texts", "input"}},
        {"dataset_name", {"data.path", "pairs", "texts", "input"}},
        {"datasets", {"data.path", "pairs", "texts", "input"}},
        {"output_dir", {"out", "output"}},
        {"overwrite_output_dir", {"overwrite"}},
        {"learning_rate", {"train.lr", "sft.lr", "rounds.train.lr"}},
        {"lr_scheduler_type", {"train.schedule", "sft.schedule", "rounds.train.schedule"}},
        {"lr_scheduler", {"train.schedule", "sft.schedule", "rounds.train.schedule"}},
        {"warmup_ratio", {"train.warmup", "sft.warmup", "rounds.train.warmup"}, "", "below 1 it is a share of the steps"},
        {"warmup_steps", {"train.warmup", "sft.warmup", "rounds.train.warmup"}, "", "from 1 on it is steps"},
        {"weight_decay", {"train.weight_decay"}},
        {"adam_beta2", {"train.beta2", "sft.beta2", "rounds.train.beta2"}},
        {"max_grad_norm", {"train.max_grad_norm", "sft.max_grad_norm", "rounds.train.max_grad_norm"}},
        {"num_train_epochs", {"train.epochs", "sft.epochs", "rounds.train.epochs"}},
        {"num_epochs", {"train.epochs", "sft.epochs", "rounds.train.epochs"}},
        {"max_steps", {"train.epochs", "data.count"}, "", "there is no limit of steps"},
        {"per_device_train_batch_size",
         {"train.batch_size", "sft.batch_size", "rounds.train.batch_size"},
         "",
         "of an optimiser step over all devices"},
        {"gradient_accumulation_steps",
         {"train.micro_batch_tokens", "sft.micro_batch_tokens", "rounds.train.micro_batch_tokens"},
         "",
         "batches are cut by tokens"},
        {"micro_batch_size",
         {"train.micro_batch_tokens", "sft.micro_batch_tokens", "rounds.train.micro_batch_tokens"},
         "",
         "in tokens"},
        {"max_seq_length", {"data.max_length"}},
        {"max_length", {"data.max_length"}},
        {"sequence_len", {"data.max_length"}},
        {"cutoff_len", {"data.max_length"}},
        {"max_prompt_length", {"data.max_prompt_length"}},
        {"save_steps", {"train.save_every"}},
        {"save_total_limit", {"train.keep"}},
        {"eval_steps", {"train.eval_every"}},
        {"eval_dataset", {"eval_data"}},
        {"gradient_checkpointing", {"train.recompute_layers"}, "-1"},
        {"bf16", {"dtype"}, "bfloat16"},
        {"fp16", {"dtype"}, "bfloat16", "nothing is computed in float16"},
        {"load_in_4bit", {"quantize"}, "nf4"},
        {"load_in_8bit", {"quantize"}, "int8"},
        {"lora_r", {"lora.rank"}},
        {"lora_rank", {"lora.rank"}},
        {"lora_alpha", {"lora.alpha"}},
        {"lora_dropout", {"lora.dropout"}},
        {"lora_target_modules", {"lora.targets"}},
        {"lora_target", {"lora.targets"}},
        {"loss_type", {"loss.name", "rounds.loss"}},
        {"pref_loss", {"loss.name", "rounds.loss"}},
        {"beta", {"loss.beta", "rounds.beta"}},
        {"pref_beta", {"loss.beta", "rounds.beta"}},
        {"gamma", {"loss.gamma", "rounds.gamma"}},
        {"simpo_gamma", {"loss.gamma", "rounds.gamma"}},
        {"cpo_alpha", {"loss.alpha", "rounds.alpha"}},
        {"rpo_alpha", {"loss.alpha", "rounds.alpha"}},
        {"num_generations", {"rounds.samples"}},
        {"num_iterations", {"train.epochs"}, "", "passes over a round's groups"},
        {"epsilon", {"grpo.epsilon_low", "grpo.epsilon_high"}},
        {"logging_steps", {}, "", "metrics.jsonl has every step", "out"},
        {"report_to", {}, "", "runs write metrics.jsonl, and TensorBoard events under tb/", "out"},
        {"resume_from_checkpoint", {}, "", "the same command with the same --out goes on where it stopped", "out"},
        {"use_peft", {}, "", "an adapter is trained unless --full says otherwise", "train.full"},
        {"optim", {}, "", "trainings are by AdamW", "train.lr"},
    };
    return kNames;
}

namespace {

std::string plain_name(const std::string& name) {
    std::string plain;
    for (const char c : name.substr(std::min(name.find_first_not_of('-'), name.size())))
        plain += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain;
}

}  // namespace

std::string name_of_others(const OptionTable& table, const std::string& name, bool is_flag) {
    const auto& names = names_of_others();
    const auto found = std::find_if(names.begin(), names.end(),
                                    [plain = plain_name(name)](const NameOfOthers& one) { return one.name == plain; });
    if (found == names.end()) return "";
    if (found->keys.empty()) return table.find(found->where) == nullptr ? "" : "is no option here: " + found->note;
    std::string here;
    for (const std::string& key : found->keys) {
        const Option* option = table.find(key);
        if (option == nullptr) continue;
        std::string shown = is_flag ? option->shown_name() : key;
        if (!found->value.empty()) shown += (shown.starts_with("--set ") || !is_flag ? "=" : " ") + found->value;
        here += (here.empty() ? "" : " or ") + shown;
    }
    return here.empty() ? "" : "is " + here + " here" + (found->note.empty() ? "" : " (" + found->note + ")");
}

}  // namespace craft

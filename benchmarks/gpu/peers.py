"""What benchmarks/gpu/3_peers.sh compares with: TRL and transformers, on the model and data of workload.py.

    python peers.py train sft|pairs|pairs-fused 8b|tiny DIR cuda|cpu OUT   one epoch of TRL from DIR/adapter, which it makes where it is
                                                 missing; OUT: name, each step's seconds and loss, the operations that the workload needs
    python peers.py generate DIR cuda|cpu NEW OUT BATCH...          transformers' greedy generation from the first prompts
"""
import importlib.util
import json
import os
import pathlib
import sys
import time

import workload

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import vs_trl  # noqa: E402

BATCH = 4
BETA, GAMMA = vs_trl.BETA, vs_trl.GAMMA


def wait(device):
    import torch
    if device == "cuda":
        torch.cuda.synchronize()


def load(folder, device):
    import torch
    import transformers as tf
    attention = "flash_attention_2" if importlib.util.find_spec("flash_attn") else "sdpa"
    return tf.AutoModelForCausalLM.from_pretrained(folder + "/model", dtype=torch.bfloat16, attn_implementation=attention,
                                                   device_map={"": 0 if device == "cuda" else "cpu"})


def adapted(folder, device, fused):
    import peft
    import torch
    torch.manual_seed(2)
    model = load(folder, device)
    if not os.path.exists(folder + "/adapter"):
        targets = ["q_proj", "k_proj", "v_proj", "o_proj"]
        peft.get_peft_model(model, peft.LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, target_modules=targets,
                                                   task_type="CAUSAL_LM")).save_pretrained(folder + "/adapter")
        del model
        model = load(folder, device)
    if fused:
        from trl.trainer.utils import add_fused_lm_head
        add_fused_lm_head(model)
    model = peft.PeftModel.from_pretrained(model, folder + "/adapter", is_trainable=True)
    model.enable_input_require_grads()
    return model


def fused_cpo_trainer():
    """TRL's CPO trainer on TRL's head without logits, which it does not use by itself; for SimPO without the likelihood part."""
    import torch
    from trl.experimental.cpo import CPOTrainer

    class FusedCPOTrainer(CPOTrainer):
        def concatenated_forward(self, model, batch):
            both = self.concatenated_inputs(batch, padding_value=self.pad_token_id, device=self.accelerator.device)
            labels = both["concatenated_labels"]
            result = model(both["concatenated_input_ids"], attention_mask=both["concatenated_attention_mask"], labels=labels,
                           use_cache=False, fused_lm_head=True)
            counted = labels[:, 1:] != -100
            means = (result.log_probs[:, -counted.shape[1]:] * counted).sum(-1) / counted.sum(-1)
            pairs = batch["chosen_labels"].shape[0]
            none = torch.zeros(1, device=means.device)  # in the place of logits, whose means are logged
            return means[:pairs], means[pairs:], none, none, none[0]

    return FusedCPOTrainer


def train(kind, shape, folder, device, out):
    import datasets
    import transformers as tf
    import trl
    from trl.experimental.cpo import CPOConfig, CPOTrainer
    data_kind, fused = kind.split("-")[0], kind.endswith("fused")
    model = adapted(folder, device, fused)
    seen = {"name": f"TRL {trl.__version__}" + (", head without logits" if fused else ""), "seconds": [], "losses": []}
    begin = [0.0]

    class Watch(tf.TrainerCallback):
        def on_train_begin(self, *_, **__):
            begin[0] = time.perf_counter()

        def on_step_end(self, *_, **__):
            wait(device)
            now = time.perf_counter()
            seen["seconds"].append(now - begin[0])
            begin[0] = now

        def on_log(self, args, state, control, logs=None, **_):
            if "loss" in (logs or {}):
                seen["losses"].append(float(logs["loss"]))

    # One pair at a time, for the logits of two padded rows; four make the step.
    common = dict(output_dir=out + ".trl", per_device_train_batch_size=1, gradient_accumulation_steps=BATCH, num_train_epochs=1,
                  learning_rate=1e-4, lr_scheduler_type="constant", max_length=16384, logging_steps=1, save_strategy="no",
                  report_to=[], gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False}, bf16=True,
                  use_cpu=device == "cpu", seed=0, max_grad_norm=0.0, train_sampling_strategy="sequential")
    data = datasets.load_dataset("json", data_files=f"{folder}/{data_kind}.jsonl", split="train")
    tokenizer = tf.AutoTokenizer.from_pretrained(folder + "/model")
    if kind == "sft":
        trainer = trl.SFTTrainer(model=model, args=trl.SFTConfig(completion_only_loss=True, **common), train_dataset=data,
                                 processing_class=tokenizer, callbacks=[Watch()])
    else:
        config = CPOConfig(loss_type="simpo", beta=BETA, simpo_gamma=GAMMA, cpo_alpha=0.0, **common)
        trainer = (fused_cpo_trainer() if fused else CPOTrainer)(model=model, args=config, train_dataset=data,
                                                                 processing_class=tokenizer, callbacks=[Watch()])
    trainer.train()
    vs_trl.MODELS[kind] = workload.SHAPES[shape] + (0,)
    seen["operations"] = vs_trl.operations(kind, folder, f"{folder}/{data_kind}.jsonl")
    with open(out, "w") as file:
        json.dump(seen, file)


def generate(folder, device, new, out, *batches):
    import torch
    model, new = load(folder, device), int(new)
    prompts = [json.loads(line)["input_ids"] for line in open(folder + "/prompts.jsonl")]

    def seconds(ids, count):
        wait(device)
        begin = time.perf_counter()
        model.generate(ids, attention_mask=torch.ones_like(ids), min_new_tokens=count, max_new_tokens=count, do_sample=False)
        wait(device)
        return time.perf_counter() - begin

    with open(out, "w") as file, torch.inference_mode():
        for batch in map(int, batches):
            ids = torch.tensor(prompts[:batch], device=device)
            seconds(ids, 2)
            one, whole = seconds(ids, 1), seconds(ids, new)
            file.write(json.dumps({"batch": batch, "prompt_seconds": one, "tokens_per_second": batch * (new - 1) / (whole - one)}) + "\n")


if __name__ == "__main__":
    {"train": train, "generate": generate}[sys.argv[1]](*sys.argv[2:])

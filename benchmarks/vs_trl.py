"""The Python side of benchmarks/vs_trl.sh.

    python vs_trl.py make KIND DIR                          a random Llama with its tokenizer, and data.jsonl in TRL's forms; for
                                                            smollm2-500 and smollm2-1500 the data alone, for the model in DIR
    python vs_trl.py train KIND DIR DTYPE OUT               one epoch of TRL with LoRA from DIR/adapter-DTYPE, which it makes where
                                                            it is missing; writes OUT: seconds, peak memory, each step's loss
    python vs_trl.py rate DTYPE                             10^9 operations a second of a product of 2048^3, the best of ten
    python vs_trl.py row KIND DIR DTYPE RATE TRL RUN PEAK   a line of the table: TRL's file, our run folder, our peak in KiB
"""
import json
import os
import random
import resource
import sys
import time

BATCH, RATE = 4, 1e-4
BETA, GAMMA = 2.5, 1.375
MODELS = {  # vocabulary, width, layers, heads, key-value heads, inner width, examples
    "pref": (32000, 512, 8, 8, 4, 1408, 32),
    "pref128k": (128256, 256, 4, 4, 2, 704, 16),
    "sft": (32000, 512, 8, 8, 4, 1408, 64),
    "smollm2-500": (49152, 576, 30, 9, 3, 1536, 24),  # SmolLM2-135M-Instruct: sequences of so many tokens, a third of them trained
    "smollm2-1500": (49152, 576, 30, 9, 3, 1536, 12),
}
SHARE = 0.55  # of the best rate of products that is to be reached on SmolLM2
LIMITS = {("pref", "float32"): (4.5, 0.4), ("pref", "bfloat16"): (6.5, 0.4), ("pref128k", "float32"): (12, 0.2),
          ("sft", "float32"): (3.5, 0.4), ("sft", "bfloat16"): (6, 0.4)}


def make(kind, folder):
    import tokenizers
    import torch
    import transformers as tf
    from tokenizers import decoders, models, pre_tokenizers, trainers
    vocabulary, width, layers, heads, kv_heads, inner, count = MODELS[kind]
    rng = random.Random(1)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    lexicon = ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 4))) for _ in range(3000)]

    def text(low, high):
        return " ".join(rng.choice(lexicon) for _ in range(rng.randint(low, high)))

    if kind.startswith("smollm2"):
        tokens, tokenizer = int(kind.split("-")[1]), tf.AutoTokenizer.from_pretrained(folder + "/model")
        with open(folder + "/data.jsonl", "w") as file:
            for _ in range(count):
                ids = tokenizer(text(tokens, tokens))["input_ids"]  # a word is a token or more
                prompt, answer = (tokenizer.decode(part) for part in (ids[:tokens * 2 // 3], ids[tokens * 2 // 3:tokens]))
                file.write(json.dumps({"prompt": prompt, "completion": answer}) + "\n")
        return
    bpe = tokenizers.Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.train_from_iterator([text(150, 250) for _ in range(200)], trainers.BpeTrainer(
        vocab_size=8000, special_tokens=["<end>", "<pad>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    tokenizer = tf.PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token="<end>", pad_token="<pad>")
    torch.manual_seed(1)
    model = tf.LlamaForCausalLM(tf.LlamaConfig(
        vocab_size=vocabulary, hidden_size=width, intermediate_size=inner, num_hidden_layers=layers, num_attention_heads=heads,
        num_key_value_heads=kv_heads, max_position_embeddings=4096, tie_word_embeddings=False, bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id))
    for part in (model, tokenizer):
        part.save_pretrained(folder + "/model")
    with open(folder + "/data.jsonl", "w") as file:
        for _ in range(count):
            if kind == "sft":
                row = {"prompt": text(20, 200), "completion": " " + text(20, 120)}
            else:  # a long history, two answers
                row = {"prompt": text(150, 350), "chosen": " " + text(20, 90), "rejected": " " + text(20, 90)}
            file.write(json.dumps(row) + "\n")


def train(kind, folder, dtype, out):
    import datasets
    import peft
    import torch
    import transformers as tf
    import trl
    from trl.experimental.cpo import CPOConfig, CPOTrainer
    torch.manual_seed(2)
    model = tf.AutoModelForCausalLM.from_pretrained(folder + "/model", dtype=getattr(torch, dtype))
    tokenizer = tf.AutoTokenizer.from_pretrained(folder + "/model")
    adapter = f"{folder}/adapter-{dtype}"
    if not os.path.exists(adapter):
        targets = "all-linear" if kind.startswith("smollm2") else ["q_proj", "k_proj", "v_proj", "o_proj"]
        peft.get_peft_model(model, peft.LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, target_modules=targets,
                                                   task_type="CAUSAL_LM")).save_pretrained(adapter)
        model = tf.AutoModelForCausalLM.from_pretrained(folder + "/model", dtype=getattr(torch, dtype))
    model = peft.PeftModel.from_pretrained(model, adapter, is_trainable=True)
    seen = {"losses": []}

    class Watch(tf.TrainerCallback):
        def on_train_begin(self, *_, **__):
            seen["begin"] = time.perf_counter()

        def on_train_end(self, *_, **__):
            seen["seconds"] = time.perf_counter() - seen["begin"]

        def on_log(self, args, state, control, logs=None, **_):
            if "loss" in (logs or {}):
                seen["losses"].append(float(logs["loss"]))

    common = dict(output_dir=out + ".trl", per_device_train_batch_size=BATCH, num_train_epochs=1, learning_rate=RATE,
                  lr_scheduler_type="constant", max_length=2048, logging_steps=1, save_strategy="no", report_to=[],
                  gradient_checkpointing=False, bf16=dtype == "bfloat16", use_cpu=True, seed=0, max_grad_norm=0.0,
                  train_sampling_strategy="sequential")
    data = datasets.load_dataset("json", data_files=folder + "/data.jsonl", split="train")
    if not kind.startswith("pref"):
        trainer = trl.SFTTrainer(model=model, args=trl.SFTConfig(completion_only_loss=True, **common), train_dataset=data,
                                 processing_class=tokenizer, callbacks=[Watch()])
    else:
        config = CPOConfig(loss_type="simpo", beta=BETA, simpo_gamma=GAMMA, cpo_alpha=0.0, **common)
        trainer = CPOTrainer(model=model, args=config, train_dataset=data, processing_class=tokenizer, callbacks=[Watch()])
    trainer.train()
    with open(out, "w") as file:
        json.dump({"seconds": seen["seconds"], "peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
                   "losses": seen["losses"]}, file)


def rate(dtype):
    import torch
    a, b = (torch.randn(2048, 2048).to(getattr(torch, dtype)) for _ in range(2))
    best = spent = 0.0
    while spent < 2:
        begin = time.perf_counter()
        a @ b
        seconds = time.perf_counter() - begin
        best = max(best, 2 * 2048**3 / seconds / 1e9)
        spent += seconds
    print(round(best))


def operations(kind, folder, data=None):
    """Forward and input gradients of the base: each distinct token once, the head on response positions, attention by segment."""
    from transformers import AutoTokenizer
    tokenizer = AutoTokenizer.from_pretrained(folder + "/model")
    vocabulary, width, layers, heads, kv_heads, inner, _ = MODELS[kind]
    head_dim = width // heads
    linear = layers * (width * (heads + 2 * kv_heads) * head_dim + heads * head_dim * width + 3 * width * inner)
    total = 0.0
    for line in open(data or folder + "/data.jsonl"):
        row = json.loads(line)
        prompt = len(tokenizer(row["prompt"])["input_ids"])
        answers = [len(tokenizer(row["prompt"] + row[side])["input_ids"]) + 1 - prompt
                   for side in ("chosen", "rejected", "completion") if side in row]
        seen_keys = prompt**2 / 2 + sum(n * prompt + n**2 / 2 for n in answers)
        total += 4 * (prompt + sum(answers)) * linear + 4 * sum(answers) * vocabulary * width
        total += layers * heads * (4 + 10) * head_dim * seen_keys  # two products forward, five backward
    return total


def row(kind, folder, dtype, rate, peer_file, run, peak):
    peer = json.load(open(peer_file))
    steps = [json.loads(line) for line in open(run + "/metrics.jsonl")]
    seconds = sum(step["seconds"] for step in steps)
    off = max(abs(ours["loss"] - theirs) / abs(theirs) for ours, theirs in zip(steps, peer["losses"], strict=True))
    limit = operations(kind, folder) / (float(rate) * 1e9)
    faster, memory = peer["seconds"] / seconds, float(peak) / peer["peak_kib"]
    if kind.startswith("smollm2"):
        met = " met" if limit / seconds >= SHARE else f" MISSED (needs a share of {SHARE:.0%})"
    else:
        met = ""
    need = LIMITS.get((kind, dtype))
    if need is not None:
        near = off <= (1e-3 if dtype == "float32" else 2e-2)
        met = " met" if faster >= need[0] and memory <= need[1] and near else f" MISSED (needs {need[0]} x, {need[1]} x)"
    print(f"| {kind}, {dtype} | {peer['seconds']:.1f} s, {peer['peak_kib'] / 2**20:.2f} GB | {seconds:.2f} s, {float(peak) / 2**20:.2f} GB "
          f"| {faster:.1f} x, memory {memory:.2f} x{met} | {off:.1e} | {limit:.2f} s, {limit / seconds:.0%} |", flush=True)


if __name__ == "__main__":
    {"make": make, "train": train, "rate": rate, "row": row}[sys.argv[1]](*sys.argv[2:])

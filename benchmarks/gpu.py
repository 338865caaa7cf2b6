"""The Python side of benchmarks/gpu.sh.

    python gpu.py rate                                       10^12 operations a second of a bfloat16 product of 8192^3, best of ten
    python gpu.py make 8b|tiny DIR                           DIR/model, a random Llama of that shape; DIR/sft.jsonl, DIR/pref.jsonl
    python gpu.py train sft|pref DIR OUT                     one epoch of TRL from DIR/adapter, which it makes where it is missing
    python gpu.py row KIND SHAPE DIR RATE TRL RUN PEAK PEAK  a line of the table: TRL's file, our run folder, peaks in MiB (theirs, ours)
"""
import importlib.util
import json
import os
import random
import sys
import time

import vs_trl

BATCH = 4
SHAPES = {  # vocabulary, width, layers, heads, key-value heads, inner width, words of a history, pairs and completions
    "8b": (128256, 4096, 32, 32, 8, 14336, (1000, 4000), 16),
    "tiny": (32000, 512, 4, 8, 2, 1408, (100, 400), 8),
}
NEEDED = {"sft": "MFU >= 50 %", "pref": ">= 2 x, memory <= 0.5 x"}


def rate():
    import torch
    a, b = (torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    best = 0.0
    for _ in range(11):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        a @ b
        torch.cuda.synchronize()
        best = max(best, 2 * 8192**3 / (time.perf_counter() - begin) / 1e12)
    print(round(best))


def make(shape, folder):
    import tokenizers
    import torch
    import transformers as tf
    from tokenizers import decoders, models, pre_tokenizers, trainers
    vocabulary, width, layers, heads, kv_heads, inner, words, count = SHAPES[shape]
    rng = random.Random(1)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    lexicon = ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 4))) for _ in range(3000)]

    def text(low, high):
        return " ".join(rng.choice(lexicon) for _ in range(rng.randint(low, high)))

    bpe = tokenizers.Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.train_from_iterator([text(150, 250) for _ in range(200)], trainers.BpeTrainer(
        vocab_size=2500, special_tokens=["<end>", "<pad>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    tokenizer = tf.PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token="<end>", pad_token="<pad>")
    torch.manual_seed(1)
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = tf.LlamaForCausalLM(tf.LlamaConfig(
            vocab_size=vocabulary, hidden_size=width, intermediate_size=inner, num_hidden_layers=layers, num_attention_heads=heads,
            num_key_value_heads=kv_heads, max_position_embeddings=16384, rope_theta=500000.0, tie_word_embeddings=False,
            bos_token_id=None, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id))
    model.save_pretrained(folder + "/model")
    tokenizer.save_pretrained(folder + "/model")
    answer = (words[0] // 8, words[0] // 4)
    with open(folder + "/sft.jsonl", "w") as sft, open(folder + "/pref.jsonl", "w") as pref:
        for _ in range(count):
            prompt, sides = text(*words), [" " + text(*answer) for _ in range(2)]
            # A trajectory: most of it counts.
            half = len(prompt) // 8
            sft.write(json.dumps({"prompt": prompt[:half], "completion": prompt[half:] + sides[0]}) + "\n")
            pref.write(json.dumps({"prompt": prompt, "chosen": sides[0], "rejected": sides[1]}) + "\n")


def train(kind, folder, out):
    import datasets
    import peft
    import torch
    import transformers as tf
    import trl
    from trl.experimental.cpo import CPOConfig, CPOTrainer
    attention = "flash_attention_2" if importlib.util.find_spec("flash_attn") else "sdpa"

    def load():
        return tf.AutoModelForCausalLM.from_pretrained(folder + "/model", dtype=torch.bfloat16, attn_implementation=attention,
                                                       device_map={"": 0})

    torch.manual_seed(2)
    model = load()
    if not os.path.exists(folder + "/adapter"):
        targets = ["q_proj", "k_proj", "v_proj", "o_proj"]
        peft.get_peft_model(model, peft.LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, target_modules=targets,
                                                   task_type="CAUSAL_LM")).save_pretrained(folder + "/adapter")
        del model
        model = load()
    model = peft.PeftModel.from_pretrained(model, folder + "/adapter", is_trainable=True)
    model.enable_input_require_grads()
    seen = {"losses": [], "attention": attention}

    class Watch(tf.TrainerCallback):
        def on_train_begin(self, *_, **__):
            seen["begin"] = time.perf_counter()

        def on_train_end(self, *_, **__):
            torch.cuda.synchronize()
            seen["seconds"] = time.perf_counter() - seen["begin"]

        def on_log(self, args, state, control, logs=None, **_):
            if "loss" in (logs or {}):
                seen["losses"].append(float(logs["loss"]))

    # One pair a time for the 128 thousand logits of two padded rows of 8 thousand tokens; four make the step.
    common = dict(output_dir=out + ".trl", per_device_train_batch_size=1, gradient_accumulation_steps=BATCH, num_train_epochs=1,
                  learning_rate=1e-4, lr_scheduler_type="constant", max_length=16384, logging_steps=1, save_strategy="no",
                  report_to=[], gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False}, bf16=True,
                  seed=0, max_grad_norm=0.0, train_sampling_strategy="sequential")
    data = datasets.load_dataset("json", data_files=f"{folder}/{kind}.jsonl", split="train")
    tokenizer = tf.AutoTokenizer.from_pretrained(folder + "/model")
    if kind == "sft":
        trainer = trl.SFTTrainer(model=model, args=trl.SFTConfig(completion_only_loss=True, **common), train_dataset=data,
                                 processing_class=tokenizer, callbacks=[Watch()])
    else:
        config = CPOConfig(loss_type="simpo", beta=vs_trl.BETA, simpo_gamma=vs_trl.GAMMA, cpo_alpha=0.0, **common)
        trainer = CPOTrainer(model=model, args=config, train_dataset=data, processing_class=tokenizer, callbacks=[Watch()])
    trainer.train()
    with open(out, "w") as file:
        json.dump(seen, file)


def row(kind, shape, folder, rate, peer_file, run, peer_peak, peak):
    peer = json.load(open(peer_file))
    steps = [json.loads(line) for line in open(run + "/metrics.jsonl")]
    seconds = sum(step["seconds"] for step in steps)
    off = max(abs(ours["loss"] - theirs) / abs(theirs) for ours, theirs in zip(steps, peer["losses"], strict=True))
    vs_trl.MODELS[kind] = SHAPES[shape][:6] + (0,)
    mfu = vs_trl.operations(kind, folder, f"{folder}/{kind}.jsonl") / (float(rate) * 1e12) / seconds
    faster, memory = peer["seconds"] / seconds, float(peak) / float(peer_peak)
    met = (mfu >= 0.5 if kind == "sft" else faster >= 2 and memory <= 0.5) and off <= 2e-2
    print(f"| {kind}, {shape}, bfloat16 | {peer['seconds']:.1f} s ({peer['attention']}), {float(peer_peak) / 1024:.1f} GB | {seconds:.1f} s, "
          f"{float(peak) / 1024:.1f} GB | {faster:.1f} x, memory {memory:.2f} x | {off:.1e} | {mfu:.0%}"
          f" {'met' if met else 'MISSED'} (needs {NEEDED[kind]}) |", flush=True)


if __name__ == "__main__":
    {"rate": rate, "make": make, "train": train, "row": row}[sys.argv[1]](*sys.argv[2:])

"""The Python side of benchmarks/vs_trl.sh.

    python vs_trl.py make KIND DIR                          a random Llama with its tokenizer, and data.jsonl in TRL's forms; for
                                                            smollm2-500 and smollm2-1500 the data alone, for the model in DIR; for
                                                            grpo a planner's first adapter, instructions and prompts
    python vs_trl.py train KIND DIR DTYPE OUT [RUN]         one epoch of TRL with LoRA from DIR/adapter-DTYPE, which it makes where
                                                            it is missing; writes OUT: seconds, peak memory, each step's loss;
                                                            grpo with RUN: on the responses and rewards of that round of ours
    python vs_trl.py rate DTYPE                             10^9 operations a second of a product of 2048^3, the best of ten
    python vs_trl.py row KIND DIR DTYPE RATE TRL RUN PEAK SECONDS
                                                            a line of the table: TRL's file, our run folder, our process's peak in
                                                            KiB and its seconds
"""
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
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
    "dpo-start": (32000, 512, 8, 8, 4, 1408, 16),  # the reference is the adapter that training starts from
    "dpo-base": (32000, 512, 8, 8, 4, 1408, 16),  # or the model without it
}
# A round of GRPO: prompts, responses to each, prompts an update, tokens of a response at most; trajectories of the SFT before it.
PROMPTS = int(os.environ.get("PROMPTS", 8))
SAMPLES, UPDATE, NEW_TOKENS, TRAJECTORIES = 8, BATCH, 192, 80
DPO_BETA = 0.1
SHARE = 0.55  # of the best rate of products that is to be reached on SmolLM2
LIMITS = {("pref", "float32"): (4.5, 0.4), ("pref", "bfloat16"): (6.5, 0.4), ("pref128k", "float32"): (12, 0.2),
          ("sft", "float32"): (3.5, 0.4), ("sft", "bfloat16"): (6, 0.4), ("grpo", "float32"): (5, 0.35), ("grpo", "bfloat16"): (5, 0.35)}


def rows_of(path):
    return [json.loads(line) for line in open(path)]


def write_rows(path, rows):
    with open(path, "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def make_grpo(folder):
    """Instructions for short texts. The built-in teacher answers most of them; SmolLM2 learns from the first answers, and the last
    instructions are those of the round."""
    def craft(command, *options):
        subprocess.run(["build/release/craft-train", command, *options], check=True)

    write_rows(folder + "/texts.jsonl", [row for row in rows_of("share/texts/train.jsonl") if len(row["text"].split()) <= 90])
    craft("constraints", "--texts", folder + "/texts.jsonl", "--domain", "c1,c2", "--count", str(TRAJECTORIES * 3 // 2),
          "--output", folder + "/all.jsonl")
    craft("trajectories", "--instructions", folder + "/all.jsonl", "--prompt", "compact", "--max-steps", "1", "--plan-lines", "1",
          "--quote-words", "4", "--scorers", "none", "--jsonl", "--out", folder + "/trajectories")
    answered = rows_of(folder + "/trajectories/trajectories.jsonl")
    asked, others, start = answered[-PROMPTS:], answered[-PROMPTS - 2:-PROMPTS], answered[:TRAJECTORIES]
    if len(answered) < TRAJECTORIES + PROMPTS + 2:
        sys.exit(f"expected {TRAJECTORIES + PROMPTS + 2} trajectories, got {len(answered)}")
    write_rows(folder + "/start.jsonl", start)
    write_rows(folder + "/data.jsonl", [{"prompt": row["messages"][:1]} for row in asked])
    instructions = {row["id"]: row for row in rows_of(folder + "/all.jsonl")}
    for name, rows in (("instructions", asked), ("dev", others[:1]), ("selection", others[1:])):
        write_rows(f"{folder}/{name}.jsonl", [instructions[row["id"]] for row in rows])
    with open(folder + "/round.json", "w") as file:
        json.dump({"instructions": folder + "/instructions.jsonl", "dev": folder + "/dev.jsonl", "selection": folder + "/selection.jsonl",
                   "rounds": {"count": 1, "method": "grpo", "instructions": PROMPTS, "samples": SAMPLES, "history_steps": 1},
                   "sampling": {"temperature": 1, "top_p": 0.95, "max_new_tokens": NEW_TOKENS}, "reward": {"scorers": []},
                   "grpo": {"normalisation": "dr_grpo"}, "data": {"test": 0}}, file)
    craft("sft", "--data", folder + "/start.jsonl", "--model", folder + "/model", "--out", folder + "/sft", "--lora-rank", "16",
          "--lora-targets", "all-linear", "--lr", "2e-3", "--batch-size", "4", "--dtype", "float32", "--threads",
          os.environ["OMP_NUM_THREADS"])
    for dtype in ("float32", "bfloat16"):
        shutil.copytree(folder + "/sft/adapter", f"{folder}/adapter-{dtype}")


def make(kind, folder):
    if kind == "grpo":
        return make_grpo(folder)
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


def train(kind, folder, dtype, out, run=None):
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
        # DPO begins with an adapter that does something, so that its two references differ.
        peft.get_peft_model(model, peft.LoraConfig(
            r=16, lora_alpha=32, lora_dropout=0.0, target_modules=targets, task_type="CAUSAL_LM",
            init_lora_weights=not kind.startswith("dpo"))).save_pretrained(adapter)
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
                  lr_scheduler_type="constant", logging_steps=1, save_strategy="no", report_to=[],
                  gradient_checkpointing=False, bf16=dtype == "bfloat16", use_cpu=True, seed=0, max_grad_norm=0.0,
                  train_sampling_strategy="sequential")
    data = datasets.load_dataset("json", data_files=folder + "/data.jsonl", split="train")
    trained = dict(model=model, processing_class=tokenizer, callbacks=[Watch()])
    if kind == "grpo":
        trainer = grpo_trainer(data, trained, common, seen, run)
    elif kind.startswith("dpo"):
        if kind == "dpo-base":  # else TRL copies the adapter
            trained["ref_model"] = tf.AutoModelForCausalLM.from_pretrained(folder + "/model", dtype=getattr(torch, dtype))
        trainer = trl.DPOTrainer(args=trl.DPOConfig(beta=DPO_BETA, max_length=2048, **common), train_dataset=data, **trained)
    elif kind.startswith("pref"):
        config = CPOConfig(loss_type="simpo", beta=BETA, simpo_gamma=GAMMA, cpo_alpha=0.0, max_length=2048, **common)
        trainer = CPOTrainer(args=config, train_dataset=data, **trained)
    else:
        trainer = trl.SFTTrainer(args=trl.SFTConfig(completion_only_loss=True, max_length=2048, **common), train_dataset=data,
                                 **trained)
    trainer.train()
    with open(out, "w") as file:
        json.dump({"peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, **seen}, file)


def grpo_trainer(data, trained, common, seen, run):
    """TRL's, which samples for all prompts, then makes its updates. Its reward costs nothing. With `run` it takes the responses and
    rewards of that round of ours in place of sampling."""
    import datasets
    import trl
    import trl.trainer.grpo_trainer as module
    tokenizer = trained["processing_class"]
    responses, advantages = [], []
    if run is not None:
        groups = rows_of(run + "/round-1/pairs/groups.jsonl")
        data = datasets.Dataset.from_list([{"prompt": group["prompt"]} for group in groups])
        for group in groups:
            rewards = group["rewards"]
            mean, deviation = statistics.fmean(rewards), statistics.stdev(rewards) + 1e-4
            missing = SAMPLES - len(rewards)  # responses that ours left out: one token without an advantage stands for each
            responses += [tokenizer(text)["input_ids"] + [tokenizer.eos_token_id] for text in group["responses"]]
            responses += [[tokenizer.eos_token_id]] * missing
            advantages += [(reward - mean) / deviation for reward in rewards] + [0.0] * missing
        module.shuffle_sequence_dict = lambda batch: batch  # an update's groups are those of ours

    def reward(completions, **_):
        return advantages or [len(completion[0]["content"]) / 1000 for completion in completions]

    class Measured(trl.GRPOTrainer):
        def _generate_single_turn(self, *arguments, **named):
            begin = time.perf_counter()
            tokens, logprobs = (responses, None) if responses else super()._generate_single_turn(*arguments, **named)
            seen["sampling"] = time.perf_counter() - begin
            seen["lengths"] = [len(one) for one in tokens]
            return tokens, logprobs

    common["per_device_train_batch_size"] = SAMPLES
    config = trl.GRPOConfig(num_generations=SAMPLES, gradient_accumulation_steps=UPDATE, steps_per_generation=len(data),
                            max_completion_length=NEW_TOKENS, temperature=1.0, top_p=0.95, top_k=0, beta=0.0, loss_type="dr_grpo",
                            scale_rewards="none" if advantages else "group", shuffle_dataset=False, **common)
    return Measured(args=config, reward_funcs=reward, train_dataset=data, **trained)


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
    """Forward and input gradients of the base, and a reference's forward: each distinct token once, the head on response positions,
    attention by segment."""
    from transformers import AutoTokenizer
    tokenizer = AutoTokenizer.from_pretrained(folder + "/model")
    vocabulary, width, layers, heads, kv_heads, inner, _ = MODELS[kind]
    head_dim = width // heads
    linear = layers * (width * (heads + 2 * kv_heads) * head_dim + heads * head_dim * width + 3 * width * inner)
    reference = 2 if kind.startswith("dpo") else 0
    total = 0.0
    for row in rows_of(data or folder + "/data.jsonl"):
        prompt = len(tokenizer(row["prompt"])["input_ids"])
        answers = [len(tokenizer(row["prompt"] + row[side])["input_ids"]) + 1 - prompt
                   for side in ("chosen", "rejected", "completion") if side in row]
        seen_keys = prompt**2 / 2 + sum(n * prompt + n**2 / 2 for n in answers)
        total += (4 + reference) * ((prompt + sum(answers)) * linear + sum(answers) * vocabulary * width)
        total += layers * heads * (4 + 10 + 2 * reference) * head_dim * seen_keys  # two products forward, five backward
    return total


def grpo_rows(dtype, peer_file, run, peak):
    """The round by seconds a generated token, since both draw their own responses; what of it is sampling; and training alone on our
    responses."""
    peer, replayed = json.load(open(peer_file)), json.load(open(peer_file + ".replayed"))
    ends = [os.path.getmtime(f"{run}/round-1/{stage}/complete.json") for stage in ("instructions", "pairs", "train")]
    sampling, training = ends[1] - ends[0], ends[2] - ends[1]
    drawn = json.load(open(run + "/round-1/pairs/complete.json"))
    tokens, peer_tokens = drawn["generated_tokens"], sum(peer["lengths"])
    groups = rows_of(run + "/round-1/pairs/groups.jsonl")
    faster = peer["seconds"] / peer_tokens * tokens / (sampling + training)
    memory, need = float(peak) / peer["peak_kib"], LIMITS["grpo", dtype]
    met = "met" if faster >= need[0] and memory <= need[1] else f"MISSED (needs {need[0]} x, {need[1]} x)"
    peer_training, off = replayed["seconds"] - replayed["sampling"], 0.0
    for i, (step, loss) in enumerate(zip(rows_of(run + "/round-1/train/metrics.jsonl"), replayed["losses"], strict=True)):
        counts = [len(group["responses"]) for group in groups[i * UPDATE:(i + 1) * UPDATE]]  # TRL divides by those left out, too
        off = max(off, abs(step["loss"] * sum(counts) / (SAMPLES * len(counts)) - loss) / abs(loss))
    print(f"| grpo, {dtype} | {peer['seconds']:.1f} s, {peer['peak_kib'] / 2**20:.2f} GB | {sampling + training:.1f} s, "
          f"{float(peak) / 2**20:.2f} GB | {faster:.1f} x a token, memory {memory:.2f} x {met} | | |")
    print(f"| its sampling and rewards | {peer['sampling']:.1f} s, {peer_tokens} tokens | {sampling:.1f} s, {tokens} tokens "
          f"| {peer['sampling'] / peer_tokens * tokens / sampling:.1f} x a token | | |")
    print(f"| training on the same {sum(len(group['responses']) for group in groups)} responses in {len(groups)} groups "
          f"| {peer_training:.1f} s | {training:.1f} s | {peer_training / training:.1f} x | {off:.1e} | |", flush=True)


def row(kind, folder, dtype, rate, peer_file, run, peak, whole):
    if kind == "grpo":
        return grpo_rows(dtype, peer_file, run, peak)
    peer = json.load(open(peer_file))
    steps = rows_of(run + "/metrics.jsonl")
    # A reference is computed before the first step: there the whole process counts.
    seconds = float(whole) if kind.startswith("dpo") else sum(step["seconds"] for step in steps)
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

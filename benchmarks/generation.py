"""The Python side of benchmarks/generation.sh.

    python generation.py make OUT                         of OUT/smollm2 (a model folder) the cases OUT/PART-smollm2.jsonl, and OUT/gen, a
                                                          random Llama, with OUT/PART-gen.jsonl; SHAPE=tiny makes them short
    python generation.py transformers FOLDER DTYPE CASES  a JSON line a case, timed without start and loading, after a warm-up
    python generation.py llama FILE CASES                 the same by llama.cpp
    python generation.py table OUT                        what all lines of OUT/lines say of the targets, as Markdown

A case: the prompts as ids, so many samples of each, so many new tokens of each sample, and what its tokens per second count: the
steps behind the first token, all new tokens over all the time, or the prompt.
"""
import json
import os
import random
import statistics
import sys
import time

TINY = os.environ.get("SHAPE") == "tiny"
THREADS = int(os.environ.get("OMP_NUM_THREADS", 2))
DTYPES = ("float32", "bfloat16")
BYTES = {"float32": 4, "bfloat16": 2}


def read(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def case(task, model, prompts, new, counts, samples=1):
    return {"task": task, "model": model, "batch": len(prompts) * samples, "samples": samples, "new_tokens": 4 if TINY and new > 1 else new,
            "counts": counts, "prompts": prompts}


def make_gen(folder):
    """8 layers of width 512, and prompts that share their first 120 words, a word an id."""
    import torch
    import transformers as tf
    torch.manual_seed(1)
    tf.LlamaForCausalLM(tf.LlamaConfig(
        vocab_size=32000, hidden_size=512, intermediate_size=1408, num_hidden_layers=8, num_attention_heads=8, num_key_value_heads=4,
        max_position_embeddings=4096, tie_word_embeddings=False, bos_token_id=None, eos_token_id=2)).save_pretrained(folder)
    rng = random.Random(1)

    def words(low, high):
        return [rng.randrange(3, 32000) for _ in range(rng.randint(low, high))]

    shared = words(12, 12) if TINY else words(120, 120)
    return [shared + (words(2, 6) if TINY else words(10, 60)) for _ in range(64)], words(901, 901)


def make(out):
    import transformers as tf
    tokenizer = tf.AutoTokenizer.from_pretrained(out + "/smollm2")
    texts = [tokenizer(row["text"])["input_ids"] for row in read("share/texts/dev.jsonl")]
    start = 8 if TINY else 64
    prompts = {"smollm2": [text[:start] for text in texts if len(text) >= start][:64]}
    story = {"smollm2": sum(texts, [])}
    prompts["gen"], story["gen"] = make_gen(out + "/gen")
    long = 90 if TINY else 900
    common = [story["smollm2"][:2 * start] + prompt[:start // 4] for prompt in prompts["smollm2"][:16]]
    cases = {}
    for model in prompts:
        cases["greedy", model] = [case("greedy", model, prompts[model][:batch], 128, "steps") for batch in (1, 16, 64)]
        cases["prefill", model] = [case("prefill", model, [story[model][:long + 1]], 1, "prompt")]
        cases["samples", model] = [case("samples", model, [story[model][:long]], 250, "whole", samples=8)]
    cases["quantized", "smollm2"] = [case("quantized", "smollm2", prompts["smollm2"][:batch], 128, "steps") for batch in (1, 16)]
    cases["llama", "smollm2"] = [case("llama", "smollm2", prompts["smollm2"][:1], 128, "steps"),
                                   case("llama", "smollm2", common, 128, "whole")]
    for (part, model), rows in cases.items():
        with open(f"{out}/{part}-{model}.jsonl", "w") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


def tell(peer, row, dtype, begin, times, ids):
    """times: when the first token of each row was there, the second, ..."""
    seconds, tokens = times[-1] - begin, sum(map(len, ids))
    counted = {"steps": (tokens - len(ids), times[-1] - times[0]), "whole": (tokens, seconds), "prompt": (len(row["prompts"][0]), seconds)}
    count, over = counted[row["counts"]]
    print(json.dumps({"peer": peer, "task": row["task"], "model": row["model"], "dtype": dtype, "batch": row["batch"], "seconds": seconds,
                      "new_tokens": tokens, "tokens_per_s": count / over, "ids": ids}), flush=True)


def transformers(folder, dtype, cases):
    import torch
    import transformers as tf
    tf.utils.logging.disable_progress_bar()
    torch.set_num_threads(THREADS)
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, dtype)).eval()
    model.generation_config = tf.GenerationConfig(pad_token_id=0)  # without an end token

    class Clock(tf.StoppingCriteria):
        def __init__(self):
            self.times = []

        def __call__(self, ids, scores, **_):
            self.times.append(time.perf_counter())
            return torch.zeros(len(ids), dtype=torch.bool)

    def run(row, new):
        length = max(map(len, row["prompts"]))
        missing = [length - len(prompt) for prompt in row["prompts"]]
        ids = torch.tensor([[0] * count + prompt for count, prompt in zip(missing, row["prompts"])])
        mask = torch.tensor([[0] * count + [1] * (length - count) for count in missing])
        ways = {"do_sample": True, "top_k": 0, "num_return_sequences": row["samples"]} if row["samples"] > 1 else {"do_sample": False}
        clock = Clock()
        begin = time.perf_counter()
        out = model.generate(ids, attention_mask=mask, max_new_tokens=new, stopping_criteria=tf.StoppingCriteriaList([clock]), **ways)
        return begin, clock.times, out[:, length:].tolist()

    with torch.inference_mode():
        for row in read(cases):
            run(row, min(3, row["new_tokens"]))
            begin, times, ids = run(row, row["new_tokens"])
            assert len(times) == row["new_tokens"] == len(ids[0])
            tell("transformers", row, dtype, begin, times, ids)


def llama(file, cases):
    """Greedy, by the functions of llama.h: what all prompts begin with is computed once."""
    import ctypes
    import llama_cpp
    import numpy
    quiet = llama_cpp.llama_log_callback(lambda *_: None)
    llama_cpp.llama_log_set(quiet, ctypes.c_void_p(0))
    llama_cpp.llama_backend_init()
    model = llama_cpp.llama_model_load_from_file(file.encode(), llama_cpp.llama_model_default_params())
    vocabulary = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(model))
    most = 4096
    batch = llama_cpp.llama_batch_init(most, 0, 1)

    def feed(context, entries):
        """(token, position, sequence, whether logits are wanted) each -> the top tokens of those that are."""
        batch.n_tokens = len(entries)
        for i, (token, position, sequence, wanted) in enumerate(entries):
            batch.token[i], batch.pos[i], batch.n_seq_id[i], batch.logits[i] = token, position, 1, wanted
            batch.seq_id[i][0] = sequence
        if llama_cpp.llama_decode(context, batch) != 0:
            raise RuntimeError("llama_decode failed")
        return [int(numpy.ctypeslib.as_array(llama_cpp.llama_get_logits_ith(context, i), (vocabulary,)).argmax())
                for i, entry in enumerate(entries) if entry[3]]

    def run(context, prompts, new):
        memory = llama_cpp.llama_get_memory(context)
        llama_cpp.llama_memory_clear(memory, True)
        shared = len(os.path.commonprefix(prompts)) if len(prompts) > 1 else 0
        begin = time.perf_counter()
        if shared:
            feed(context, [(token, i, 0, False) for i, token in enumerate(prompts[0][:shared])])
            for sequence in range(1, len(prompts)):
                llama_cpp.llama_memory_seq_cp(memory, 0, sequence, -1, -1)
        tops = feed(context, [(prompt[i], i, sequence, i + 1 == len(prompt)) for sequence, prompt in enumerate(prompts)
                              for i in range(shared, len(prompt))])
        ids, times = [[top] for top in tops], [time.perf_counter()]
        for step in range(new - 1):
            tops = feed(context, [(row[-1], len(prompt) + step, sequence, True)
                                  for sequence, (row, prompt) in enumerate(zip(ids, prompts))])
            for row, top in zip(ids, tops):
                row.append(top)
            times.append(time.perf_counter())
        return begin, times, ids

    for row in read(cases):
        options = llama_cpp.llama_context_default_params()
        options.n_ctx = sum(map(len, row["prompts"])) + row["batch"] * row["new_tokens"] + 256
        options.n_batch, options.n_seq_max, options.kv_unified = most, row["batch"], True
        options.n_threads = options.n_threads_batch = THREADS
        context = llama_cpp.llama_init_from_model(model, options)
        run(context, row["prompts"], 3)
        tell("llama.cpp", row, "blocks", *run(context, row["prompts"], row["new_tokens"]))
        llama_cpp.llama_free(context)


class Table:
    def __init__(self, out):
        lines = read(out + "/lines")
        self.cases = {(row["task"], row["model"], row["batch"]): row for name in sorted(os.listdir(out)) if name.endswith(".jsonl")
                      for row in read(f"{out}/{name}")}
        self.models = {line["model"]: line for line in lines if line["task"] == "model"}
        self.read_rate = max(line["bytes_per_s"] for line in lines if line["task"] == "read")
        self.products = [line for line in lines if line["task"] == "product"]
        self.seen = {}  # (peer, task, model, dtype, batch): lines of all turns
        for line in lines:
            if "peer" in line:
                self.seen.setdefault(tuple(line[key] for key in ("peer", "task", "model", "dtype", "batch")), []).append(line)

    def speed(self, peer, *key):
        """Tokens per second, the median of the turns; nan: not measured."""
        return statistics.median(line["tokens_per_s"] for line in self.seen.get((peer, *key), [{"tokens_per_s": float("nan")}]))

    def product_rate(self, model, dtype, rows):
        """The best that any kernel reached on any of the model's matrices, and which."""
        return max((line[side], f"{line['matrix']}, {side}") for line in self.products for side in ("ours", "library")
                   if (line["model"], line["dtype"], line["rows"]) == (model, dtype, rows))

    def limit(self, model, dtype, batch):
        """Tokens per second that reading and arithmetic allow halfway through a greedy case; what all prompts share is read once."""
        row, sizes = self.cases["greedy", model, batch], self.models[model]
        weights = sizes["layer_weights"] + sizes["head_weights"]
        prompts = row["prompts"]
        shared = len(os.path.commonprefix(prompts)) if batch > 1 else 0
        positions = shared + sum(len(prompt) - shared for prompt in prompts) + batch * row["new_tokens"] / 2
        reading = BYTES[dtype] * (weights + positions * sizes["cached_numbers"]) / self.read_rate
        computing = 2 * weights * batch / self.product_rate(model, dtype, batch)[0]
        return batch / max(reading, computing), "reading" if reading > computing else "products"

    def prompt_operations(self, model, length):
        """The layers on all positions, the head on the last one, each query on the keys up to its own."""
        sizes = self.models[model]
        return 2 * sizes["layer_weights"] * length + 2 * sizes["head_weights"] + 4 * sizes["attention_width"] * length * (length + 1) / 2

    def rows(self):
        """(what, ours, theirs, times, limit, share, verdict) for each figure that was measured."""
        for task, model, batch in sorted(self.cases):
            length = len(self.cases[task, model, batch]["prompts"][0])
            name = "SmolLM2-135M" if model == "smollm2" else model

            def beside(what, ours, peer, theirs, need=None, limit="", share=None, share_need=None):
                """Met with `need` times theirs or with `share_need` of the limit."""
                times = ours / theirs
                met = (need is not None and times >= need) or (share_need is not None and share >= share_need)
                verdict = "" if need is None and share_need is None else "met" if met else "**missed**"
                if theirs != theirs:
                    return what, f"{ours:.1f}", f"({peer}: not measured)", "", limit, "", ""
                return (what, f"{ours:.1f}", f"{theirs:.1f} ({peer})", f"{times:.2f}", limit, "" if share is None else f"{share:.0%}",
                        verdict)

            for dtype in DTYPES:
                key = (task, model, dtype, batch)
                if ("craft-train", *key) not in self.seen:
                    continue
                ours, theirs = self.speed("craft-train", *key), self.speed("transformers", *key)
                if task == "greedy":
                    limit, bound = self.limit(model, dtype, batch)
                    yield beside(f"1: greedy, {name}, {dtype}, batch {batch}", ours, "transformers", theirs, 3, f"{limit:.0f} ({bound})",
                                 ours / limit, 0.75 if batch == 1 else 0.6)
                if task == "prefill":
                    rate, side = self.product_rate("", dtype, 2048)
                    limit = length * rate / self.prompt_operations(model, length)
                    yield beside(f"2: prompt of {length} tokens, {name}, {dtype}", ours, "transformers", theirs, None,
                                 f"{limit:.0f} ({side})", ours / limit, 0.6 if dtype == "bfloat16" else None)
                if task == "samples":
                    yield beside(f"3: {batch} samples of a prompt of {length} tokens, {name}, {dtype}", ours, "transformers", theirs, 5)
            if task == "quantized" and ("craft-train", task, model, "int8", batch) in self.seen:
                narrow = self.speed("craft-train", task, model, "bfloat16", batch)
                for kind, need in (("int8", 1), ("nf4", None)):
                    ours = self.speed("craft-train", task, model, kind, batch)
                    yield beside(f"4: {kind}, {name}, batch {batch}", ours, "our bfloat16", narrow, need)
            if task == "llama" and ("craft-train", task, model, "blocks", batch) in self.seen:
                theirs = self.speed("llama.cpp", task, model, "blocks", batch)
                for kind, need in (("blocks", 1), ("nf4", None)):
                    what = f"5: {kind}, {name}, " + ("batch 1" if batch == 1 else f"{batch} prompts that begin alike")
                    yield beside(what, self.speed("craft-train", task, model, kind, batch), "llama.cpp", theirs, need)

    def same(self, peer):
        """Of greedy rows, how many have all tokens as this peer has them."""
        for key, lines in sorted(self.seen.items()):
            if key[0] != peer or key[1] not in ("greedy", "llama"):
                continue
            ours = self.seen[("craft-train", *key[1:])][0]["ids"]
            pairs = list(zip(ours, lines[0]["ids"], strict=True))
            yield f"{', '.join(map(str, key[2:]))}: {sum(a == b for a, b in pairs)} of {len(pairs)}"

    def print(self):
        print(f"Memory is read at {self.read_rate / 1e9:.1f} GB/s. The best rates of products, 10^9 operations a second (which):\n")
        print("| model | rows | float32 | bfloat16 |\n|---|---|---|---|")
        for model, rows in [("", 2048)] + [(model, rows) for model in self.models for rows in (1, 16, 64)]:
            rates = [self.product_rate(model, dtype, rows) for dtype in DTYPES]
            print(f"| {model or '2,048^3'} | {rows} | " + " | ".join(f"{rate / 1e9:.0f} ({which})" for rate, which in rates) + " |")
        print("\n| tokens a second | craft-train | beside | times | limit | share | |\n|---|---|---|---|---|---|---|")
        for row in sorted(self.rows(), key=lambda row: row[0][0]):
            print("| " + " | ".join(row) + " |")
        for peer in ("transformers", "llama.cpp"):
            if same := list(self.same(peer)):
                print(f"\nGreedy rows with the same tokens as {peer}: {'; '.join(same)}.")


def table(out):
    Table(out).print()


if __name__ == "__main__":
    {"make": make, "transformers": transformers, "llama": llama, "table": table}[sys.argv[1]](*sys.argv[2:])

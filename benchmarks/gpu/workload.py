"""The random model and the data of benchmarks/gpu/2_speed.sh and 3_peers.sh.

    python workload.py rate cuda|cpu                    10^12 operations a second of a bfloat16 product, the best of ten (needs torch)
    python workload.py model 8b|135m|tiny DIR cuda|cpu  DIR/model, a Llama of that shape with a tokenizer (needs torch, transformers)
    python workload.py sample DIR                       DIR/sample.jsonl, a text by which `craft-train tokenize` tells tokens a word
    python workload.py data 8b|135m|tiny DIR            from that and DIR/sample-tokens.jsonl: sft.jsonl, even.jsonl, pairs.jsonl, prompts.jsonl
"""
import json
import random
import sys
import time

SHAPES = {  # vocabulary, width, layers, heads, key-value heads, inner width
    "8b": (128256, 4096, 32, 32, 8, 14336),
    "135m": (49152, 576, 30, 9, 3, 1536),  # SmolLM2-135M's, whose head is its embedding
    "tiny": (32000, 256, 2, 4, 2, 704),
}
LENGTHS = {  # in tokens
    "8b": {"history": (2000, 8000), "even": 4096, "prompt": 6000, "response": 500, "generated_from": 512},
    "135m": {"history": (2000, 8000), "even": 4096, "prompt": 6000, "response": 500, "generated_from": 512},
    "tiny": {"history": (100, 300), "even": 256, "prompt": 300, "response": 40, "generated_from": 64},
}
EXAMPLES = {"8b": 16, "135m": 64, "tiny": 8}
LARGEST_BATCH = 64  # of generation


def rate(device):
    import torch
    size = 8192 if device == "cuda" else 1024
    a, b = (torch.randn(size, size, device=device, dtype=torch.bfloat16) for _ in range(2))

    def wait():
        if device == "cuda":
            torch.cuda.synchronize()

    best = 0.0
    for _ in range(11):
        wait()
        begin = time.perf_counter()
        a @ b
        wait()
        best = max(best, 2 * size**3 / (time.perf_counter() - begin) / 1e12)
    print(f"{best:.4g}")


def words():
    rng = random.Random(1)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    lexicon = ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 4))) for _ in range(3000)]
    return lambda count: " ".join(rng.choice(lexicon) for _ in range(count))


def model(shape, folder, device):
    import tokenizers
    import torch
    import transformers as tf
    from tokenizers import decoders, models, pre_tokenizers, trainers
    vocabulary, width, layers, heads, kv_heads, inner = SHAPES[shape]
    text = words()
    bpe = tokenizers.Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.train_from_iterator([text(200) for _ in range(200)], trainers.BpeTrainer(
        vocab_size=2500, special_tokens=["<end>", "<pad>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    tokenizer = tf.PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token="<end>", pad_token="<pad>")
    torch.manual_seed(1)
    torch.set_default_dtype(torch.bfloat16)
    with torch.device(device):
        decoder = tf.LlamaForCausalLM(tf.LlamaConfig(
            vocab_size=vocabulary, hidden_size=width, intermediate_size=inner, num_hidden_layers=layers, num_attention_heads=heads,
            num_key_value_heads=kv_heads, max_position_embeddings=16384, rope_theta=500000.0, tie_word_embeddings=shape == "135m",
            bos_token_id=None, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id))
    for part in (tokenizer, decoder):
        part.save_pretrained(folder + "/model")


def sample(folder):
    write(folder + "/sample.jsonl", [{"id": "0", "text": words()(2000)}])


def write(file, rows):
    with open(file, "w") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


def data(shape, folder):
    tokens_a_word = len(json.loads(open(folder + "/sample-tokens.jsonl").readline())["ids"]) / 2000
    rng, text, length, count = random.Random(2), words(), LENGTHS[shape], EXAMPLES[shape]

    def tokens(about):
        return text(max(1, round(about / tokens_a_word)))

    sft, even, pairs = [], [], []
    for _ in range(count):
        history = rng.randint(*length["history"])  # a trajectory, most of which counts
        sft.append({"prompt": tokens(history / 8), "completion": " " + tokens(history * 7 / 8)})
        # Too long, to be cut to exactly so many tokens on the left of the prompt; the completion alone never is.
        even.append({"prompt": tokens(length["even"] / 2), "completion": " " + tokens(length["even"] * 0.75)})
        pairs.append({"prompt": tokens(length["prompt"]), "chosen": " " + tokens(length["response"]),
                      "rejected": " " + tokens(length["response"])})
    write(folder + "/sft.jsonl", sft)
    write(folder + "/even.jsonl", even)
    write(folder + "/pairs.jsonl", pairs)
    write(folder + "/prompts.jsonl", [{"id": str(i), "input_ids": [rng.randrange(100, 2000) for _ in range(length["generated_from"])]}
                                      for i in range(LARGEST_BATCH)])


if __name__ == "__main__":
    {"rate": rate, "model": model, "sample": sample, "data": data}[sys.argv[1]](*sys.argv[2:])

"""Makes small random encoders and encoder-decoders of every kind and variant, with what transformers computes on them.

    python make_encoders.py FOLDER [NAME...]     seed from CRAFT_PARITY_SEED (default 1)
    python make_encoders.py --example FOLDER     the encoder of share/examples, with a tokenizer; its weights are random

FOLDER/<name>/model is a model folder; FOLDER/<name>/expected.safetensors holds, of each row R, R.ids and perhaps R.mask and R.types
with R.hidden [t, hidden] or R.score [1]; of an encoder-decoder R.ids (and R.mask), R.target, R.logprobs and the encoder's
R.hidden. All float32, eager attention. The folders that tests/model/encoders keeps came from it with CRAFT_PARITY_SMALL=1.
"""
import json
import os
import random
import sys

import torch
import transformers as tf
from safetensors.torch import load_file, save_file

torch.set_num_threads(1)  # beside other work, waiting threads spin
SEED = int(os.environ.get("CRAFT_PARITY_SEED", "1"))
SMALL = "CRAFT_PARITY_SMALL" in os.environ
ROWS = 3 if SMALL else 8


def sizes(r):
    """Heads, hidden and inner sizes, layers, vocabulary."""
    if SMALL:
        return dict(heads=2, hidden=16, inner=24, layers=2, vocab=40)
    heads = r.choice([1, 2, 3, 4])
    return dict(heads=heads, hidden=heads * r.choice([8, 12, 16]), inner=r.choice([40, 64, 96]), layers=r.choice([1, 2, 3]),
                vocab=r.randint(60, 130))


def bert(r, **more):
    s = sizes(r)
    values = dict(vocab_size=s["vocab"], hidden_size=s["hidden"], num_hidden_layers=s["layers"], num_attention_heads=s["heads"],
                  intermediate_size=s["inner"], max_position_embeddings=24 if SMALL else r.randint(60, 90), type_vocab_size=2)
    return {**values, **more}


def bart(r, **more):
    s, t = sizes(r), sizes(r)
    heads = r.choice([h for h in (1, 2, 4) if s["hidden"] % h == 0])
    values = dict(vocab_size=s["vocab"], d_model=s["hidden"], encoder_layers=s["layers"], encoder_attention_heads=s["heads"],
                  encoder_ffn_dim=s["inner"], decoder_layers=t["layers"], decoder_attention_heads=heads,
                  decoder_ffn_dim=t["inner"], max_position_embeddings=24 if SMALL else r.randint(60, 90), pad_token_id=1,
                  bos_token_id=0, eos_token_id=2, decoder_start_token_id=2)
    return {**values, **more}


# name -> (class, its config's values, dtype that is stored, what rows have)
def variants(r):
    b, o, a = (lambda **m: tf.BertConfig(**bert(r, **m))), (lambda **m: tf.RobertaConfig(**bert(r, **m))), (
        lambda **m: tf.BartConfig(**bart(r, **m)))
    f, h, bf = torch.float32, torch.float16, torch.bfloat16
    return {
        "bert": (tf.BertModel, b(), h if SMALL else f, "types"),
        "bert-no-pooler": (tf.BertModel, b(hidden_act="relu"), h, "types"),
        "bert-pretraining": (tf.BertForPreTraining, b(type_vocab_size=3), f, "types"),
        "bert-masked": (tf.BertForMaskedLM, b(hidden_act="gelu_new", layer_norm_eps=1e-5), bf, "types"),
        "bert-score": (tf.BertForSequenceClassification, b(num_labels=1, problem_type="regression"), h if SMALL else f, "types"),
        "bert-score-plain": (tf.BertForSequenceClassification, b(num_labels=1, hidden_act="silu"), h, "types"),
        "bert-classes": (tf.BertForSequenceClassification, b(num_labels=3), f, "types"),
        "roberta": (tf.RobertaModel, o(type_vocab_size=1, layer_norm_eps=1e-5), h if SMALL else f, "pads"),
        "roberta-masked": (tf.RobertaForMaskedLM, o(pad_token_id=5), bf, "pads types"),
        "roberta-score": (tf.RobertaForSequenceClassification, o(num_labels=1, type_vocab_size=1), f, "pads"),
        "bart": (tf.BartForConditionalGeneration, a(), h if SMALL else f, ""),
        "bart-scaled": (tf.BartForConditionalGeneration, a(scale_embedding=True, activation_function="relu",
                                                           decoder_start_token_id=0), h, ""),
        "bart-untied": (tf.BartForConditionalGeneration, a(tie_word_embeddings=False), f, ""),
        "bart-body": (tf.BartModel, a(activation_function="gelu_new"), bf, ""),
        "bart-encoder-embedding": (tf.BartForConditionalGeneration, a(), f, ""),
        "bart-old": (tf.BartForConditionalGeneration, a(), f, ""),
    }


def liven(model):
    """Weights large enough that attention, norms and biases matter."""
    for name, p in model.named_parameters():
        with torch.no_grad():
            if p.dim() >= 2:
                p.normal_(0, 1.0 if "embed" in name or "shared" in name else 1.6 / p.shape[1]**0.5)
            elif "norm" in name.lower():
                p.normal_(1.0 if name.endswith("weight") else 0.0, 0.3)
            else:
                p.normal_(0, 0.3)
    for name, p in model.named_buffers():
        if name == "final_logits_bias":
            p.normal_(0, 1.0)


def renamed(tensors, name):
    """Tensors' names as published folders have them."""
    if name in ("bert-pretraining", "roberta"):
        tensors = {k.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): v
                   for k, v in tensors.items()}
    if name == "bert-pretraining":
        tensors["bert.embeddings.position_ids"] = torch.arange(24)[None]
    if name == "bert":
        tensors["embeddings.position_ids"] = torch.arange(24)[None]
        tensors = {"bert." + k: v for k, v in tensors.items()}  # a head's folder without its head
    if name == "bert-no-pooler":
        tensors = {k: v for k, v in tensors.items() if "pooler" not in k}
    if name == "bart-encoder-embedding":
        tensors["model.encoder.embed_tokens.weight"] = tensors.pop("model.shared.weight")
    if name == "bart-old":
        shared = tensors["model.shared.weight"]
        for other in ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"):
            tensors[other] = shared.clone()
        tensors["model.encoder.version"] = torch.tensor([3.0])
    return tensors


def publish(folder, name):
    path = os.path.join(folder, "config.json")
    config = json.load(open(path))
    if name in ("bert", "bert-pretraining"):
        config["position_embedding_type"] = "absolute"
        config["torch_dtype"] = config.pop("dtype", None)
    if name == "bart-old":
        config.update(normalize_before=False, normalize_embedding=True, add_final_layer_norm=False, add_bias_logits=False,
                      static_position_embeddings=False, extra_pos_embeddings=2)
    if name == "bert-score-plain":
        config.pop("architectures"), config.update(architectures=["BertForSequenceClassification"])
    json.dump(config, open(path, "w"), indent=1)
    file = os.path.join(folder, "model.safetensors")
    if os.path.exists(file):
        tensors = renamed(load_file(file), name)
        save_file({k: v.contiguous() for k, v in tensors.items()}, file, {"format": "pt"})


def row_of(r, config, kinds, number):
    most = config.max_position_embeddings - 8
    length = [most, 1, 2][number] if number < 3 else r.randint(1, most)
    if SMALL:
        length = [9, 4, 1][number]
    lowest = 6
    ids = [r.randrange(lowest, config.vocab_size) for _ in range(length)]
    row = {}
    if "pads" in kinds and number % 2 == 0:
        for i in range(length):
            if r.random() < 0.25:
                ids[i] = config.pad_token_id
    if number % 3 == 0:
        mask = [int(r.random() < 0.7) for _ in range(length)]
        mask[r.randrange(length)] = 1
        row["mask"] = torch.tensor(mask)
    if "types" in kinds and number != 1:
        row["types"] = torch.tensor([r.randrange(config.type_vocab_size) for _ in range(length)])
    return {"ids": torch.tensor(ids), **row}


def encode(model, row):
    inputs = dict(input_ids=row["ids"][None])
    if "mask" in row:
        inputs["attention_mask"] = row["mask"][None]
    if "types" in row:
        inputs["token_type_ids"] = row["types"][None]
    with torch.no_grad():
        return model(**inputs)


def expected_of(folder, config, kinds, r, regression):
    load = dict(attn_implementation="eager", dtype=torch.float32)
    is_bart = isinstance(config, tf.BartConfig)
    family = {tf.BertConfig: tf.BertModel, tf.RobertaConfig: tf.RobertaModel}.get(type(config))
    if is_bart:
        model = tf.BartForConditionalGeneration.from_pretrained(folder, **load).eval()
    elif regression:
        model = tf.AutoModelForSequenceClassification.from_pretrained(folder, **load).eval()
    else:
        model = family.from_pretrained(folder, **load).eval()
    out = {}
    for i in range(ROWS):
        row = row_of(r, config, kinds, i)
        if is_bart:
            target = torch.tensor([r.randrange(3, config.vocab_size) for _ in range(r.randint(1, 12 if SMALL else 40))])
            inputs = dict(input_ids=row["ids"][None], labels=target[None])
            if "mask" in row:
                inputs["attention_mask"] = row["mask"][None]
            with torch.no_grad():
                logits = model(**inputs).logits[0]
            row["target"] = target
            row["logprobs"] = torch.log_softmax(logits, -1).gather(1, target[:, None]).squeeze(1)
            row["hidden"] = encode(model.get_encoder(), row).last_hidden_state[0]
        elif regression:
            row["score"] = encode(model, row).logits[0]
        else:
            row["hidden"] = encode(model, row).last_hidden_state[0]
        out.update({f"{i}.{key}": value.contiguous() for key, value in row.items()})
    return out


def make(root, name, kind, config, dtype, kinds):
    torch.manual_seed(SEED * 1000 + sum(map(ord, name)))
    r = random.Random(SEED * 7 + sum(map(ord, name)))
    model = kind(config).eval()
    liven(model)
    folder = os.path.join(root, name, "model")
    model.to(dtype).save_pretrained(folder, **({"max_shard_size": "40KB"} if name == "bert-masked" else {}))
    publish(folder, name)
    expected = expected_of(folder, config, kinds, r, name.endswith(("-score", "-score-plain")))
    save_file(expected, os.path.join(root, name, "expected.safetensors"))


def make_example(folder):
    """A BERT that knows some words, and letters for the others."""
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    words = "the a and of in to was is it we river road water night morning wide very".split()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *".,:;!?'-", *"0123456789", *letters, *("##" + c for c in letters),
                  *(word for word in words if len(word) > 1)]
    torch.manual_seed(SEED)
    config = tf.BertConfig(vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
                           intermediate_size=24, max_position_embeddings=128)
    model = tf.BertModel(config).eval()
    liven(model)
    model.to(torch.float16).save_pretrained(folder)
    with open(os.path.join(folder, "vocab.txt"), "w") as f:
        f.writelines(token + "\n" for token in vocabulary)
    json.dump({"tokenizer_class": "BertTokenizer", "do_lower_case": True}, open(os.path.join(folder, "tokenizer_config.json"), "w"))


if __name__ == "__main__":
    tf.logging.set_verbosity_error()
    if sys.argv[1] == "--example":
        make_example(sys.argv[2])
        sys.exit()
    only = sys.argv[2:]
    for name, arguments in variants(random.Random(SEED)).items():
        if not only or name in only:
            make(sys.argv[1], name, *arguments)

"""Makes a small random Llama with a chat template, for `transformers serve` to serve.

    python make_served.py FOLDER [--says TEXT]    seed from CRAFT_PARITY_SEED (default 1)

Its tokens are pieces of printable ASCII, so that an answer's text says which tokens it was made of; the row of the end token is
longer than others, so that some answers end by themselves. With --says it answers TEXT to whatever it is asked, and ends.
"""
import argparse
import os
import string
import sys

import tokenizers as tk
import torch
import transformers as tf
from tokenizers import decoders, models, pre_tokenizers, trainers

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = ("{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}"
            "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")
WORDS = ("the mill was built by a river in the town and it closed when the water fell "
         "Revise the text as the request asks Answer with the revised text alone").split()

torch.set_num_threads(1)
tf.logging.set_verbosity_error()


def make_tokenizer():
    inner = tk.Tokenizer(models.BPE())
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    printable = [c for c in string.printable[:95] if c != " "] + ["Ġ", "Ċ"]
    inner.train_from_iterator([" " + word for word in WORDS],
                              trainers.BpeTrainer(vocab_size=200, special_tokens=SPECIAL, initial_alphabet=printable,
                                                  show_progress=False))
    return tf.PreTrainedTokenizerFast(tokenizer_object=inner, bos_token=SPECIAL[0], eos_token=SPECIAL[2], pad_token=SPECIAL[0],
                                      clean_up_tokenization_spaces=False, chat_template=TEMPLATE)


def say(model, tokenizer, text):
    """Each token's likeliest next one depends on it alone: behind the template's last line break the text, which is one token,
    then the end."""
    said, end = tokenizer.convert_tokens_to_ids(text), 2
    model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        for before, after in ((tokenizer.convert_tokens_to_ids("Ċ"), said), (said, end)):
            # Longer than any other row is alike.
            model.lm_head.weight[after] = 100 * model.model.embed_tokens.weight[before]


def make_model(vocabulary):
    torch.manual_seed(int(os.environ.get("CRAFT_PARITY_SEED", "1")))
    config = tf.LlamaConfig(vocab_size=vocabulary, hidden_size=48, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
                            num_key_value_heads=2, max_position_embeddings=4096, initializer_range=0.2, bos_token_id=0,
                            eos_token_id=2, pad_token_id=0, tie_word_embeddings=False)
    model = tf.LlamaForCausalLM(config).eval()
    with torch.no_grad():
        model.lm_head.weight[2] *= 1.3
    return model


parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--says")
options = parser.parse_args()
tokenizer = make_tokenizer()
model = make_model(len(tokenizer))
if options.says:
    tokenizer.add_tokens([tk.AddedToken(options.says, normalized=False)])
    say(model, tokenizer, options.says)
tokenizer.save_pretrained(options.folder)
model.save_pretrained(options.folder)

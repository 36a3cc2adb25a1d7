"""Random pairs of subtitle files, from a seed."""

from __future__ import annotations

import random
from typing import List, Tuple

#: The start and the end of a block, in milliseconds, and the words of its lines.
Block = Tuple[int, int, List[List[str]]]

#: The number of pairs in the fixture.
PAIRS = 2000

_WORDS = {
    "": ["the", "cat", "sat", "on", "a", "mat", "then", "he", "said", "yes", "no", "don't", "it's", "3.5", "really"],
    "zh": ["这是", "字幕", "还有", "一个", "他说", "我们去看电影吧", "你好", "世界"],
    "ja": ["これは", "字幕です", "そして", "もう", "一つ", "猫", "が", "見た", "映画", "私は"],
    "ko": ["이것은", "자막입니다", "또", "하나", "나왔네요", "그는", "영화를", "봤어요"],
}
_MARKS = {"": [".", ",", "!", "?", "…", "-", "...", '"', "“", "”"], "zh": ["。", "，", "！", "？", "…"],
          "ja": ["。", "、", "！", "？"], "ko": [".", ",", "!", "?"]}


def subtitle_pair(seed: int) -> tuple[str, str, str]:
    """Return the texts of a hypothesis and its reference, and their language ('' for a language with spaces)."""
    rng = random.Random(f"suber {seed}")
    language = rng.choice(("", "", "", "zh", "ja", "ko"))
    kind = rng.choice(("words", "words", "words", "without gaps", "breaks", "marks"))
    reference = _blocks(rng, language, kind, rng.choice((0, 1, 2, 3, 4, 6, 8, 10)))
    if rng.random() < 0.07:
        hypothesis = _blocks(rng, language, kind, rng.randint(0, 4))
    else:
        hypothesis = _noisy_blocks(rng, language, reference)
    return _text(hypothesis), _text(reference), language


def _blocks(rng: random.Random, language: str, kind: str, count: int) -> list[Block]:
    blocks: list[Block] = []
    start = rng.randint(0, 3000)
    for _ in range(count):
        end = start + rng.randint(400, 4000)
        lines = [[_word(rng, language) for _ in range(rng.randint(1, 8))] for _ in range(rng.choice((1, 1, 2, 2, 3)))]
        if kind == "breaks":
            lines = [["-"]] * rng.randint(1, 3)
        elif kind == "marks":
            lines = [[rng.choice(_MARKS[language])] * rng.randint(1, 4) for _ in range(rng.randint(1, 2))]
        blocks.append((start, end, lines if rng.random() > 0.03 else []))
        start = end if kind == "without gaps" else end + rng.choice((0, 0, 1, 40, 200, rng.randint(0, 5000)))
    return blocks


def _word(rng: random.Random, language: str) -> str:
    word = rng.choice(_WORDS[language])
    chance = rng.random()
    if chance < 0.15:
        word += rng.choice(_MARKS[language])
    elif chance < 0.18:
        word = rng.choice(_MARKS[language])
    elif chance < 0.2:
        word = f"<i>{rng.choice(_MARKS[language])}{word}</i>"
    return word.capitalize() if rng.random() < 0.15 else word


def _noisy_blocks(rng: random.Random, language: str, reference: list[Block]) -> list[Block]:
    """Return changed blocks: words, breaks, order and times differ, and some blocks are removed, split or joined."""
    blocks: list[Block] = []
    shift, last_end = rng.choice((0, 0, 0, 50, -50, 300, 900, -400)), 0
    for start, end, lines in reference:
        if rng.random() < 0.08:
            continue
        words: list[str] = []
        for line in lines:
            for word in line:
                chance = rng.random()
                if chance > 0.96:
                    words.append(_word(rng, language))
                if chance > 0.06:
                    words.append(word if chance > 0.12 else _word(rng, language))
            words.append("\n")
        if len(words) > 5 and rng.random() < 0.3:
            first = rng.randrange(len(words) - 3)
            moved = words[first:first + rng.randint(1, 3)]
            del words[first:first + len(moved)]
            target = rng.randint(0, len(words))
            words[target:target] = moved
        new_start = max(last_end, start + shift + rng.choice((0, 0, rng.randint(-300, 300))))
        new_end = max(new_start + 50, end + shift + rng.choice((0, 0, rng.randint(-300, 300))))
        middle, cut = (new_start + new_end) // 2, rng.randint(0, len(words))
        if rng.random() < 0.25:
            blocks += [(new_start, middle, _lines(words[:cut])), (middle, new_end, _lines(words[cut:]))]
        elif blocks and rng.random() < 0.1:
            before = blocks.pop()
            blocks.append((before[0], new_end, [*before[2], *_lines(words)]))
        else:
            blocks.append((new_start, new_end, _lines(words)))
        last_end = new_end
    return blocks


def _lines(words: list[str]) -> list[list[str]]:
    return [line.split(" ") for line in " ".join(words).replace(" \n", "\n").replace("\n ", "\n").split("\n") if line]


def _text(blocks: list[Block]) -> str:
    texts = ["\n".join([str(number), f"{_time(start)} --> {_time(end)}", *[" ".join(line) for line in lines]])
             for number, (start, end, lines) in enumerate(blocks, 1)]
    return "\n\n".join(texts) + "\n"


def _time(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},{milliseconds % 1000:03}"

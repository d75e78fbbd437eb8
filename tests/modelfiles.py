"""Independent readers of exported models: UMB archives by their specification, DRN and PRISM as komi writes them.

Plain value iteration then computes the value of what was read.
"""

import json
import re
import struct
import tarfile
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

Choice = tuple[str, Fraction, list[tuple[int, Fraction]]]  # the action, its reward, and (next state, probability)


@dataclass
class Model:
    players: int
    player: list[int]
    choices: list[list[Choice]]
    labels: dict[str, set[int]]
    valuations: list[dict[str, int]] = field(default_factory=list)

    def value(self, aims: str, reward: bool = False, sweeps: int = 100_000) -> float:
        """Compute the probability of "first_wins" or the reward; `aims` has "max" or "min" for each player."""
        goal = set() if reward else self.labels.get("first_wins", set()) | self.labels.get("wins", set())
        best = [{"max": max, "min": min}[each] for each in aims.split()]
        values = [float(state in goal) for state in range(len(self.choices))]
        plain = [
            [(float(gain) * reward, [(after, float(p)) for after, p in branches]) for _, gain, branches in choices]
            for choices in self.choices
        ]
        for _ in range(sweeps):
            change = 0.0
            for state in reversed(range(len(values))):
                if state in goal:
                    continue
                worths = [gain + sum(p * values[after] for after, p in branches) for gain, branches in plain[state]]
                new = worths[0] if len(worths) == 1 else best[self.player[state]](worths)
                change, values[state] = max(change, abs(new - values[state])), new
            if change < 1e-15:
                break
        return values[0]


def read_umb(path: Path) -> Model:
    with tarfile.open(path) as archive:
        members = archive.getmembers()
        files = {member.name: archive.extractfile(member).read() for member in members}  # type: ignore[union-attr]
    assert members[0].name == "index.json"
    index = json.loads(files["index.json"])
    assert (index["format-version"], index["format-revision"]) == (1, 0)
    system = index["transition-system"]
    assert (system["time"], system["#initial-states"]) == ("discrete", 1)
    states, branches = system["#states"], system["#branches"]
    assert bits(files["state-is-initial.bin"], states) == {0}
    state_ends = numbers(files["state-to-choices.bin"], "Q", states + 1)
    choice_ends = numbers(files["choice-to-branches.bin"], "Q", system["#choices"] + 1)
    assert (state_ends[0], state_ends[-1], choice_ends[0], choice_ends[-1]) == (0, system["#choices"], 0, branches)
    target = numbers(files["branch-to-target.bin"], "Q", branches)
    probability = rationals(files["branch-to-probability.bin"], system["branch-probability-type"], branches)
    [reward] = index["annotations"]["rewards"].values()
    rewards = rationals(files["annotations/rewards/payoff/choices/values.bin"], reward["type"], system["#choices"])
    action = numbers(files["actions/choices/values.bin"], "I", system["#choices"])
    spans = numbers(files["actions/choices/string-mapping.bin"], "Q", system["#choice-actions"] + 1)
    strings = files["actions/choices/strings.bin"]
    names = [strings[a:b].decode() for a, b in pairwise(spans)]
    return Model(
        system["#players"],
        numbers(files["state-to-player.bin"], "I", states) if system["#players"] > 1 else [0] * states,
        [
            [
                (names[action[c]], rewards[c], [(target[b], probability[b]) for b in range(*choice_ends[c : c + 2])])
                for c in range(*state_ends[s : s + 2])
            ]
            for s in range(states)
        ],
        {
            about["alias"]: bits(files[f"annotations/aps/{name}/states/values.bin"], states)
            for name, about in index["annotations"]["aps"].items()
        },
        valuations(index["valuations"]["states"], files["valuations/states/valuations.bin"], states),
    )


def numbers(data: bytes, code: str, count: int) -> list[int]:
    return list(struct.unpack(f"<{count}{code}", data))


def bits(data: bytes, count: int) -> set[int]:
    assert len(data) % 8 == 0
    number = int.from_bytes(data, "little")
    assert number >> count == 0
    return {index for index in range(count) if number >> index & 1}


def rationals(data: bytes, kind: dict[str, Any], count: int) -> list[Fraction]:
    assert kind["type"] == "rational"
    assert kind["size"] % 128 == 0
    half = kind["size"] // 16
    assert len(data) == 2 * half * count
    return [
        Fraction(
            int.from_bytes(data[2 * i * half : (2 * i + 1) * half], "little", signed=True),
            int.from_bytes(data[(2 * i + 1) * half : (2 * i + 2) * half], "little"),
        )
        for i in range(count)
    ]


def valuations(about: dict[str, Any], data: bytes, count: int) -> list[dict[str, int]]:
    [kind] = about["classes"]
    sizes = {each["name"]: each["type"]["size"] // 8 for each in kind["variables"]}
    assert all(each["type"]["type"] == "int" for each in kind["variables"])
    assert len(data) == count * sum(sizes.values())
    found, at = [], 0
    for _ in range(count):
        found.append({})
        for name, size in sizes.items():
            found[-1][name] = int.from_bytes(data[at : at + size], "little", signed=True)
            at += size
    assert about["unique"] == (len({tuple(each.values()) for each in found}) == count)
    return found


def read_drn(path: Path) -> Model:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("//")]
    kind = next(line for line in lines if line.startswith("@type")).split()[1]
    model = Model({"DTMC": 0, "MDP": 1}[kind], [], [], {})
    for line in lines[lines.index("@model") + 1 :]:
        if found := re.fullmatch(r"state (\d+) \[0\] ?(.*)", line):
            assert int(found[1]) == len(model.choices)
            for label in found[2].split():
                model.labels.setdefault(label, set()).add(len(model.choices))
            model.choices.append([])
            model.player.append(0)
        elif found := re.fullmatch(r"\taction (\S+) \[(\S+)\]", line):
            model.choices[-1].append((found[1], Fraction(found[2]), []))
        else:
            target, probability = line.split(" : ")
            model.choices[-1][-1][2].append((int(target), Fraction(probability)))
    assert model.labels.pop("init") == {0}
    return model


def read_prism(path: Path) -> Model:
    """Read the commands; states are numbered as they are reached."""
    text = path.read_text()
    kind = next(line for line in text.splitlines() if line in ("dtmc", "mdp", "smg"))
    owners = {
        action: number
        for number, block in enumerate(re.findall(r"^player(.*?)endplayer", text, re.MULTILINE | re.DOTALL))
        for action in re.findall(r"\[(\w+)\]", block)
    }
    start = {name: int(value) for name, value in re.findall(r"(\w+) : \[-?\d+\.\.-?\d+\] init (-?\d+);", text)}
    gains = {
        (action, guard): Fraction(reward)
        for action, guard, reward in re.findall(r"\[(\w*)\] ([^:\n]*?) : (\S+);$", text.partition("rewards ")[2], re.M)
    }
    commands: dict[str, list[tuple[str, str]]] = {}
    for action, guard, updates in re.findall(r"\[(\w*)\] (.*) -> (.*);", text):
        commands.setdefault(guard, []).append((action, updates))
    model, number, states = Model(("dtmc", "mdp", "smg").index(kind), [], [], {}), {tuple(start.values()): 0}, [start]
    for state in states:  # grows meanwhile
        guard = " & ".join(f"{name}={value}" for name, value in state.items())
        model.choices.append([])
        for action, updates in commands[guard]:
            branches = []
            for update in updates.split(" + "):
                probability, changes = update.split(" : ")
                after = state | {name: int(value) for name, value in re.findall(r"\((\w+)'=(-?\d+)\)", changes)}
                if tuple(after.values()) not in number:
                    number[tuple(after.values())] = len(states)
                    states.append(after)
                branches.append((number[tuple(after.values())], Fraction(probability)))
            model.choices[-1].append((action, gains.get((action, guard), Fraction(0)), branches))
        model.player.append(owners.get(commands[guard][0][0], 0))
    for label, condition in re.findall(r'label "(\w+)" = (.*);', text):
        model.labels[label] = {
            index
            for index, state in enumerate(states)
            for name, value in re.findall(r"(\w+)=(-?\d+)", condition)
            if state[name] == int(value)
        }
    model.valuations = states
    return model

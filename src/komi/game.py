"""The game protocol: the parts of a game file.

A game is a module that holds rules and nothing else. A part is a function, or a value, of the module. Where a part
below is a value, a function of the rules can give it instead if it says "or `f(rules)`". `komi check` checks a game
file.

**Required.** Parts with a default can be left out.

- `players`, or `players(rules)`: the number of players. `players = 2`
- `actions`: the labels of the actions; an action is its index. Where there are too many to list, give `label(rules,
  state, action)` instead. `actions = ("roll", "hold")`
- `Rules`: a NamedTuple of every number in the rule book, with defaults (int, float, bool or str). `goal: int = 100`
- `State`: a NamedTuple of whole numbers, and of tuples of them: the game as the player to move sees it. A tuple has the
  same length in all states, that which `start` gives it; `put(values, index, value)` of `komi.game` returns one with
  another entry. `columns: tuple[int, ...] # steps in each column`
- `start(rules)`: the initial state. `return State(0, 0, 0)`
- `legal(rules, state)`: yields the legal actions of the player to move; only `CHANCE` where chance moves (a deal, a
  forced roll). `yield HOLD`
- `outcomes(rules, state, action)`: yields (probability, next state, seats by which the turn passes): 0 if the same
  player moves again, 1 for the next player, 2 to skip one. A deterministic action has one outcome. `yield 1 / 6,
  State(rival, score, 0), 1`
- `over(rules, state)`: True if the game has ended. `return state.rival >= rules.goal`
- `payoff(rules, state)`: the payoff of the player to move at the end, from 0 (loses) to 1 (wins), a shared win
  counting half; of two players the other gets the rest. With three and more players, or a number that depends on the
  rules, it is `payoff(rules, state, seat)`, seats counted from the player to move; the payoffs of all seats sum to 1,
  unless `payoff_range` allows another sum. `return 0.0`
- `payoff_range`, or `payoff_range(rules)`: the (lowest, highest) payoff of two and more players who play for points or
  money; (0, 1) by default. Values are then expected payoffs, in the unit that `objective` names. If it is (-h, h) for
  two players, (-h, 2 h) for three and so on, the payoffs of all seats sum to 0: a positive payoff counts as a win, and
  0 as a draw. Any other range makes the game general-sum: `payoff(rules, state, seat)` returns the payoff of each
  seat, and they can have any sum. What is paid during the game is kept in the state until the end. `return -2 *
  rules.stake, 2 * rules.stake`
- `reward(rules, state, action, after)`: what the mover gains on the transition to the next state; 0 by default. With
  one player the value of the game is the expected sum of all rewards and of the payoff at the end. Points or turns
  are rewards, with a payoff of 0; a chance is a payoff, without rewards. A limited number of turns is a field of the
  state. `return 1.0`
- `endless`, or `endless(rules)`: what a game that never ends pays to each player, where that matters. Of two players it
  is a draw: the middle of the range of payoffs. None, the default, means that no value may depend on it.
  `endless = 0.5`
- `aim`, or `aim(rules)`: "most" (the default) or "least": whether one player maximizes or minimizes the value. `aim =
  "most"`
- `average`, or `average(rules)`: True if the value of a game for one player is the average of its rewards per action
  in the long run, in play that never ends: `over` is False in every state. Moves of chance are not actions. Without
  it, play that never ends has no value. `average = True`
- `discount`, or `discount(rules)`: the factor, above 0 and up to 1, by which rewards and payoffs lose value with each
  action; 1 by default. Moves of chance do not discount: they count as the action after them. A payoff counts as the
  action, or move of chance, that ends the game. For one player, or two with a `payoff_range`, who see everything. komi
  computes the game that stops, and pays 0, with probability 1 - discount after each action that does not end it: states
  get a field `stopped`, and lengths and simulations are those of that game. `discount = 0.95`
- `objective(rules)`: the name of the value of a game for one player, or of one with a `payoff_range` ("expected
  payoff" by default). A name that begins with "chance" means a probability, which comes from the payoff alone: all
  rewards are then 0. `return "expected points"`
- `fields(rules)`: the names of the fields of `State` that these rules use, in order; all by default. The others have
  a default, always keep it, and are not shown. `return ("score", "turn")`
- `limits(rules)`: a `Rules` with (least, greatest) for each number, (least, greatest, step) if only some values in
  between are allowed, and a tuple of the allowed words for a text. None, the default, means no limit. `return
  Rules(goal=(1, 500))`
- `action_count`, or `action_count(rules)`: where `label` takes the place of `actions`, a number that all actions are
  below. Environments need it. `return rules.max_dice`
- `no_value(rules)`: the reason why optimal play has no value under these rules; an empty text, the default, if it has
  one. `return "where only more points win, both players may rationally stand for ever"`
- `chances`: tuples of the names of rules, each tuple one distribution: the probabilities of its results are
  proportional to these rules, which are floats, and can be learned from counts. `chances = (("heads", "tails"),)`
- `alone(rules)`: for players who do not affect each other, as where each fills in a card: the rules under which the
  game of one player is solved; all other rules are returned unchanged. The fields that those rules use belong to the
  mover; `turned` exchanges them for the next player's, and what it leaves, such as dice, is as at the start whenever
  the turn passes. komi does not solve the game of several; the opponent `optimal` takes the actions that are best
  alone. `return rules._replace(players=1)`

A turn ends when an action, or chance, passes it by one seat or more. If it passes by as many seats as there are
players, all others are skipped and the same player has another turn. The end of the game ends the last turn.

**For solvers.** Hints make a solver faster. It verifies those that it uses, in all states; `roll` and `totals` in a
random sample if there are more than a million, and what rests on them is then reported as not proved. It refuses a
broken hint with a state that shows it.

- `possible(rules, state)`: True if the state can occur: its ranges, and what must agree in it. It bounds the search
  for states, and a broken rule is found before it fills the memory. Verified in every state. `return state.turn <=
  rules.goal`
- `steps`: a `State` of the number that each field is always a multiple of (1 if there is none), so that fewer bits
  store a state: a field of multiples of 50 takes five or six bits less. Verified in every state. `steps = State(50,
  50, 1)`
- `transient(rules, state)`: True for a state of a moment, such as one inside a roll. It takes no memory: solvers
  expand it again from the stored state before, of hundreds of states in a turn of Yahtzee one. Transient states must
  not form a cycle; every expansion verifies that. `return state.dice > 0`
- `roll`, or `roll(rules)`: the names of the fields that change inside a roll. A transition between transient states
  is inside a roll if only these change and the turn stays; its actions, probabilities and rewards depend on nothing
  else. How a roll begins and where it leads may depend on all fields. With `totals` it makes the solver of Yahtzee
  hundreds of times as fast; each roll is compared with that of the rules. `roll = ("dice",)`
- `totals`, or `totals(rules)`: the names of the fields that a roll does not depend on, such as scores. States before
  a roll that agree in all other fields, and have the same legal actions, have the same roll: the same actions are
  legal inside it, and two ways out that lead from one of them to the same state, with the same reward, do so from
  all. Where they lead may depend on the totals. Solvers then expand one roll for all of these states, and verify that
  each has it. `totals = ("score", "rival")`
- `symmetries(rules, state)`: yields the images of the state under the symmetries of the game, which have the same
  value. `komi check` verifies that. Only a search for the value of the start relies on it, and verifies it in a
  sample. `yield State(mirrored(state.board))`
- `stage(rules, state)`: a whole number from 0 to 4095 that never falls during play, such as how many pieces have left
  the board. From 200,000 states before a roll on, they are solved stage by stage, the last first, without stored
  transitions: the limit of four million such states is gone. Verified in every state. `return state.home`
- `order(rules, state)`: a whole number from 0 to 4095 that mostly rises during play: the order within a stage, the
  highest first. Fewer sweeps are needed; no result depends on it. `return state.squares_moved`
- `pick(rules, state, uniform)`: (the number of legal actions, one of them), the action at position `uniform * number`
  in the order of `legal`, where `uniform` is a random number from 0 to 1; (0, CHANCE) where chance moves. Simulations
  then do not list all actions; verified where play begins. `return 2, ROLL if uniform < 0.5 else HOLD`
- `sample(rules, state, action, uniform)`: one outcome, as `outcomes` yields it: the first at which the sum of the
  probabilities exceeds `uniform`, a random number from 0 to 1. Simulations then do not list all outcomes; verified
  where play begins. `return 1 / 6, _rolled(state, 1 + int(uniform * 6)), 0`

**Hidden and simultaneous information**

- `view(rules, state)`: the observation of the player to move: the state with hidden fields set to a fixed value.
  States with the same view are the same to the player. To be solved, it recalls what the player has seen and done.
  It is called in every state; while others move, or chance
  does, with the state turned to the player who looks on (`turned`). A player sees a chance event if these
  observations differ after all its outcomes. `return state._replace(rival_card=0)`
- `deal(rules, view, uniform)`: a state with this observation (`view`), drawn from all that are possible: what searchers
  take for what they do not see. Each number after `view` is random from 0 to 1; declare as many as the draw needs. Of
  the hidden chance events each state gets its conditional probability. Of choices, those that others do not see are
  equally likely, and those that all see (`open_actions`) tell nothing. Where a game leaves it out, komi works it out
  if the game is small. `return view._replace(rival_card=nth(view.unseen, int(uniform * count(view.unseen))))`
- Players who choose at the same time choose one after the other, and `view` hides the earlier choice. `return
  state._replace(chosen=min(state.chosen, 1))`
- `open_actions`: True if all players see which action is taken, for games with a `view`; by default only the player
  who takes it knows. A function `open_actions(rules, state, action)` where this differs: in Battleship all see a shot,
  and nobody sees where a ship is placed. `open_actions = True`
- `revealed(rules, state, action, after)`: what all players learn from the transition to the next state, in a sentence,
  such as choices that are revealed together; "" by default. It is shown beside the action or event, which may be
  hidden itself. `return f"You both chose: {actions[state.chosen - 1]} and {actions[action]}."`
- `turned(rules, state)`: the state as the next player sees it; turned as often as there are players, it is unchanged.
  `return State(state.rival, state.score, state.deck)`

**Display**

- `event(rules, state, action, after)`: the name of the chance event that leads to the next state, where chance moves
  or an action has several outcomes. The names of the outcomes of an action differ. `return "heads"`
- `leader(rules, state)`: the seat that is ahead, counted from the player to move, or -1. `return 0 if state.score >
  state.rival else 1`
- `elements`, or `elements(rules)`: by fields that are sets of small numbers (`komi.bitset`), the names of their
  elements, that of bit 0 first. States then show and accept names, as in `tiles=1 4 7`; an empty set is `none`.
  `elements = {"tiles": ("1", "2", "3")}`
- `read(rules, text)` and `write(rules, state)`: the game's own notation of states. `return "".join(".rog"[counter]
  for counter in _counters(state))`
- `how_to_play(rules)`: the rules for a beginner, to be read in a minute: paragraphs with an empty line between them.
  The first says in a sentence or two what players do and who wins; one that begins with "Example:" shows a few moves.
  `return f"Flip a coin as often as you dare. First to {rules.goal} points wins."`
- `policies`: functions, written as the rules are, each under its own name: `(rules, state)` returns an action;
  `(rules, state, action)` returns a weight, and chance picks among the actions with the greatest. `policies =
  (holds_early, presses_on)`
- `opponents(rules)`: yields up to three opponents, each a pair (name of a policy, its play in one sentence), where
  the usual ones do not fit. They are listed by measured strength. `yield "hold-at:4", "Daring: goes on until four
  points are at stake."`
- `board(rules, state)`: yields (row, column, content, tint) for each square of a board. Rows count down and columns
  to the right; the content is a color or a text, empty for nothing; tints (0 or 1) tell parts of the board apart.
  `yield 0, 2, "red", 0`
- `square(rules, state, action)`: the (row, column) that an action is about, or None. `return divmod(action, 3)`
- `target(rules, state, action)`: the (row, column) to which the action moves a piece from its `square`; None if it
  leaves the board. A piece that enters has no `square`. On the `board`, "white" then are the pieces of the player to
  move, "black" those of the other, and a tint of 1 marks special squares. `return divmod(PLACES[action +
  state.throw], 3)`
- `beside(rules, state)`: yields (their state, "white" or "black", how many): the pieces beside the board, such as
  those that wait to enter. `yield "home", "white", state.home`
- `decisive(rules, state)`: yields the (row, column) of each square that has ended the game, such as a line of three.
  `yield 1, 2`
- `throw(rules, state)`: (how many show their mark, how many there are) of the two-sided dice thrown for a move; None
  before the throw. `return None if state.throw == 0 else (state.throw, 4)`
- `faces(rules, state)`: yields the number on each die on the table, from 1 to 6; 0 for one that is not rolled yet, or
  whose number does not matter. `for digit in str(state.dice): yield int(digit)`
- `keeps(rules, state, action)`: the numbers of the dice that an action keeps, or sets aside, in ascending order; None
  if it is about no dice. No two legal actions keep the same. `return (1, 1, 5)`
- `card(rules)`: yields (name, part of the card) for each row of a score card. With more than one player, who then
  play `alone`, each has a card. `yield "full house", "lower"`
- `filled(rules, state)`: yields the rows of the mover's card, counted from 0, that are full. `if state.boxes >> box &
  1: yield box`
- `scores(rules, state, action)`: yields (row of the card, points) for all that an action writes down; the first row
  is the chosen box. With rewards, they are the sum of the points. Without a card the row is 0. `yield action, 25`

`komi play` and `komi serve` stop a game that makes no progress, as shared by all: without a `view`, when the same
player meets a state for the third time with no chance event between; any game after 10,000 actions and events.
"""

CHANCE = -1
"""The action of chance: the only legal action in a chance node."""
MAX_ACTIONS = (1 << 15) - 6
"""The upper bound on action numbers, exclusive: a and `bellman.EXCEPT` - a take 16 bits."""
ACTIONS_END = f": action numbers end at {MAX_ACTIONS - 1:,}"
"""The end of an error message whose reason can be a larger number."""
MAX_PLAYERS = 62
"""The players of a game are bits of one word."""
PROBABILITY_TOLERANCE = 1e-9
"""The largest difference from 1 of a sum of probabilities, or of all payoffs, that counts as rounding."""
MAX_PASSES = 1 << 15
"""The upper bound on the number of seats by which the turn passes on, exclusive."""


def put(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """Return a tuple with one entry replaced, for tuple fields of states.

    Examples:
        >>> put((3, 0, 2), 1, 5)
        (3, 5, 2)
    """
    entries = list(values)
    entries[index] = value
    return tuple(entries)

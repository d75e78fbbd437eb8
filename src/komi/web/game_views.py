"""A game as each seat may see it, for the responses of the API."""

from typing import Any, Literal

from komi.play import fairness, searching
from komi.play.table import HIDDEN, Entry, Table
from komi.rules.game import Event
from komi.solvers.solve import is_solvable
from komi.typing import State
from komi.web import layout, models
from komi.web.game_catalog import face_of, objective, source_hash
from komi.web.live_game import LiveGame


def game_view(
    live: LiveGame, seat: int, opponent_title: str, *, may_act: bool = True, known: int = 0
) -> models.GameView:
    """Return the game as one seat may see it.

    Args:
        live: the game.
        seat: the seat that sees the game.
        opponent_title: the title of the computer opponent; "" if there is none.
        may_act: True if the viewer may act for this seat, False for a spectator.
        known: number of log lines to leave out, because the client has them, unless they can have changed.
    """
    table, settings = live.table, live.settings
    game, rules = settings.game, settings.rules
    acting = may_act and live.is_persons_turn and table.waiting == "action" and table.mover == seat
    entering = may_act and settings.is_test
    first = min(known, table.number) if _is_log_append_only(live) else 0
    return models.GameView(
        **_constants(live),
        opponent=models.OpponentNameView(name=settings.opponent, title=opponent_title),
        you=seat,
        number=table.number,
        mover=table.mover,
        waiting=table.waiting,
        actions=[layout.action_view(game, rules, table.state, *action) for action in table.actions.items()]
        if acting
        else [],
        events=[_event_view(live, event) for event in table.events] if entering else [],
        decided=acting and table.is_decided,
        pending=None if table.pending is None else models.PendingView(label=table.pending),
        start=_start(live, seat),
        first=first,
        log=_log(live, seat)[first:],
        result=_result(live, seat),
        clock=_clock(live),
        fairness=_fairness(live),
        **_seen_position(live, live.table, seat),
    )


def _constants(live: LiveGame) -> dict[str, Any]:
    """Return the fields that never change."""
    if not live.cached_constants:
        settings = live.settings
        game, rules, participants = settings.game, settings.rules, settings.participants
        live.cached_constants = {
            "id": settings.id,
            "game": game.name,
            "face": face_of(game),
            "solved": is_solvable(game, rules),
            "searched": not is_solvable(game, rules) and searching.policy_name(game, rules, searching.HARD) is not None,
            "rules": rules._asdict(),
            "mode": "test" if settings.is_test else "normal",
            "names": None if participants is None else list(participants.names),
            "company": None if participants is None else "device" if participants.is_at_one_device else "link",
            "players": live.table.players,
            "objective": objective(game, rules),
            "card": layout.card(game, rules),
        }
    return live.cached_constants


def _is_log_append_only(live: LiveGame) -> bool:
    """Return whether lines that a client has cannot change: no player's view of them depends on later entries."""
    settings = live.settings
    is_at_one_device = settings.participants is not None and settings.participants.is_at_one_device
    is_of_a_seat = settings.game.has("view") or (settings.game.has("turned") and is_at_one_device)
    return not (live.table.is_over or settings.takebacks or is_of_a_seat)


def _seen_position(live: LiveGame, table: Table, seat: int) -> dict[str, Any]:
    """Return the fields of the position of a table as this seat may see it."""
    is_own_view = live.settings.game.has("view") and not table.is_over
    return _position(live, table.observation(seat), seat if is_own_view else table.observer, seat, table.observer)


def _start(live: LiveGame, seat: int) -> models.PositionView:
    """Return the initial position: while the game runs, as this seat may see it."""
    table, settings = live.table, live.settings
    if table.is_over:
        return models.PositionView(**_position(live, table.initial_state, 0, seat, 0))
    if seat not in live.cached_starts:
        start = Table(settings.game, settings.rules, initial_state=table.initial_state)
        live.cached_starts[seat] = models.PositionView(**_seen_position(live, start, seat))
    return live.cached_starts[seat]


def _event_view(live: LiveGame, event: Event) -> models.EventView:
    faces = layout.faces(live.settings.game, live.settings.rules, event.after)
    return models.EventView(label=event.label, probability=event.probability, faces=faces)


def _log(live: LiveGame, seat: int) -> list[models.LogLineView]:
    """Return the lines of the log. Without hidden information they are cached; the end adds other outcomes to them."""
    if live.settings.game.has("view"):
        lines = [_line(live, entry, seat) for entry in live.table.observed_log(seat)]
    else:
        lines = live.cached_lines.setdefault(seat, [])
        lines += [_line(live, entry, seat) for entry in live.table.log[len(lines) :]]
    if not live.table.is_over:
        return lines
    return [line.model_copy(update={"afters": _afters(live, line.number)}) for line in lines]


def _afters(live: LiveGame, number: int) -> list[models.OutcomeStateView] | None:
    """Return the states after all outcomes of a chance event; None for an action."""
    game, rules, table = live.settings.game, live.settings.rules, live.table
    observer = table.log[number - 1].observer if number else 0
    return [
        models.OutcomeStateView(
            state=game.shown(rules, event.after), observer=(observer + event.passes) % table.players
        )
        for event in live.details[number].events
    ] or None


def _line(live: LiveGame, entry: Entry, seat: int) -> models.LogLineView:
    participants, details = live.settings.participants, live.details[entry.number]
    is_open = live.table.is_over or not live.settings.game.has("view")  # else luck would reveal the rest of the deck
    by: Literal["you", "friend", "computer", "chance", "hand"] = details.by
    if by == "you" and participants is not None and participants.people[entry.seat] != participants.people[seat]:
        by = "friend"
    return models.LogLineView(
        number=entry.number,
        seat=entry.seat,
        kind=entry.kind,
        label=entry.label,
        by=by,
        mover=entry.mover,
        luck=live.table.log[entry.number].random_number if is_open else None,
        outcomes=[(event.label, event.probability) for event in details.events] or None if is_open else None,
        afters=None,
        gained=details.gained if _is_scored(live) else None,
        revealed=entry.revealed,
        laid=_laid(live, entry),
        **(layout.NO_EFFECT if entry.label == HIDDEN else details.effect),
        **_position(live, entry.state, entry.observer, seat, live.table.log[entry.number].observer),
    )


def _laid(live: LiveGame, entry: Entry) -> list[models.ItemView] | None:
    """Return the items that a chance event puts on the table, if its name is known."""
    if entry.kind == "action" or entry.label == HIDDEN:
        return None
    return layout.item_views(live.settings.game, live.settings.rules, entry.seat, "laid", entry.label)


def _position(live: LiveGame, state: State, observer: int, seat: int, mover: int) -> dict[str, Any]:
    """Return the fields of a position."""
    game, rules = live.settings.game, live.settings.rules
    if state is None:
        return {"state": None, "observer": observer, "written": "", **layout.HIDDEN_LAYOUT}
    return {
        "state": game.shown(rules, state),
        "observer": observer,
        "written": game.write(rules, state) if game.has("write") else "",
        **layout.layout_of(game, rules, state, observer, seat, mover),
    }


def _result(live: LiveGame, seat: int) -> models.ResultView | None:
    payoffs = live.table.results
    if payoffs is None:
        return None
    return models.ResultView(
        payoffs=list(payoffs),
        points=None if live.table.scale.is_chance else list(live.table.payoffs or ()),
        score=live.table.rewards[0] + payoffs[0] if _is_scored(live) else None,
        you=outcome_for(payoffs, seat),
        stopped=live.table.is_stopped,
        resigned=live.table.resigned,
        late=live.is_late,
    )


def _is_scored(live: LiveGame) -> bool:
    """Return whether a single player plays for points."""
    game, rules = live.settings.game, live.settings.rules
    return live.table.players == 1 and game.has("reward") and not game.objective(rules).startswith("chance")


def _clock(live: LiveGame) -> models.ClockView | None:
    left, clock = live.time_left(), live.settings.clock
    if left is None or clock is None:
        return None
    return models.ClockView(minutes=clock.minutes, seconds=clock.seconds, left=left)


def _fairness(live: LiveGame) -> models.FairnessView:
    settings, participants = live.settings, live.settings.participants
    return models.FairnessView(
        hash=fairness.Commitment(settings.seed).hash,
        number=settings.number,
        numbers=None if participants is None or not participants.numbers else list(participants.numbers),
        seed=settings.seed.hex() if live.table.is_over else None,
        lot=settings.is_by_lot,
        protocol=settings.protocol,
        source=source_hash(settings.game),
    )


def outcome_for(payoffs: tuple[float, ...], seat: int) -> models.Outcome:
    """Return how the game has ended for a seat."""
    if payoffs[seat] == 1.0:
        return "won"
    if payoffs[seat] == 0.0:
        return "lost"
    if len(payoffs) > 1 and len(set(payoffs)) == 1:
        return "drew"
    winners = [payoff for payoff in payoffs if payoff > 0.0]
    return "shared" if len(winners) > 1 and len(set(winners)) == 1 else "got"

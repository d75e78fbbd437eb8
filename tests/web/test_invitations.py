"""Several people at one table: the same guarantees as against the computer, for each of them."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from typing import Any

import pytest

from komi.play.fairness import number_hash, random_number, random_seat
from komi.web.participants import combined_number, ordered_numbers
from komi.web.study_games import consented_games

from playing import Server, Visitor, commit, invite, join, play_out, reveal


def seated(server: Any, others: int = 1, **more: Any) -> tuple[list[Visitor], Any]:
    """Return people at a table, in the order of their seats."""
    people = [server.visitor() for _ in range(others + 1)]
    table = invite(people[0], **more)
    for guest in people[1:]:
        assert join(guest, table)[0] == 200
    return sorted(people, key=lambda one: one.get(f"/games/{table['id']}")["you"]), table


def test_two_people_play_a_game_to_its_end(servers: Any) -> None:
    people, table = seated(servers(), game="piglet", goal=2)
    over = play_out(people, table["id"])
    assert sorted(over["result"]["payoffs"]) == [0.0, 1.0]
    results = [one.get(f"/games/{table['id']}")["result"]["you"] for one in people]
    assert sorted(results) == ["lost", "won"]
    assert {entry["by"] for entry in over["log"]} == {"you", "friend", "chance"}


def test_pages_confirm_a_finished_game_to_each_other(servers: Any) -> None:
    people, table = seated(servers(), game="piglet", goal=2)
    address, (first, second) = f"/games/{table['id']}/confirm", ("a" * 64, "b" * 64)
    refused = (409, "A game among friends can be confirmed when it is over.")
    status, answer = people[1].request("POST", address, json={"confirmation": second})
    assert (status, answer["error"]) == refused
    play_out(people, table["id"])
    assert people[1].request("POST", address, json={"confirmation": second})[1] == {"confirmations": [None, second]}
    for each in (first, "c" * 64):  # the first one stays
        answer = people[0].request("POST", address, json={"confirmation": each})[1]
        assert answer == {"confirmations": [first, second]}
    assert people[0].request("POST", address, json={"confirmation": "yes"})[0] == 422
    alone = people[0].play_on(people[0].begin("piglet", rules={"goal": 2}))
    status, answer = people[0].request("POST", f"/games/{alone['id']}/confirm", json={"confirmation": first})
    assert (status, answer["error"]) == refused


def test_chance_comes_from_the_seed_and_the_numbers_of_all(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    table, number = invite(ann, seat="either"), "0" * 32
    assert bob.get(f"/invitations/{table['id']}")["hash"] == table["hash"]  # before the number is drawn
    join(bob, table, number)
    begun = ann.get(f"/games/{table['id']}")
    people = [ann, bob] if begun["you"] == 0 else [bob, ann]
    over = play_out(people, table["id"])
    shown = over["fairness"]
    seed = bytes.fromhex(shown["seed"])
    assert hashlib.sha256(seed).hexdigest() == shown["hash"] == table["hash"]
    assert shown["numbers"] == [table["number"], number]
    assert shown["number"] == hashlib.sha256(f"{table['number']}:{number}".encode()).hexdigest()[:32]
    assert begun["you"] == random_seat(seed, shown["number"], 2)
    for entry in over["log"]:
        if entry["kind"] == "event":
            assert entry["luck"] == random_number(seed, shown["number"], entry["number"])


def test_order_in_which_people_come_changes_nothing() -> None:
    host, guests = "f" * 32, ["3" * 32, "1" * 32, "2" * 32]
    by_hash = sorted(guests, key=lambda number: hashlib.sha256(number.encode()).hexdigest())
    assert ordered_numbers(host, guests) == ordered_numbers(host, guests[::-1]) == (host, *by_hash)
    assert combined_number(ordered_numbers(host, guests)) != combined_number(
        ordered_numbers(guests[0], [host, *guests[1:]])
    )


ANN, BOB, EVE = "a" * 32, "b" * 32, "e" * 32


def committed(server: Server, *numbers: str, **more: Any) -> tuple[list[Visitor], Any]:
    """Return people who have all committed to their numbers, the host first."""
    people = [server.visitor() for _ in numbers]
    commitment = people[0].request("POST", "/commitments", json={})[1]["commitment"]
    body = {"game": "piglet", "commitment": commitment, "number_hash": number_hash(numbers[0])} | more
    status, table = people[0].request("POST", "/invitations", json=body)
    assert status == 201, table
    for person, number in zip(people[1:], numbers[1:], strict=True):
        status, table = commit(person, number, table)
        assert status == 200, table
    return people, table


def test_game_begins_when_all_numbers_are_revealed_and_not_before(servers: Any) -> None:
    (ann, bob), table = committed(servers(), ANN, BOB)
    assert table["number_hashes"] == [number_hash(ANN), number_hash(BOB)]
    assert (table["begun"], table["revealed"]) == (False, False)
    assert ann.request("GET", f"/games/{table['id']}")[0] == 404
    status, shown = reveal(ann, ANN, table)
    assert (status, shown["begun"], shown["revealed"]) == (200, False, True)
    assert ANN not in str(bob.get(f"/invitations/{table['id']}"))  # numbers of others are hidden before the game
    status, shown = reveal(bob, BOB, table)
    assert (status, shown["begun"]) == (200, True)
    assert reveal(bob, BOB, table) == (200, shown)  # sent again
    fairness = ann.get(f"/games/{table['id']}")["fairness"]
    assert (fairness["numbers"], fairness["number"], fairness["protocol"]) == (
        [ANN, BOB],
        combined_number([ANN, BOB]),
        2,
    )


def test_number_is_revealed_only_by_who_committed_to_it_and_when_all_have(server: Server) -> None:
    (ann, bob), table = committed(server, ANN, BOB, rules={"players": 3})
    status, answer = reveal(ann, ANN, table)
    assert (status, answer["error"]) == (
        409,
        "Some seats are free: numbers are revealed when all players have committed to theirs.",
    )
    eve = server.visitor()
    assert commit(eve, ANN, table)[0] == 422  # a copy of another's commitment
    assert commit(eve, EVE, table)[0] == 200
    status, answer = reveal(bob, EVE, table)
    assert (status, answer["error"]) == (422, "That is not the number that you committed to.")
    assert reveal(server.visitor(), BOB, table)[0] == 404


def test_who_leaves_once_all_have_committed_clears_the_table(server: Server) -> None:
    """Somebody who came after numbers were revealed could choose theirs."""
    (ann, bob), table = committed(server, ANN, BOB)
    reveal(ann, ANN, table)
    assert bob.request("DELETE", f"/invitations/{table['id']}", json={})[0] == 200
    assert ann.request("GET", f"/invitations/{table['id']}")[0] == 404


def test_seat_is_taken_with_a_number_or_the_hash_of_one(server: Server) -> None:
    (_, _), table = committed(server, ANN, BOB, rules={"players": 3})
    eve = server.visitor()
    for body in ({}, {"number": EVE, "number_hash": number_hash(EVE)}):
        status, answer = eve.request("POST", f"/invitations/{table['id']}/join", json=body)
        assert (status, answer["error"][:14]) == (422, "To take a seat")


def test_each_move_happens_once_and_only_by_whose_turn_it_is(servers: Any) -> None:
    (ann, bob), table = seated(servers())
    game = ann.get(f"/games/{table['id']}")
    status, answer = bob.move(bob.get(f"/games/{table['id']}"), "flip")
    assert (status, answer["error"]) == (409, "It is not your turn.")
    first, again = ann.move(game, "flip"), ann.move(game, "flip")
    assert first == again
    assert bob.move(game, "flip")[0] == 409  # it was not Bob's
    with ThreadPoolExecutor(8) as pool:
        mover = ann if first[1]["mover"] == 0 else bob
        view = mover.get(f"/games/{table['id']}")
        answers = list(pool.map(lambda _: mover.move(view, "flip")[0], range(8)))
    assert set(answers) == {200}
    assert len([entry for entry in ann.get(f"/games/{table['id']}")["log"] if entry["kind"] == "action"]) == 2


def test_game_continues_at_another_server(servers: Any) -> None:
    one, other = servers(), servers()
    (ann, bob), table = seated(one)
    ann.moved(ann.get(f"/games/{table['id']}"), "flip")
    again = other.visitor(bob.client.cookies)
    assert again.get(f"/games/{table['id']}") == bob.get(f"/games/{table['id']}")
    view = ann.get(f"/games/{table['id']}")
    mover = [other.visitor(each.client.cookies) for each in (ann, bob)][view["mover"]]
    there = mover.moved(mover.get(f"/games/{table['id']}"), "flip")
    assert ann.get(f"/games/{table['id']}/news") == {
        "number": there["number"],
        "over": False,
        "turn": there["mover"] == 0,
        "phrases": [],
    }


def hands_in(view: Any) -> list[set[str]]:
    """Return the hands in a player's view, their own first: those of others are a fixed deal of the unseen cards."""
    written = view["written"].partition("hands=")[2].partition(",")[0]
    return [set(hand.split("+")) for hand in written.split("/")] if written else []


def test_no_one_sees_another_hand(server: Server) -> None:
    people, table = seated(server, 3, game="red7", players=4)
    assert [one.get(f"/games/{table['id']}")["you"] for one in people] == [0, 1, 2, 3]
    for _ in range(6):
        views = [one.get(f"/games/{table['id']}") for one in people]
        if views[0]["result"]:
            break
        for view in views:
            assert all(entry["luck"] is None and entry["outcomes"] is None for entry in view["log"])
            assert view["fairness"]["seed"] is None
            hands, palettes = view["log"][:28], view["log"][28:32]  # of four players, who each begin with an open card
            assert {entry["label"] for entry in hands} == {"hidden"}
            assert "hidden" not in {entry["label"] for entry in palettes}
        hands = [hands_in(view) for view in views]
        for seat, other in permutations(range(4), 2):
            if hands[seat] and hands[other]:
                assert hands[seat][(other - seat) % 4] != hands[other][0]
        mover = views[0]["mover"]
        view = views[mover]
        assert [bool(each["actions"]) for each in views] == [seat == mover for seat in range(4)]
        people[mover].moved(view, view["actions"][0]["label"])
    outsider = server.visitor()
    assert outsider.request("GET", f"/games/{table['id']}")[0] == 404


def test_strangers_neither_see_nor_move(server: Server) -> None:
    (ann, _), table = seated(server)
    eve = server.visitor()
    for method, path, body in (
        ("GET", "", None),
        ("GET", "/news", None),
        ("GET", "/review", None),
        ("POST", "/moves", {"number": 0, "move": "flip"}),
        ("POST", "/resign", {}),
        ("POST", "/share", {}),
        ("DELETE", "", {}),
    ):
        assert eve.request(method, f"/games/{table['id']}{path}", json=body)[0] == 404
    assert join(eve, table)[0] == 409
    assert eve.get(f"/invitations/{table['id']}")["watch"] is None
    assert ann.get(f"/games/{table['id']}")["number"] == 0


def test_spectators_see_an_open_game_and_do_nothing(server: Server) -> None:
    (ann, _), table = seated(server)
    eve = server.visitor()
    seen = eve.get(f"/watch/{table['watch']}")
    assert (seen["actions"], seen["number"]) == ([], 0)
    ann.moved(ann.get(f"/games/{table['id']}"), "flip")
    assert eve.get(f"/watch/{table['watch']}")["number"] == 2
    assert eve.move(seen, "flip")[0] == 404
    assert eve.request("GET", f"/watch/{table['id']}")[0] == 404


def test_spectators_of_hidden_hands_wait_until_the_end(server: Server) -> None:
    people, table = seated(server, game="red7", players=2)
    status, answer = server.visitor().request("GET", f"/watch/{table['watch']}")
    assert (status, answer["error"]) == (403, "Red7 has hidden cards: you can watch it when it is over.")
    people[0].request("POST", f"/games/{table['id']}/resign", json={})
    assert server.visitor().get(f"/watch/{table['watch']}")["result"]


def test_there_are_no_hints_against_friends_but_a_review_for_each(server: Server) -> None:
    people, table = seated(server, goal=2)
    for path in ("hint", "surface"):
        status, answer = people[0].request("GET", f"/games/{table['id']}/{path}")
        assert (status, answer["error"]) == (403, "Others play in this game: there are no hints until it is over.")
    people[1].request("POST", f"/games/{table['id']}/resign", json={})
    assert people[0].get(f"/games/{table['id']}")["result"]["payoffs"] == [1.0, 0.0]
    assert people[0].request("POST", f"/games/{table['id']}/resign", json={})[1]["result"]["you"] == "won"


def test_seats_are_taken_once_and_only_as_many_as_there_are(servers: Any) -> None:
    server = servers()
    ann = server.visitor()
    table = invite(ann, game="pig", players=3)
    assert join(ann, table)[1]["names"] == ["A player"]  # she has one already
    guests = [server.visitor() for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        statuses = list(pool.map(lambda guest: join(guest, table)[0], guests))
    assert sorted(statuses) == [200, 200, 409, 409, 409, 409]
    inside = [guest for guest, status in zip(guests, statuses, strict=True) if status == 200]
    assert {one.get(f"/games/{table['id']}")["you"] for one in (ann, *inside)} == {0, 1, 2}


def test_invitation_is_withdrawn_by_who_made_it(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    table = invite(ann)
    assert bob.request("DELETE", f"/invitations/{table['id']}", json={})[0] == 404
    assert ann.request("DELETE", f"/invitations/{table['id']}", json={})[0] == 200
    status, answer = join(bob, table)
    assert (status, answer["error"]) == (
        404,
        "There is no table at this address; the invitation may have been withdrawn.",
    )


def test_who_deletes_everything_resigns_and_leaves_no_name(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    bob.request("PUT", "/me", json={"name": "Bob"})
    table = invite(ann)
    join(bob, table)
    assert ann.get(f"/games/{table['id']}")["names"] == ["Player 1", "Bob"]
    assert ann.request("DELETE", f"/games/{table['id']}", json={})[0] == 409
    bob.request("DELETE", "/me", json={})
    left = ann.get(f"/games/{table['id']}")
    assert left["result"]["you"] == "won"
    assert left["names"] == ["Player 1", "Deleted player"]


def test_friends_keep_the_game_when_who_invited_deletes_everything(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        person.request("PUT", "/me", json={"name": name})
    table = invite(ann, goal=2, seat="either")
    join(bob, table)
    people = sorted((ann, bob), key=lambda one: one.get(f"/games/{table['id']}")["you"])
    play_out(people, table["id"])
    before = bob.get(f"/games/{table['id']}")
    secret = ann.request("POST", f"/games/{table['id']}/share", json={})[1]["secret"]
    ann.request("DELETE", "/me", json={})
    after = bob.get(f"/games/{table['id']}")
    assert after["names"] == [name if name == "Bob" else "Deleted player" for name in before["names"]]
    assert {key: after[key] for key in after if key != "names"} == {
        key: before[key] for key in before if key != "names"
    }
    assert bob.request("GET", f"/games/{table['id']}/review")[0] in (200, 503)  # 503 as long as it is being solved
    assert [game["id"] for game in bob.get("/games")["games"]] == [table["id"]]
    assert server.visitor().request("GET", f"/shared/{secret}")[0] == 404
    assert ann.request("GET", f"/games/{table['id']}")[0] == 404
    bob.request("DELETE", "/me", json={})
    assert bob.request("GET", f"/games/{table['id']}")[0] == 404


def test_tables_that_wait_are_listed_for_those_who_sit_there(server: Server) -> None:
    ann, bob, cleo = server.visitor(), server.visitor(), server.visitor()
    table = invite(ann, "pig", players=3)
    join(bob, table)
    assert [each["id"] for each in ann.get("/invitations")["invitations"]] == [table["id"]]
    assert [each["host"] for each in bob.get("/invitations")["invitations"]] == [False]
    assert cleo.get("/invitations")["invitations"] == []
    assert bob.request("DELETE", f"/invitations/{table['id']}", json={})[0] == 200  # gives up the seat
    assert bob.get("/invitations")["invitations"] == []
    assert len(ann.get("/invitations")["invitations"][0]["names"]) == 1
    join(bob, table)
    join(cleo, table)
    assert ann.get("/invitations")["invitations"] == []  # the game has begun


@pytest.mark.parametrize("mode", ["normal", "test"])
def test_people_at_one_device_move_in_turn(server: Server, mode: str) -> None:
    ann = server.visitor()
    chance = {} if mode == "normal" else {"commitment": None, "number": None}
    game = ann.begin("piglet", opponent=None, names=["Ann", ""], rules={"goal": 1}, mode=mode, **chance)
    assert (game["names"], game["company"], game["you"]) == (["Ann", "Player 2"], "device", 0)
    movers = set()
    while not game["result"]:
        movers.add(game["mover"])
        assert game["you"] == game["mover"]
        offered = [each["label"] for each in (game["events"] if game["waiting"] == "event" else game["actions"])]
        game = ann.moved(game, offered[-1])
        if mode == "test" and len(game["log"]) > 6:
            game = ann.moved(game, next(each["label"] for each in game["events"] or game["actions"]))
    assert len(movers) <= 2
    assert ann.get("/statistics")["rows"] == []
    assert ann.get("/games")["games"][0]["names"] == ["Ann", "Player 2"]


def test_hands_at_one_device_are_shown_to_whose_turn_it_is(server: Server) -> None:
    ann = server.visitor()
    game = ann.begin("red7", opponent=None, names=["Ann", "Bob", "Cid"], rules={"players": 3})
    for _ in range(4):
        if game["result"]:
            break
        assert game["you"] == game["mover"]
        assert {entry["label"] for entry in game["log"][:21]} == {"hidden"}
        game = ann.moved(game, game["actions"][0]["label"])


def test_names_at_one_device_are_as_many_as_seats(server: Server) -> None:
    ann = server.visitor()
    status, answer = ann.request("POST", "/games", json=ann.game_request("pig", None, names=["A", "B", "C"]))
    assert (status, answer["error"]) == (422, "Pig is for 2 here, not for 3.")
    status, answer = ann.request("POST", "/games", json=ann.game_request("pig", "random", names=["A", "B"]))
    assert (status, answer["error"]) == (422, "People on one device play each other: do not name an opponent.")
    status, answer = ann.request(
        "POST", "/invitations", json={"game": "yahtzee", "commitment": "0" * 32, "number": "0" * 32}
    )
    assert (status, answer["error"]) == (422, "Yahtzee is for one player: you cannot invite others.")


def test_games_of_several_people_are_not_studied(server: Server) -> None:
    people = [server.visitor(), server.visitor()]
    for one in people:
        one.request("PUT", "/consent", json={"agreed": True})
    table = invite(people[0], goal=1)
    join(people[1], table)
    play_out(people, table["id"])
    ann = people[0]
    ann.play_on(ann.begin("piglet", opponent=None, names=["Ann", "Bob"], rules={"goal": 1}))
    assert consented_games(server.app.state.services.database) == ([], 0)
    ann.play_on(ann.begin("piglet", rules={"goal": 1}))
    assert len(consented_games(server.app.state.services.database)[0]) == 1


def test_hidden_information_cannot_be_copied_during_the_game(server: Server) -> None:
    people, table = seated(server, game="red7", players=2)
    for one in people:
        (kept,) = one.get("/export.json")["games"]
        assert (kept["log"], kept["seed"]) == ([], None)
        assert one.request("GET", f"/games/{table['id']}/record")[0] == 409
    people[0].request("POST", f"/games/{table['id']}/resign", json={})
    kept = [one.get("/export.json")["games"][0] for one in people]
    assert [each["payoff"] for each in kept] == [0.0, 1.0]
    assert all(each["log"] and each["seed"] for each in kept)

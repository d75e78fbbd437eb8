"""After a game among friends one press proposes the next: once, to those who played, with the seats exchanged."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from test_invitations import seated

from komi.play.fairness import draw_number

from playing import Server, Visitor, join, play_out

SEATS = ("second", "first")


def proposal(person: Visitor, ended: Any, **more: Any) -> dict[str, Any]:
    """Return the page's request for a rematch."""
    commitment = person.request("POST", "/commitments", json={})[1]["commitment"]
    seat = SEATS[ended["you"]] if ended["players"] == 2 else "next"
    body = {"game": ended["game"], "rules": ended["rules"], "seat": seat, "follows": ended["id"]}
    clock = ended["clock"] and {"minutes": ended["clock"]["minutes"], "seconds": ended["clock"]["seconds"]}
    return body | {"clock": clock, "commitment": commitment, "number": draw_number()} | more


def propose(person: Visitor, ended: Any) -> Any:
    status, table = person.request("POST", "/invitations", json=proposal(person, ended))
    assert status == 201, table
    return table


def ended_game(server: Any, others: int = 1, **more: Any) -> tuple[list[Visitor], list[Any]]:
    """Return people after a game, and what each of them sees of it, in the order of their seats."""
    people, table = seated(server, others, **more)
    play_out(people, table["id"])
    return people, [one.get(f"/games/{table['id']}") for one in people]


def test_friend_sees_the_rematch_and_accepts_it_in_the_other_seat(servers: Any) -> None:
    people, views = ended_game(servers(), goal=1, clock={"minutes": 10, "seconds": 5})
    (ann, bob), address = people, f"/games/{views[0]['id']}/rematch"
    won = [view["result"]["payoffs"][0] for view in views]
    assert bob.get(address) == {"table": None, "games": 1, "score": [won[0], 1 - won[0]], "phrases": []}
    table = propose(ann, views[0])
    seen = bob.get(address)["table"]
    assert (seen["id"], seen["rematch"], seen["seated"], seen["host"]) == (table["id"], True, False, False)
    assert [each["id"] for each in bob.get("/invitations")["invitations"]] == [table["id"]]
    assert join(bob, table)[1]["begun"]
    assert [one.get(f"/games/{table['id']}")["you"] for one in people] == [1, 0]
    assert bob.get(address)["table"]["begun"]
    assert ann.get("/invitations")["invitations"] == []


def test_score_follows_the_people_over_all_games(server: Server) -> None:
    people, views = ended_game(server, goal=1)
    won = list(views[0]["result"]["payoffs"])
    for games in (2, 3):
        table = propose(people[0], people[0].get(f"/games/{views[0]['id']}"))
        join(people[1], table)
        in_order = sorted(people, key=lambda one: one.get(f"/games/{table['id']}")["you"])
        play_out(in_order, table["id"])
        views = [one.get(f"/games/{table['id']}") for one in people]
        won = [total + view["result"]["payoffs"][view["you"]] for total, view in zip(won, views, strict=True)]
        found = people[1].get(f"/games/{table['id']}/rematch")
        assert (found["games"], [found["score"][view["you"]] for view in views]) == (games, won)
    assert sum(won) == 3


def test_two_who_press_at_once_get_one_table(servers: Any) -> None:
    people, views = ended_game(servers(), goal=1)
    bodies = [proposal(one, view) for one, view in zip(people, views, strict=True)]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda one, body: one.request("POST", "/invitations", json=body), people, bodies))
    assert [status for status, _ in answers] == [201, 201]
    assert answers[0][1]["id"] == answers[1][1]["id"]
    assert sorted(table["host"] for _, table in answers) == [False, True]


def test_rematch_is_declined_by_a_player_alone(server: Server) -> None:
    (ann, bob), views = ended_game(server, goal=1)
    table = propose(ann, views[0])
    place = f"/invitations/{table['id']}"
    assert server.visitor().request("DELETE", place, json={})[0] == 404
    assert bob.request("DELETE", place, json={}) == (200, {"done": True})
    assert ann.request("GET", place)[0] == 404
    assert ann.get(f"/games/{views[0]['id']}/rematch")["table"] is None
    assert join(bob, propose(bob, views[1]))[0] == 200  # there can be another one


def test_begun_rematch_cannot_be_declined(server: Server) -> None:
    people, views = ended_game(server, 2, game="pig", goal=10, players=3)
    table = propose(people[0], views[0])
    guests = [people[1], server.visitor()]  # somebody else has taken the third seat
    for guest in guests:
        assert join(guest, table)[0] == 200
    assert people[2].request("DELETE", f"/invitations/{table['id']}", json={})[0] == 404
    assert people[2].get("/invitations")["invitations"] == []


def test_among_three_each_moves_one_seat_on(servers: Any) -> None:
    people, views = ended_game(servers(), 2, game="pig", goal=10, players=3)
    table = propose(people[1], views[1])
    assert (table["seat"], table["follows"]) == ("next", views[0]["id"])
    for guest in (people[2], people[0]):
        join(guest, table)
    seen = [one.get(f"/games/{table['id']}") for one in people]
    assert [view["you"] for view in seen] == [1, 2, 0]
    assert not seen[0]["fairness"]["lot"]


def test_newcomers_take_the_seats_that_are_left(server: Server) -> None:
    people, views = ended_game(server, 2, game="pig", goal=10, players=3)
    table = propose(people[2], views[2])
    newcomer = server.visitor()
    for guest in (newcomer, people[1]):
        join(guest, table)
    assert [one.get(f"/games/{table['id']}")["you"] for one in (people[2], newcomer, people[1])] == [0, 1, 2]


def test_seats_move_on_in_a_rematch_alone(server: Server) -> None:
    people, views = ended_game(server, 2, game="pig", goal=10, players=3)
    request = proposal(people[0], views[0])
    del request["follows"]
    status, answer = people[0].request("POST", "/invitations", json=request)
    assert (status, answer["error"]) == (422, "Players move on to the next seat in a rematch alone.")


def test_rematch_has_the_terms_of_the_game_before(server: Server) -> None:
    (ann, _), views = ended_game(server, goal=1)
    sentence = "A rematch has the rules and the clock of the game before it, with the seats exchanged."
    for other in (
        {"rules": {"goal": 2}},
        {"seat": "first"},
        {"seat": "either"},
        {"clock": {"minutes": 1, "seconds": 0}},
        {"game": "pig", "rules": {}},
    ):
        status, answer = ann.request("POST", "/invitations", json=proposal(ann, views[0], **other))
        assert (status, answer["error"]) == (422, sentence), other


def test_only_players_of_a_finished_game_among_friends_have_a_rematch(server: Server) -> None:
    people, table = seated(server, goal=1)
    running = people[0].get(f"/games/{table['id']}")
    status, answer = people[0].request("POST", "/invitations", json=proposal(people[0], running))
    assert (status, answer["error"]) == (409, "There is a rematch when a game among friends is over.")
    over = play_out(people, table["id"])
    eve = server.visitor()
    assert eve.request("POST", "/invitations", json=proposal(eve, over))[0] == 404
    assert eve.request("GET", f"/games/{table['id']}/rematch")[0] == 404
    alone = eve.play_on(eve.begin("piglet", rules={"goal": 1}))
    assert eve.request("GET", f"/games/{alone['id']}/rematch")[0] == 409


def test_score_goes_on_without_who_deleted_everything(server: Server) -> None:
    (ann, bob), views = ended_game(server, goal=1)
    table = propose(ann, views[0])
    join(bob, table)
    play_out(sorted((ann, bob), key=lambda one: one.get(f"/games/{table['id']}")["you"]), table["id"])
    bob.request("DELETE", "/me", json={})
    found = ann.get(f"/games/{table['id']}/rematch")
    assert (found["games"], found["score"][0]) == (2, 0.0)  # Bob sat there

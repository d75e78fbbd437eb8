"""A teacher opens a room, pupils join by its code, and the board shows what they play there, to the teacher alone."""

from datetime import timedelta
from typing import Any

from sqlalchemy import update

from komi.web import rooms
from komi.web.housekeeping import TERM, remove_unused
from komi.web.records import Room, now

from playing import Server, Visitor

GOAL = {"goal": 20}  # more than a random opponent reaches in one turn


def room_of(teacher: Visitor, game: str = "piglet", opponent: Any = "random", **rules: Any) -> Any:
    status, room = teacher.request("POST", "/rooms", json={"game": game, "rules": rules or GOAL, "opponent": opponent})
    assert status == 201, room
    return room


def enter(pupil: Visitor, room: Any, name: str) -> Any:
    status, answer = pupil.request("POST", "/rooms/join", json={"code": room["code"], "name": name})
    assert status == 200, answer
    return answer


def test_board_shows_the_games_in_the_room(servers: Any) -> None:
    server = servers()
    teacher, ann, bob = server.visitor(), server.visitor(), server.visitor()
    room = room_of(teacher)
    ann.play_on(ann.begin("piglet", rules=GOAL))  # before she joins
    assert enter(ann, room, "Ann")["joined"]
    assert [each["name"] for each in ann.get("/export.json")["rooms"]] == ["Ann"]
    enter(bob, room, "Bob")
    over = ann.play_on(ann.begin("piglet", rules=GOAL))
    ann.begin("piglet", rules={"goal": 3})  # under other rules
    bob.moved(bob.begin("piglet", rules=GOAL), "flip")
    pupils = teacher.get(f"/rooms/{room['id']}/board")["pupils"]
    assert [(each["name"], each["games"], each["playing"]) for each in pupils] == [("Ann", 1, False), ("Bob", 0, True)]
    assert pupils[0]["won"] == over["result"]["payoffs"][0]
    mine = [entry["label"] for entry in over["log"] if entry["by"] == "you" and entry["kind"] == "action"]
    assert pupils[0]["actions"] == {label: mine.count(label) for label in set(mine)}
    assert pupils[1]["actions"] == {"flip": 1}


def test_results_are_a_table_that_no_name_turns_into_formulas(server: Server) -> None:
    teacher, ann = server.visitor(), server.visitor()
    room = room_of(teacher)
    enter(ann, room, "=1+1")
    ann.moved(ann.begin("piglet", rules=GOAL), "flip")
    response = teacher.client.get(f"/api/rooms/{room['id']}/board.csv")
    assert response.text.splitlines() == [
        '"name","games","won","decisions","loss","flip"',
        '"\'=1+1","0","0.0","0","","1"',
    ]
    assert response.headers["content-disposition"] == 'attachment; filename="komi-class.csv"'


def test_board_is_for_the_teacher_alone(server: Server) -> None:
    teacher, ann, eve = server.visitor(), server.visitor(), server.visitor()
    room = room_of(teacher)
    enter(ann, room, "Ann")
    for other in (ann, eve):
        for path in ("board", "board.csv"):
            status, answer = other.request("GET", f"/rooms/{room['id']}/{path}")
            assert (status, answer) == (404, {"error": rooms.NO_ROOM})
    people = [one.client.cookies["komi"].partition(".")[0] for one in (teacher, ann)]
    seen = str((ann.get("/rooms"), eve.request("POST", "/rooms/find", json={"code": room["code"]})))
    assert not any(person in seen for person in people)
    assert eve.request("DELETE", f"/rooms/{room['id']}", json={})[0] == 404


def test_pupil_leaves_and_the_teacher_closes_the_room(servers: Any) -> None:
    server = servers()
    teacher, ann, bob = server.visitor(), server.visitor(), server.visitor()
    room = room_of(teacher)
    for pupil, name in ((ann, "Ann"), (ann, "Anna"), (bob, "Bob")):
        enter(pupil, room, name)
    assert ann.request("DELETE", f"/rooms/{room['id']}", json={}) == (200, {"done": True})
    bob.request("DELETE", "/me", json={})
    assert teacher.get(f"/rooms/{room['id']}/board")["pupils"] == []
    assert teacher.request("DELETE", f"/rooms/{room['id']}", json={}) == (200, {"done": True})
    assert ann.request("POST", "/rooms/find", json={"code": room["code"]}) == (404, {"error": rooms.NO_ROOM})


def test_rooms_and_members_are_few(server: Server) -> None:
    teacher, ann = server.visitor(), server.visitor()
    first = room_of(teacher)
    opened = [teacher.patiently("POST", "/rooms", json={"game": "piglet", "opponent": "random"}) for _ in range(19)]
    assert {status for status, _ in opened} == {201}
    assert first["id"] in {room["id"] for room in teacher.get("/rooms")["rooms"]}
    teacher.patiently("POST", "/rooms", json={"game": "piglet", "opponent": "random"})
    listed = teacher.get("/rooms")["rooms"]
    assert (len(listed), first["id"] in {room["id"] for room in listed}) == (rooms.MAX_ROOMS, False)
    assert ann.request("POST", "/rooms", json={"game": "piglet", "opponent": "nobody"})[0] == 422
    assert ann.request("POST", "/rooms/join", json={"code": "babab dodod", "name": "Ann"})[0] == 404
    assert ann.request("POST", "/rooms/join", json={"code": listed[0]["code"], "name": " "})[0] == 422


def test_room_ends_with_the_term(servers: Any) -> None:
    server = servers()
    teacher, ann = server.visitor(), server.visitor()
    room = room_of(teacher)
    enter(ann, room, "Ann")
    database = server.app.state.services.database
    remove_unused(database)
    assert teacher.get("/rooms")["rooms"]
    with database.writing() as session:
        session.execute(update(Room).values(since=now() - TERM - timedelta(days=1)))
    remove_unused(database)
    assert ann.get("/rooms") == {"rooms": []}


def test_room_moves_with_the_teacher_and_the_pupil_to_another_device(server: Server) -> None:
    desk, phone, teacher = server.visitor(), server.visitor(), server.visitor()
    joined, own = room_of(teacher), room_of(phone)
    enter(phone, joined, "Ann")
    code = " ".join(desk.request("POST", "/devices", json={})[1]["words"])
    assert phone.request("POST", "/devices/join", json={"code": code})[0] == 200
    assert {room["id"] for room in desk.get("/rooms")["rooms"]} == {joined["id"], own["id"]}

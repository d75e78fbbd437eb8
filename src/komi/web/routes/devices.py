"""/api/devices: another device of the same person."""

import segno
from fastapi import APIRouter, Request, Response

from komi.web import device_codes, merging, models
from komi.web.game_service import get_or_create_person
from komi.web.identity import CurrentPerson, new_id, reset_id
from komi.web.responses import ApiError, respond
from komi.web.services import CurrentServices

router = APIRouter(prefix="/api/devices", tags=["me"])


@router.get("", response_model=models.WaitingCodeResponse)
def waiting(person: CurrentPerson, services: CurrentServices) -> Response:
    """Return whether your code is valid and unused."""
    with services.database.reading() as session:
        return respond(models.WaitingCodeResponse(waiting=device_codes.is_waiting(session, person)))


@router.post("", response_model=models.DeviceCodeResponse, status_code=201)
def create(body: models.EmptyRequest, request: Request, person: CurrentPerson, services: CurrentServices) -> Response:
    """Create a code for another device, in place of an earlier one. It is valid once, for ten minutes."""
    with services.database.writing() as session:
        get_or_create_person(session, person)
        code = device_codes.create(session, person)
    link = f"{request.url.scheme}://{request.url.netloc}{request.app.state.root_path}/#/device/{code}"
    qr = segno.make(link, micro=False).svg_data_uri(light="white", omitsize=True)
    seconds = int(device_codes.VALID.total_seconds())
    return respond(models.DeviceCodeResponse(words=code.split("-"), link=link, qr=qr, seconds=seconds), 201)


@router.delete("", response_model=models.DoneResponse)
def withdraw(body: models.EmptyRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Invalidate your code."""
    with services.database.writing() as session:
        device_codes.withdraw(session, person)
    return respond(models.DoneResponse())


@router.post("/find", response_model=models.CodeOwnerResponse)
def find(body: models.DeviceCodeRequest, person: CurrentPerson, services: CurrentServices) -> Response:
    """Get whose code this is, before you join."""
    with services.database.reading() as session:
        return respond(merging.describe(session, device_codes.find(session, body.code).person))


@router.post("/sign-out-others", response_model=models.DoneResponse)
def sign_out_others(
    body: models.EmptyRequest, request: Request, person: CurrentPerson, services: CurrentServices
) -> Response:
    """Sign out all your other devices: each of them becomes a new person, and this one keeps your data."""
    new = new_id()
    with services.database.writing() as session:
        merging.change_id(session, person, new)
    services.game_cache.forget(person)
    reset_id(request, new)
    return respond(models.DoneResponse())


@router.post("/join", response_model=models.DoneResponse)
def join(
    body: models.DeviceCodeRequest, request: Request, person: CurrentPerson, services: CurrentServices
) -> Response:
    """Become the person whom the code belongs to. What this browser has played moves to that person."""
    with services.database.writing() as session:
        code = device_codes.find(session, body.code)
        other = code.person
        if other == person:
            raise ApiError(409, "This is your own code: enter it on the other device.")
        merging.merge(session, person, other)
        session.delete(code)
    services.game_cache.forget(person)
    services.game_cache.forget(other)
    reset_id(request, other)
    return respond(models.DoneResponse())

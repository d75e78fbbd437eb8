"""/api/account: a name and a password, for those who want to sign in with them on other devices."""

from fastapi import APIRouter, Request, Response

from komi.web import models
from komi.web.identity import CurrentPerson, reset_id
from komi.web.responses import respond
from komi.web.services import CurrentServices

router = APIRouter(prefix="/api/account", tags=["me"])


@router.get("", response_model=models.AccountResponse)
def show(person: CurrentPerson, services: CurrentServices) -> Response:
    """Get the name with which you sign in."""
    return respond(models.AccountResponse(name=services.accounts.name_of(person)))


@router.put("", response_model=models.AccountResponse)
async def change(
    body: models.AccountRequest, request: Request, person: CurrentPerson, services: CurrentServices
) -> Response:
    """Set your name and your password, or change both: this requires the present password."""
    await services.accounts.save(person, body.name, body.password, body.present, request.state.address)
    return respond(models.AccountResponse(name=body.name))


@router.delete("", response_model=models.DoneResponse)
async def remove(
    body: models.PasswordRequest, request: Request, person: CurrentPerson, services: CurrentServices
) -> Response:
    """Remove your name and your password. You stay signed in on your devices."""
    await services.accounts.remove(person, body.password, request.state.address)
    return respond(models.DoneResponse())


@router.post("/sign-in", response_model=models.DoneResponse)
async def sign_in(
    body: models.SignInRequest, request: Request, person: CurrentPerson, services: CurrentServices
) -> Response:
    """Become the person with this name and password. What this browser has played moves to that person."""
    other = await services.accounts.sign_in(body.name, body.password, person, request.state.address)
    services.game_cache.forget(person)
    services.game_cache.forget(other)
    reset_id(request, other)
    return respond(models.DoneResponse())

"""The request and response models of the API, by topic."""

from komi.web.models.base import *
from komi.web.models.games import *
from komi.web.models.learning import *
from komi.web.models.offer import *
from komi.web.models.people import *
from komi.web.models.positions import *
from komi.web.models.rooms import *
from komi.web.models.sandbox import *
from komi.web.models.tables import *

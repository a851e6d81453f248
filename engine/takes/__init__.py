"""Takes: their archive, their export, and the provenance that each file carries."""

from engine.takes.archive import Added, RemovedTake, SavedTake, TakeArchive, TakeEntry
from engine.takes.checks import TakeFacts, check_take, facts_of, own_paces
from engine.takes.choice import Choice, RatedTake, best_take
from engine.takes.export import (
    TEMPLATE,
    TEMPLATE_FIELDS,
    Exported,
    ExportFormat,
    export_name,
    export_take,
)
from engine.takes.files import TakeError
from engine.takes.provenance import (
    Provenance,
    ProvenanceError,
    VoiceMark,
    codes_hash,
    read_provenance,
)

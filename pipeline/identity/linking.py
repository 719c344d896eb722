"""Links name keys into persons: the surest claims first, and none that contradicts what is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.identity.claims import CONFIDENCE, MAX_ELO_GAP, NEAR_YEARS, Claim, Context, Pair
from pipeline.identity.copies import SURE_GAMES
from pipeline.identity.decisions import Decisions
from pipeline.identity.likeness import Likeness, are_one_initial, likeness

ContextOf = Callable[[str, str], Context]


@dataclass(frozen=True, slots=True)
class Persons:
    """Which keys are one person."""

    person_of: Mapping[str, str]
    """Linked key → key that stands for the person; keys that stand alone are absent."""
    claims: Sequence[Claim]
    ambiguous: Mapping[str, tuple[str, ...]]
    """Abbreviation that fits several persons → keys that stand for them."""


class _Clusters:
    """Union-find over keys that refuses to join what is known to be two."""

    def __init__(self, context: ContextOf, fide_ids: Mapping[str, frozenset[str]]) -> None:
        self._parent: dict[str, str] = {}
        self._members: dict[str, list[str]] = {}
        self._apart: dict[str, dict[str, str]] = defaultdict(dict)
        self._context, self._fide_ids = context, fide_ids

    def find(self, key: str) -> str:
        root = key
        while (up := self._parent.get(root, root)) != root:
            root = up
        while (up := self._parent.get(key, key)) != root:
            self._parent[key], key = root, up
        return root

    def members(self, key: str) -> list[str]:
        root = self.find(key)
        return self._members.get(root, [root])

    def keep_apart(self, key: str, other: str, reason: str) -> None:
        self._apart[key][other] = self._apart[other][key] = reason

    def against(self, key: str, other: str) -> str | None:
        """Why the persons of two keys are two; None when nothing says so."""
        ours, theirs = self.members(key), self.members(other)
        ids = frozenset[str]().union(*(self._fide_ids.get(k, frozenset()) for k in ours))
        other_ids = frozenset[str]().union(*(self._fide_ids.get(k, frozenset()) for k in theirs))
        if ids and other_ids and not ids & other_ids:
            return f"fide_id: {', '.join(sorted(ids))} and {', '.join(sorted(other_ids))}"
        for one in ours:
            for two in theirs:
                reason = self._apart[one].get(two) if one in self._apart else None
                reason = reason or self._context(one, two).against
                if reason:
                    return reason if (one, two) == (key, other) else f"{reason} ({one}, {two})"
        return None

    def join(self, key: str, other: str) -> None:
        root, under = sorted((self.find(key), self.find(other)))
        if root != under:
            members = sorted(self.members(root) + self.members(under))
            self._parent[under] = root
            self._members.pop(under, None)
            self._members[root] = members

    def all(self) -> list[list[str]]:
        return [members for _, members in sorted(self._members.items()) if len(members) > 1]


def link(
    pairs: Iterable[Pair],
    decisions: Decisions,
    *,
    context: ContextOf,
    fide_ids: Mapping[str, frozenset[str]],
    n_games: Mapping[str, int],
    split_keys: frozenset[str] = frozenset(),
) -> Persons:
    """Turns claims into persons. `split_keys`: keys that several persons have; no other name is linked to them.

    Order: what people decided, FIDE ids, games under two spellings (most games first), spellings, then abbreviations, longest
    first, each if only one person fits: a game that both names share does not make `Lasker` Emanuel everywhere. The result
    does not depend on the order of `pairs`.
    """
    clusters, claims = _Clusters(context, fide_ids), list[Claim]()
    for key, other, id_ in sorted(decisions.splits):
        clusters.keep_apart(key, other, f"alias: decision {id_}")
        claims.append(Claim(key, other, "different", "alias", CONFIDENCE["alias"], detail=f"decision {id_}"))
    for key, other, id_ in sorted(decisions.merges):
        clusters.join(key, other)
        claims.append(Claim(key, other, "same", "alias", CONFIDENCE["alias"], detail=f"decision {id_}"))
    by_kind: dict[str, list[Pair]] = defaultdict(list)
    for pair in sorted(set(pairs)):
        by_kind[pair.evidence].append(pair)
    short = [(pair, as_short) for pair in by_kind["same_game"] if (as_short := _as_abbreviation(pair)) is not None]
    whole = set(by_kind["same_game"]) - {pair for pair, _ in short}
    for pair in [*by_kind["fide_id"], *sorted(whole, key=lambda p: (-p.n, p))]:
        reason = _split(pair, split_keys) or _names_against(pair) or clusters.against(pair.key, pair.other_key)
        _claim(claims, pair, reason)
        if reason is None:
            clusters.join(pair.key, pair.other_key)
    for pair in by_kind["spelling"]:
        if clusters.find(pair.key) == clusters.find(pair.other_key):
            continue
        found = context(pair.key, pair.other_key)
        reason = _split(pair, split_keys) or clusters.against(pair.key, pair.other_key) or _elo_against(found)
        reason = reason or (None if found.n_events and found.n_opponents else "no event and opponent in common")
        _claim(claims, pair, reason, _told(found))
        if reason is None:
            clusters.join(pair.key, pair.other_key)
    abbreviations = [*by_kind["abbreviation"], *(as_short for _, as_short in short)]
    ambiguous = _abbreviations(abbreviations, clusters, claims, context, split_keys)
    people = _person_of(clusters, n_games)
    open_ = {key: tuple(sorted({people.get(o, o) for o in fits})) for key, fits in ambiguous.items()}
    return Persons(people, claims, open_)


def _abbreviations(
    pairs: Sequence[Pair], clusters: _Clusters, claims: list[Claim], context: ContextOf, split_keys: frozenset[str]
) -> dict[str, list[str]]:
    """Links each abbreviation to the only person that it fits; gives those that fit several, with a key of each."""
    longer: dict[str, dict[str, Pair]] = defaultdict(dict)
    for pair in pairs:  # games under both names stand behind, and say more
        longer[pair.key][pair.other_key] = pair
    ambiguous: dict[str, list[str]] = {}
    for key in sorted(longer, key=lambda k: (-_n_whole(k), -len(k.split()), -len(k), k)):
        clear = [other for other in sorted(longer[key], reverse=True) if other not in split_keys and other not in ambiguous]
        fits = {clusters.find(other): other for other in clear if not _may_be_one_of(other, clear, longer, clusters, context)}
        own = clusters.find(key)
        if any(_n_whole(member) > max(1, _n_whole(key)) for member in clusters.members(own)):
            continue  # games under both names have told already
        several = [other for other in longer[key] if other in split_keys and not likeness(key, other).has_initials_for]
        open_ = list(fits.values())  # also those whom the name met: in other games it may be they
        if len(open_) + len(several) > 1 or several:
            ambiguous[key] = [*sorted(open_), *several]
            if key not in split_keys:
                for other in ambiguous[key]:
                    claims.append(_rejected(key, other, "fits several persons"))
            continue
        for other, pair in sorted(longer[key].items()):
            if other in ambiguous or clusters.find(other) == clusters.find(key):
                continue
            found = context(key, other)
            reason = _split(pair, split_keys) or clusters.against(key, other)
            if reason is None and pair.evidence == "abbreviation":
                reason = _elo_against(found)
            is_shared = pair.evidence == "same_game" or any(context(key, o).is_shared for o in clusters.members(other))
            if reason is None and not is_shared:
                reason = "no event and no opponent in common" if (found.years_apart or 0) <= NEAR_YEARS else "years: far apart"
            _claim(claims, pair, reason, _told(found))
            if reason is None:
                clusters.join(key, other)
    return ambiguous


def _may_be_one_of(
    key: str, others: Sequence[str], longer: Mapping[str, Mapping[str, Pair]], clusters: _Clusters, context: ContextOf
) -> bool:
    """Whether a name abbreviates one of the others and nothing says that they are two: `Tal, M` is no rival of `Tal, Mihail`."""
    return any(
        other in longer.get(key, ())
        and clusters.find(other) != clusters.find(key)
        and (context(key, other).years_apart or 0) <= NEAR_YEARS
        and clusters.against(key, other) is None
        for other in others
    )


def _n_whole(key: str) -> int:
    """Whole words of a key."""
    return sum(len(word) > 1 for word in key.split())


def _as_abbreviation(pair: Pair) -> Pair | None:
    """The pair with the shorter form first when one name says less than the other, else None."""
    if likeness(pair.key, pair.other_key).says_less:
        return pair
    if likeness(pair.other_key, pair.key).says_less:
        return replace(pair, key=pair.other_key, other_key=pair.key)
    return None


def _rejected(key: str, other: str, reason: str) -> Claim:
    return Claim(key, other, "same", "abbreviation", CONFIDENCE["abbreviation"], False, reason)


def _claim(claims: list[Claim], pair: Pair, reason: str | None, detail: str = "") -> None:
    confidence = CONFIDENCE[pair.evidence]
    said = "; ".join(filter(None, (pair.detail, detail))) or None
    claims.append(Claim(pair.key, pair.other_key, "same", pair.evidence, confidence, reason is None, reason, said))


def _split(pair: Pair, split_keys: frozenset[str]) -> str | None:
    several = sorted({pair.key, pair.other_key} & split_keys)
    return f"several persons are called {several[0]}" if several else None


def _names_against(pair: Pair) -> str | None:
    """Why names contradict that one game found under both, or one FIDE id, makes them one person."""
    alike = likeness(pair.key, pair.other_key)
    if alike.is_compatible or alike.is_close:
        return None
    if pair.evidence == "same_game" and pair.n >= SURE_GAMES and _may_sound_alike(alike):
        return None
    if pair.evidence == "fide_id" and (alike.n_equal + alike.n_near + alike.n_initials or _may_sound_alike(alike)):
        return None  # a name by marriage; ids that were swapped are of two who met
    return "given names differ" if alike.n_equal + alike.n_near else "names are not alike"


def _may_sound_alike(alike: Likeness) -> bool:
    """Whether words that differ begin with one sound: a transcription by ear (Nigel, Найджел; Euwe, Эйве)."""
    return any(are_one_initial(word, other) for word in alike.rest for other in alike.other_rest)


def _elo_against(found: Context) -> str | None:
    return f"ratings of one year differ by {found.elo_gap}" if (found.elo_gap or 0) > MAX_ELO_GAP else None


def _told(found: Context) -> str:
    said = (("events", found.n_events), ("opponents", found.n_opponents))
    return ", ".join(f"{n} {what} in common" for what, n in said if n)


def _person_of(clusters: _Clusters, n_games: Mapping[str, int]) -> dict[str, str]:
    """The key that stands for a person: with at least two whole names if there is one, of these the most frequent."""
    found: dict[str, str] = {}
    for members in clusters.all():
        best = min(members, key=lambda k: (-min(2, sum(len(w) > 1 for w in k.split())), -n_games.get(k, 0), -len(k), k))
        found |= dict.fromkeys(members, best)
    return found

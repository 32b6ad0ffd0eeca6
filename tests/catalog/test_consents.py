"""Consent per knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog

PLACE = "http://192.168.1.5:11434"


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    made = Catalog.open(tmp_path)
    yield made
    made.close()


def test_consent_is_of_one_knowledge_base_and_one_address(catalog: Catalog) -> None:
    contracts, diary = catalog.kbs.create("contracts").id, catalog.kbs.create("diary").id
    catalog.consents.give(contracts, PLACE)
    catalog.consents.give(contracts, PLACE)
    assert catalog.consents.places(contracts) == {PLACE}
    assert catalog.consents.places(diary) == frozenset()
    assert [(each.kb, each.place) for each in catalog.consents.all()] == [("contracts", PLACE)]
    assert catalog.consents.all()[0].when > 0


def test_together_they_may_only_go_where_each_may(catalog: Catalog) -> None:
    one, two = catalog.kbs.create("one").id, catalog.kbs.create("two").id
    catalog.consents.give(one, PLACE)
    catalog.consents.give(one, "http://10.0.0.1:1")
    catalog.consents.give(two, "http://10.0.0.1:1")
    assert catalog.consents.common([one, two]) == {"http://10.0.0.1:1"}
    assert catalog.consents.common([]) == frozenset()
    assert catalog.consents.any_places() == {PLACE, "http://10.0.0.1:1"}


def test_what_is_taken_back_is_gone(catalog: Catalog) -> None:
    kb = catalog.kbs.create("contracts").id
    catalog.consents.give(kb, PLACE)
    catalog.consents.revoke(kb, PLACE)
    assert catalog.consents.all() == []


def test_it_goes_with_its_knowledge_base(catalog: Catalog) -> None:
    catalog.consents.give(catalog.kbs.create("contracts").id, PLACE)
    catalog.kbs.delete("contracts")
    catalog.kbs.create("contracts")
    assert catalog.consents.all() == []

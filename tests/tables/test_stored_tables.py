from desktop_rag.core.cancel import CancelToken
from desktop_rag.tables.table_store import TableStore
from tests.tables.conftest import Base

ORDERS = "Order,Region,Amount,Note\n" + "".join(
    f"{n},{'North' if n % 2 else 'South'},{n * 10},{'' if n % 3 else 'checked; Region: none'}\n"
    for n in range(1, 61)
)


def test_a_csv_of_many_chunks_comes_back_cell_by_cell(base: Base) -> None:
    base.add_text("orders.csv", ORDERS)
    ((table,),) = base.groups()
    assert len(set(table.chunk_ids)) > 5
    assert table.names == ("Order", "Region", "Amount", "Note")
    assert table.columns[2] == tuple(str(n * 10) for n in range(1, 61))
    assert table.columns[3][:3] == ("", "", "checked; Region: none")


def test_a_row_is_known_by_its_place_in_the_text_and_its_chunk(base: Base) -> None:
    base.add_text("orders.csv", ORDERS)
    ((table,),) = base.groups()
    start, end = table.spans[41]
    assert base.catalog.documents.text(table.document_id, start, end).startswith("Order: 42; ")
    chunk = base.catalog.documents.get_chunks([table.chunk_at(41)])[table.chunk_at(41)]
    assert "Order: 42; " in chunk.text


def test_sheets_with_the_same_columns_are_one_table_that_knows_its_sheets(base: Base) -> None:
    head = ("Item", "Amount")
    base.add_book(
        "year.xlsx",
        {
            "January": [head, ("Tea", 3), ("Milk", 4), ("Total", 7)],
            "February": [head, ("Tea", 5), ("Rice", 6), ("Total", 11)],
        },
    )
    table = base.typed()
    assert [each.name for each in table.columns] == ["Item", "Amount", "Sheet"]
    assert (table.size, table.totals) == (4, 2)
    assert table.columns[2].cells.values == ("January", "January", "February", "February")


def test_a_copy_of_a_table_is_taken_once_and_a_version_stays_apart(base: Base) -> None:
    base.add_text("orders.csv", ORDERS)
    base.add_text("orders-copy.csv", ORDERS + "\n")
    base.add_text("orders-new.csv", ORDERS.replace("South", "East"))
    assert [len(group) for group in base.groups()] == [1, 1]


def test_a_table_in_markdown_has_its_empty_cells(base: Base) -> None:
    base.add_text(
        "t.md",
        "# List\n\n| Name | Age | City |\n|---|---|---|\n| Ann |  | Rome |\n| Bob | 3 |  |\n",
    )
    ((table,),) = base.groups()
    assert table.columns == (("Ann", "Bob"), ("", "3"), ("Rome", ""))


def test_a_filter_and_other_bases_hold(base: Base) -> None:
    base.add_text("orders.csv", ORDERS)
    base.add_text("people.csv", "Name,Age\nAnn,3\nBob,4\n")
    assert len(base.groups("path:*people*")) == 1
    other = base.catalog.kbs.create("other").id
    assert base.store.tables((other,), "", (), CancelToken()).groups == ()


def test_what_is_held_is_bounded(base: Base) -> None:
    for n in range(5):
        base.add_text(f"t{n}.csv", f"Name{n},Age\nAnn,{n}\nBob,4\n")
    store = TableStore(base.catalog, most_cells=8)
    assert len(store.tables((base.kb,), "", (), CancelToken()).groups) == 5
    assert len(store._held) == 2


def test_a_table_that_changed_is_read_anew(base: Base) -> None:
    base.add_text("people.csv", "Name,Age\nAnn,3\nBob,4\n")
    assert base.typed().size == 2
    base.add_text("people.csv", "Name,Age\nAnn,3\nBob,4\nCid,5\n")
    assert base.typed().size == 3


def test_a_column_that_is_called_item_goes_on_after_a_blank_row(base: Base) -> None:
    base.add_book(
        "a.xlsx", {"Prices": [("Item", "Price"), ("Tea", 3), (None,), ("Milk", 4), ("Rice", 5)]}
    )
    (group,) = base.groups()
    assert [each.columns[0] for each in group] == [("Tea",), ("Milk", "Rice")]

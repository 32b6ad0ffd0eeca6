"""A summary that was prepared of a document stands in the details of its file."""

from __future__ import annotations

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import NewDerivedText, PreparedStep
from testing.narrowing import present
from testing.window_driver import Driver, wait_for

SUMMARY = "The library opens longer [1], and the board agrees [2]."


def test_the_prepared_summary_of_the_chosen_file_is_shown_without_its_numbers(
    driver: Driver,
) -> None:
    driver.add_a_file()
    page, library = driver.window.centre.files, driver.context.library
    catalog = driver.context.folder.get(CancelToken()).catalog
    document = present(library.snapshot.files[0].document_id)
    sources = (catalog.documents.chunks(document)[0].chunk_id,)
    catalog.preparations.request(catalog.kbs.names()[library.snapshot.current], "summaries")
    step = PreparedStep(document, "summaries", "summaries:1:", 0, 1, is_done=True)
    catalog.preparations.store(step, [NewDerivedText(SUMMARY, sources)], None, "model")
    driver.window.centre.show_files()
    library.refresh()
    wait_for(lambda: library.snapshot.has_summaries and page.model.rowCount() == 1)
    page.view.selectRow(0)
    wait_for(page.details.summary.isVisible)
    assert page.details.summary.text() == "The library opens longer, and the board agrees."

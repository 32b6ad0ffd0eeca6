"""What the tools give back; clients are told the fields' meanings by these models."""

from __future__ import annotations

from pydantic import BaseModel, Field


class KnowledgeBaseFigures(BaseModel):
    """A knowledge base that may be asked."""

    name: str
    files: int
    passages: int
    not_read: int = Field(description="files that wait, or whose text could not be read")
    folders: list[str] = Field(description="the folders and files that it follows")


class KnowledgeBaseList(BaseModel):
    """The knowledge bases that may be asked."""

    knowledge_bases: list[KnowledgeBaseFigures]
    note: str = Field("", description="what to tell the user where there is none")


class DocumentState(BaseModel):
    """A file of a knowledge base."""

    path: str
    status: str = Field(description="`ready` where its text can be found")
    reason: str = Field(description="why it could not be read, or not wholly")
    pages: int | None
    passages: int


class DocumentList(BaseModel):
    """Some of the files of a knowledge base, by path."""

    documents: list[DocumentState]
    total: int
    next_first: int | None = Field(description="where to go on; null at the end")


class FoundPassage(BaseModel):
    """A passage that a search found; best first."""

    passage_id: str
    path: str
    place: str = Field(description="where in the file it stands, as `page 3`")
    section: str
    text: str


class FoundPassages(BaseModel):
    """What a search found."""

    passages: list[FoundPassage]
    notices: list[str] = Field(description="what the user should know of this search")


class CitedQuote(BaseModel):
    """A quote that supports the answer where `[n]` stands in it."""

    n: int
    passage_id: str
    path: str
    place: str
    quote: str


class AnswerWithQuotes(BaseModel):
    """An answer from the documents."""

    answer: str
    mode: str = Field(
        description="`generated` by the user's own language model, `extracted` as quotes, or "
        "`refused`: the documents do not say it"
    )
    citations: list[CitedQuote]
    notices: list[str] = Field(description="what the user should know of this answer")


class ReadPassage(BaseModel):
    """A passage of a document, in its order."""

    number: int
    passage_id: str
    place: str
    text: str


class ReadResult(BaseModel):
    """Some of the passages of one document."""

    path: str
    passages: list[ReadPassage]
    total: int
    next_first: int | None = Field(description="where to go on; null at the end")

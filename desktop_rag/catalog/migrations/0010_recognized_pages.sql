-- Pages that hold no text that can be read, and what was recognised on them: of contents, not of
-- files. Nothing stays of a content that no file has any more.
CREATE TABLE unread_pages (
    content_hash TEXT PRIMARY KEY,
    pages TEXT NOT NULL,
    is_tried INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE recognized_pages (
    content_hash TEXT NOT NULL,
    page INTEGER NOT NULL,
    picture TEXT NOT NULL,
    found BLOB,
    PRIMARY KEY (content_hash, page)
);
CREATE INDEX recognized_pages_by_picture ON recognized_pages (picture);
CREATE INDEX files_by_content ON files (content_hash);

CREATE TRIGGER recognized_pages_of_a_deleted_file AFTER DELETE ON files
WHEN NOT EXISTS (SELECT 1 FROM files WHERE content_hash = OLD.content_hash)
BEGIN
    DELETE FROM unread_pages WHERE content_hash = OLD.content_hash;
    DELETE FROM recognized_pages WHERE content_hash = OLD.content_hash;
END;

CREATE TRIGGER recognized_pages_of_a_changed_file AFTER UPDATE OF content_hash ON files
WHEN OLD.content_hash IS NOT NEW.content_hash
    AND NOT EXISTS (SELECT 1 FROM files WHERE content_hash = OLD.content_hash)
BEGIN
    DELETE FROM unread_pages WHERE content_hash = OLD.content_hash;
    DELETE FROM recognized_pages WHERE content_hash = OLD.content_hash;
END;

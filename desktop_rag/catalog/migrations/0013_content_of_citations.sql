-- What answers cite and found is known by its content as well, as far as it is still here: then a
-- citation finds its document again when that is moved out of the folders and back in.
UPDATE messages SET payload = json_set(
    payload,
    '$.sources', (
        SELECT json_group_array(json_set(value, '$.content_hash', coalesce(
            (SELECT content_hash FROM documents WHERE id = json_extract(value, '$.document_id')), ''
        ))) FROM json_each(messages.payload, '$.sources')
    ),
    '$.retrieved', (
        SELECT json_group_array(json_set(value, '$.content_hash', coalesce(
            (SELECT content_hash FROM documents WHERE id = json_extract(value, '$.document_id')), ''
        ))) FROM json_each(messages.payload, '$.retrieved')
    )
)
WHERE role = 'assistant' AND CASE WHEN json_valid(payload) THEN
    json_type(payload, '$.sources') = 'array' AND json_array_length(payload, '$.sources') > 0
    AND json_type(payload, '$.retrieved') = 'array'
    AND NOT EXISTS (SELECT 1 FROM json_each(messages.payload, '$.sources') WHERE type <> 'object')
    AND NOT EXISTS (SELECT 1 FROM json_each(messages.payload, '$.retrieved') WHERE type <> 'object')
END;

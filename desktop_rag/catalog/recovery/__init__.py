"""What a damaged catalog still gives, page by page, made into a sound one."""

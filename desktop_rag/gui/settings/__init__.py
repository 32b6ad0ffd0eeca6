"""The settings dialog: its pages follow from the declarations in `core.settings`."""

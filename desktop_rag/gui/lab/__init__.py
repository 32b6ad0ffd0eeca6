"""The lab: ways of searching and answering, tried, compared and measured."""

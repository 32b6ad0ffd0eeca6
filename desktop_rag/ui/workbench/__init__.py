"""Pages on which ways of searching and answering are tried, compared and measured."""

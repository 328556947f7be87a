"""Surveys: what a source holds, column by column, with all its faults at once instead of an error."""

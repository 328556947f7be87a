"""Effects estimated from rows: regression adjustment, and robust estimates with learners of one's own choice."""

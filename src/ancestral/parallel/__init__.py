"""Work on several threads, processes or machines: the clock, the transports, the payloads, and the loops over tasks."""

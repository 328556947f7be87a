"""Work on several threads, processes or machines: the clock, transports to workers, and the loop that runs tasks."""

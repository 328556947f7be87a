"""Tuning: how often to look, how long to wait, when to use threads, and how much work a worker gets at a time."""

from dataclasses import dataclass

__all__ = ["DEFAULTS", "Tuning"]


@dataclass(frozen=True)
class Tuning:
    """Numbers that affect speed and patience, and never a result. All times are in seconds.

    Waiting:

    - `report_every`: progress is reported at most this often; people cannot follow more.
    - `poll_every`: while workers work, the clock and Ctrl-C are looked at this often.
    - `grace`: after the deadline of a bootstrap, running tasks are waited for this long; they know the deadline, and
      hand over what they have.

    Trouble:

    - `retry_pauses`: the pause before each time that a lost task is sent again. Restarting a worker takes seconds, so
      the pauses grow. A task that is lost once more ends the run.
    - `count_workers_every`: the workers of a cluster are counted at most this often, since a count is a request.
    - `no_workers_timeout`: a cluster that has had no workers for this long counts as gone.

    A search in this process. A test is quick if it answers many questions in one call; a question then takes about
    0.1 µs. Tests that answer one question per call, such as a function of the user, use threads whenever there are any:

    - `min_sets_for_threads`: the fewest candidate sets of a radius for which a quick test uses several threads. Fewer,
      about 1 ms of work, are done sooner than a second thread has started.
    - `max_edges_per_range`: the largest number of edges that a thread takes at a time, multiplied by the batch size of
      the test. Larger ranges would leave threads idle at the end of a radius.
    - `many_sets`: a radius with at least this many candidate sets brings a warning: about 20 minutes, even of a quick
      test.
    - `many_variables`: from this number of variables on, making the graph of an earlier radius again takes longer than
      keeping it.

    Chunks of a search:

    - `chunks_per_worker`: a radius is cut into up to this many chunks for each worker. How long a chunk takes is not
      known beforehand, and with several chunks no worker is idle for long.
    - `shortest_chunk`: but where a chunk is expected to take less time than this, fewer are cut, since sending one
      costs time.
    - `least_work_to_send`: a quick test with fewer steps than this ahead is done before they would have been sent.

    Chunks of a bootstrap:

    - `repeats_chunk`: a chunk should take about this long. Little is lost when the run ends early.
    - `most_repeats_in_chunk`: but it has at most this many repeats, which bounds the answer in bytes.
    - `chunks_ahead`: a worker has this many short chunks at a time, so that it need not wait for the next one.
    """

    report_every: float = 0.1
    poll_every: float = 0.05
    grace: float = 2.0
    retry_pauses: tuple[float, ...] = (0.1, 0.5, 2.0)
    count_workers_every: float = 1.0
    no_workers_timeout: float = 30.0
    min_sets_for_threads: int = 5_000
    max_edges_per_range: int = 256
    many_sets: float = 1e10
    many_variables: int = 500
    chunks_per_worker: int = 8
    shortest_chunk: float = 0.2
    least_work_to_send: float = 1_000_000
    repeats_chunk: float = 0.5
    most_repeats_in_chunk: int = 64
    chunks_ahead: int = 2


#: What is used unless a caller passes something else.
DEFAULTS = Tuning()

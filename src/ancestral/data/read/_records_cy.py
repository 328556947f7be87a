"""Records of delimited text, counted in the bytes themselves, and the number of fields of each.

The idea: a quotation mark at the beginning of a field opens it, and within it a doubled one stands for itself (RFC
4180, and Python's csv). If every mark follows this rule, whether a byte is inside quotation marks is the parity of the
marks before it, for 64 bytes at once (Langdale & Lemire 2019, Parsing gigabytes of JSON per second). A mark that breaks
the rule is recognised by its neighbours alone: one that opens follows a separator, a line end or another mark; one that
closes is followed by one of these. So `Survey` reads regular records at memory speed and stops before the first that is
not regular; `Record` reads that one byte by byte.

A record is regular if its marks follow the rule, it has as many fields as there are columns, it ends with a line feed,
and outside of quotation marks it holds neither a zero byte nor a carriage return other than before that line feed.

Invariants: reading begins at the beginning of a record. Bit i of a word stands for byte i of 64.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._cython import low_bytes, ones, prefix_xor, same_bytes

ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
HIGHEST = cython.declare(cython.ulonglong, 0x8000000000000000)
LINE_FEED = cython.declare(cython.uchar, 10)
RETURN = cython.declare(cython.uchar, 13)
QUOTE = cython.declare(cython.uchar, 34)
SPACE = cython.declare(cython.uchar, 32)
TAB = cython.declare(cython.uchar, 9)

#: The states of reading a field: at its beginning, in plain text, inside quotation marks, after the closing one.
BEGINS = cython.declare(cython.int, 0)
PLAIN = cython.declare(cython.int, 1)
QUOTED = cython.declare(cython.int, 2)
CLOSED = cython.declare(cython.int, 3)


@cython.cclass
class Survey:
    """The regular records of some bytes, up to the first that is not regular.

    There are `records` of them on `lines` lines, and they end before the byte `end`. If `irregular`, a record that is
    not regular begins there; otherwise the rest is the beginning of a record without its end.
    """

    def __init__(self, data: Any, first: int, width: int, separator: int) -> None:
        bytes_ = np.frombuffer(data, dtype=np.uint8)
        tail = np.zeros(64, dtype=np.uint8)
        rest = bytes_.size - (bytes_.size - first) % 64
        tail[: bytes_.size - rest] = bytes_[rest:]
        self.end = first
        self.records = 0
        self.lines = 0
        self.irregular = False
        view: cython.const[cython.uchar][::1] = bytes_  # type: ignore[valid-type]
        last: cython.uchar[::1] = tail
        start: cython.Py_ssize_t = first
        columns: cython.Py_ssize_t = width
        mark: cython.uchar = separator
        with cython.nogil:
            self.walk(view, last, start, columns, mark)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def walk(
        self,
        data: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        tail: cython.uchar[::1],
        first: cython.Py_ssize_t,
        width: cython.Py_ssize_t,
        separator: cython.uchar,
    ) -> cython.int:
        """Read the bytes and fill in the attributes."""
        at: cython.Py_ssize_t = first
        left: cython.Py_ssize_t = data.shape[0] - first
        found: cython.Py_ssize_t = 0  # separators in the record so far
        broken: cython.Py_ssize_t = 0  # line ends within its quotation marks
        inside: cython.ulonglong = 0  # all ones within quotation marks
        may_open: cython.ulonglong = 1  # the byte before lets a quotation mark open
        must_close: cython.ulonglong = 0  # the byte before closed: only some bytes may follow
        must_feed: cython.ulonglong = 0  # the byte before was a carriage return
        valid: cython.ulonglong = ALL
        last: cython.ulonglong = 0  # the bit of the last record end
        base: cython.Py_ssize_t = first
        feeds: cython.ulonglong
        marks: cython.ulonglong
        cuts: cython.ulonglong
        low: cython.ulonglong
        returns: cython.ulonglong
        within: cython.ulonglong
        wrong: cython.ulonglong
        ends: cython.ulonglong
        one: cython.ulonglong
        below: cython.ulonglong
        after: cython.ulonglong
        opening: cython.ulonglong
        closing: cython.ulonglong
        while left > 0:
            if left >= 64:
                feeds = same_bytes(data, at, LINE_FEED)
                marks = same_bytes(data, at, QUOTE)
                cuts = same_bytes(data, at, separator)
                low = low_bytes(data, at)
            else:
                valid = (cython.cast(cython.ulonglong, 1) << left) - 1
                feeds = same_bytes(tail, 0, LINE_FEED)
                marks = same_bytes(tail, 0, QUOTE)
                cuts = same_bytes(tail, 0, separator) & valid
                low = low_bytes(tail, 0) & valid
            returns = 0
            wrong = 0
            if low & ~feeds & ~cuts:
                if left >= 64:
                    returns = same_bytes(data, at, RETURN)
                    wrong = same_bytes(data, at, 0)
                else:
                    returns = same_bytes(tail, 0, RETURN)
                    wrong = same_bytes(tail, 0, 0) & valid
            within = 0
            if marks | inside | must_close:
                # a mark that opens is inside, one that closes is not
                within = prefix_xor(marks) ^ inside
                opening = marks & within
                closing = marks & ~within
                wrong |= opening & ~(((cuts | feeds | marks) << 1) | may_open)
                after = (closing << 1) | must_close
                wrong |= after & valid & ~(cuts | feeds | returns | marks)
                must_close = closing >> 63
                inside = ALL if within & HIGHEST else 0
            if returns | must_feed:
                returns &= ~within
                wrong |= ((returns << 1) | must_feed) & valid & ~feeds
                must_feed = returns >> 63
            may_open = (cuts | feeds | marks) >> 63
            ends = feeds & ~within
            cuts &= ~within
            while ends:
                one = ends & (~ends + 1)
                below = one - 1
                if wrong & below:
                    break
                found += ones(cuts & below)
                if found != width - 1:
                    wrong = 1
                    break
                self.records += 1
                self.lines += 1
                if within:
                    broken += ones(feeds & within & below)
                    feeds &= ~below
                self.lines += broken
                broken = 0
                found = 0
                cuts &= ~below
                last = one
                base = at
                ends &= ends - 1
            if wrong:
                self.irregular = True
                break
            found += ones(cuts)
            if within:
                broken += ones(feeds & within)
            at += 64
            left -= 64
        if last:
            self.end = base + ones(last - 1) + 1
        return 0


@cython.cclass
class Record:
    """One record, read byte by byte; with its line end it ends before the byte `end`.

    - `complete`: it has a line end.
    - `blank`: it is empty, or consists of spaces and tabs that are not separators.
    - `bare`: there are quotation marks within fields that do not begin with one.
    - `spaced`: spaces follow a closing quotation mark.
    - `trailing`: something else follows one, at the byte `suspect`.
    - `open`: the quotation mark at the byte `suspect` is not closed.
    - `null`: there is a zero byte, the first of them at `suspect`.

    `bounds`, if it has rows, gets the first byte and the byte after the last of as many fields, with quotation marks.
    """

    def __init__(self, data: Any, first: int, separator: int, bounds: Any = None) -> None:
        self.end = first
        self.fields = 1
        self.suspect = -1
        self.complete = False
        self.blank = True
        self.bare = self.spaced = self.trailing = self.open = self.null = False
        view: cython.const[cython.uchar][::1] = np.frombuffer(data, dtype=np.uint8)  # type: ignore[valid-type]
        into: cython.longlong[:, ::1] = np.zeros((0, 2), dtype=np.int64) if bounds is None else bounds
        start: cython.Py_ssize_t = first
        mark: cython.uchar = separator
        with cython.nogil:
            self.walk(view, start, mark, into)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def walk(
        self,
        data: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
        first: cython.Py_ssize_t,
        separator: cython.uchar,
        bounds: cython.longlong[:, ::1],
    ) -> cython.int:
        """Read the bytes and fill in the attributes."""
        at: cython.Py_ssize_t = first
        begin: cython.Py_ssize_t = first
        opened: cython.Py_ssize_t = first
        state: cython.int = BEGINS
        byte: cython.uchar
        while at < data.shape[0]:
            byte = data[at]
            if byte == 0 and not self.null and not self.trailing:
                self.null = True
                self.suspect = at
            if state == QUOTED:
                if byte == QUOTE:
                    if at + 1 < data.shape[0] and data[at + 1] == QUOTE:
                        at += 1
                    else:
                        state = CLOSED
            elif byte == LINE_FEED or byte == RETURN:
                self.complete = True
                break
            elif byte == separator:
                if self.fields <= bounds.shape[0]:
                    bounds[self.fields - 1, 0] = begin
                    bounds[self.fields - 1, 1] = at
                self.fields += 1
                self.blank = False
                begin = at + 1
                state = BEGINS
            elif state == BEGINS and byte == QUOTE:
                self.blank = False
                opened = at
                state = QUOTED
            else:
                if byte == QUOTE:
                    self.bare = True
                if byte == SPACE or byte == TAB:
                    if state == CLOSED:
                        self.spaced = True
                else:
                    self.blank = False
                    if state == CLOSED and not self.trailing:
                        self.trailing = True
                        self.suspect = at
                if state == BEGINS:
                    state = PLAIN
            at += 1
        if self.fields <= bounds.shape[0]:
            bounds[self.fields - 1, 0] = begin
            bounds[self.fields - 1, 1] = at
        if state == QUOTED:
            self.open = True
            self.suspect = opened
        if self.complete:
            at += 2 if data[at] == RETURN and at + 1 < data.shape[0] and data[at + 1] == LINE_FEED else 1
        self.end = at
        return 0

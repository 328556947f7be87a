from command_line import ran


def test_the_demo_tells_its_story() -> None:
    done = ran("demo")
    assert (done.code, done.err) == (0, "")
    assert "diet <-> sport" in done.out
    assert "age o-o region" in done.out
    assert "The graphs are the same." in done.out
    assert "diet causes pressure: yes" in done.out
    assert "ancestral discover study.csv --save run.json" in done.out
    assert "\x1b" not in done.out
    assert all(line == line.rstrip() for line in done.out.splitlines())


def test_other_data_tell_it_too() -> None:
    for seed in range(1, 6):
        assert ran("demo", "--rows", 300, "--seed", seed).code == 0

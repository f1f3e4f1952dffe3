"""Clocks T1 and T2, from stamps (CASES 19-22, 39)."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from game.sitting import BLACK, WHITE, Sitting
from nardi.game import clock
from nardi.game.clock import ClockRules, Clocks
from nardi.game.event import ClockPaused, CommandRefused, GameEnded, MatchEnded, Played, RollRejected, TimeClaimed
from nardi.game.match import Phase
from nardi.game.record import match_record
from nardi.rules import ByColor, find_ruleset
from nardi.rules.notation.record import PlayDone

T1 = ClockRules(11_000, 90_000, "turn")
T2 = ClockRules(12_000, 0, "delay")


def test_t1_the_turn_runs_first_then_the_reserve() -> None:
    clocks = clock.started(clock.new_clocks(T1), WHITE, 1000)
    assert clock.turn_left_ms(clocks, 6000) == 6000
    assert clock.left_ms(clocks, WHITE, 12_000) == 90_000
    assert clock.left_ms(clocks, WHITE, 15_000) == 87_000
    assert clock.left_ms(clocks, BLACK, 15_000) == 90_000
    assert not clock.is_flagged(clocks, 102_000)
    assert clock.is_flagged(clocks, 102_001)


def test_t1_settings_come_from_the_ruleset() -> None:
    assert clock.rules_of(find_ruleset("nardi"), 3) == T1
    assert clock.rules_of(find_ruleset("backgammon"), 7) == ClockRules(12_000, 840_000, "delay")
    assert clock.rules_of(find_ruleset("backgammon"), 0) is None


def test_cases_19_t2_delay_with_an_empty_bank() -> None:
    clocks = clock.started(clock.new_clocks(T2), WHITE, 5_000)
    assert not clock.is_flagged(clocks, 5_000 + 11_999)
    assert not clock.is_flagged(clocks, 5_000 + 12_000)
    assert clock.is_flagged(clocks, 5_000 + 12_001)


def test_cases_19_the_first_turn_has_one_delay_not_two() -> None:
    table = Sitting("backgammon", 5, clocks=ClockRules(12_000, 60_000))
    table.set_up()
    table.wait(100_000)  # nobody's clock runs before the opening throw
    table.opening(3, 1)
    began = table.match.clocks.since_ms
    table.wait(began + 20_000 - table.t - 2 * table.pace)
    table.move("8/5 6/5")
    table.lift("w1", "b1")
    spent = table.last(Played).at_ms - began
    assert table.last(Played).clock_ms == ByColor(60_000 - (spent - 12_000), 60_000)


def test_cases_20_pause_keeps_what_is_left_of_the_delay() -> None:
    clocks = clock.started(clock.new_clocks(T2), WHITE, 0)
    stopped = clock.paused(clocks, 5_000)
    assert clock.turn_left_ms(stopped, 60_000) == 7_000
    resumed = clock.resumed(stopped, 60_000)
    assert clock.turn_left_ms(resumed, 61_000) == 6_000
    assert not clock.is_flagged(resumed, 67_000)
    assert clock.is_flagged(resumed, 67_001)


def test_cases_22_thirty_minutes_of_ragged_ticks() -> None:
    """Looking at the clock changes nothing: only stamps count."""
    random = Random(1)
    clocks = clock.started(clock.new_clocks(ClockRules(12_000, 3_600_000)), WHITE, 0)
    now, by = 0, WHITE
    spent = {WHITE: 0, BLACK: 0}
    begun = 0
    while now < 30 * 60_000:
        now += random.randint(900, 1400)
        clock.left_ms(clocks, by, now)
        if random.random() < 0.05:
            spent[by] += max(0, now - begun - 12_000)
            by, begun = by.other, now
            clocks = clock.started(clocks, by, now)
    for color in (WHITE, BLACK):
        running = max(0, now - begun - 12_000) if color is by else 0
        assert abs(clock.left_ms(clocks, color, now) - (3_600_000 - spent[color] - running)) < 50


def test_a_clock_set_back_takes_no_time_away() -> None:
    clocks = clock.started(clock.new_clocks(T1), WHITE, 50_000)
    assert clock.left_ms(clocks, WHITE, 10_000) == 90_000
    assert clock.stopped(clocks, 10_000).reserve_ms == ByColor(90_000, 90_000)


def test_the_referee_adjusts_a_running_clock() -> None:
    clocks = clock.started(clock.new_clocks(T1), WHITE, 0)
    set_right = clock.adjusted(clocks, WHITE, 30_000, 21_000)  # ten seconds into the reserve
    assert clock.left_ms(set_right, WHITE, 21_000) == 30_000
    assert clock.left_ms(set_right, WHITE, 22_000) == 29_000
    assert clock.left_ms(clock.adjusted(clocks, BLACK, 5_000, 21_000), BLACK, 99_000) == 5_000


@given(st.lists(st.tuples(st.sampled_from(["pass", "pause", "resume"]), st.integers(0, 40_000)), max_size=30))
def test_time_is_never_made_nor_lost_by_passing_and_pausing(acts: list[tuple[str, int]]) -> None:
    clocks: Clocks = clock.started(clock.new_clocks(ClockRules(0, 10_000_000)), WHITE, 0)
    now = counted = 0
    for act, after in acts:
        now += after
        counted += 0 if clocks.paused else after
        if act == "pass":
            assert clocks.running is not None
            clocks = clock.started(clocks, clocks.running.other, now)
        else:
            clocks = (clock.paused if act == "pause" else clock.resumed)(clocks, now)
    assert sum(clock.both_left_ms(clocks, now)) == 20_000_000 - counted


def test_t1_at_zero_nothing_happens_until_the_opponent_claims_and_then_it_is_a_mars() -> None:
    table = Sitting("nardi", 5)
    table.set_up()
    table.opening(3, 1)
    table.wait(102_000)
    table.move("8/5 6/5")
    assert table.match.phase is Phase.PLAYED
    table.say("white", "claim")
    assert table.last(CommandRefused).message.id == "umpire.refused.not_yours"
    table.say("black", "claim")
    assert table.last(TimeClaimed).by is BLACK
    ended = table.last(GameEnded)
    assert (ended.winner, ended.win, ended.ending) == (BLACK, 2, "time")
    assert tuple(table.match.score) == (0, 2)


def test_t1_a_claim_too_early_is_refused() -> None:
    table = Sitting("nardi", 5)
    table.set_up()
    table.opening(3, 1)
    table.wait(99_000)
    table.say("black", "claim")
    assert table.last(CommandRefused).message.id == "umpire.refused.time_left"
    assert not table.all(GameEnded)


def test_t1_the_reserve_is_for_the_game_t2_for_the_match() -> None:
    for ruleset, full in (("nardi", 90_000), ("backgammon", 360_000)):
        table = Sitting(ruleset, 3)
        table.set_up()
        table.opening(3, 1)
        table.wait(42_000)
        table.say("black", "resign")
        table.say("white", "accept")
        table.say("referee", "next_game")
        spent = full - table.match.clocks.reserve_ms.white
        assert (spent == 0) == (ruleset == "nardi")


def test_t2_the_bank_is_for_the_match_so_a_claim_wins_it() -> None:
    table = Sitting("backgammon", 3, clocks=ClockRules(12_000, 1_000))
    table.set_up()
    table.opening(3, 1)
    table.wait(14_000)
    table.say("black", "claim")
    assert table.last(MatchEnded).winner is BLACK


def test_t2_the_clock_passes_over_with_the_end_of_the_turn_and_with_a_double() -> None:
    table = Sitting("backgammon", 3)
    table.begin()
    assert table.match.clocks.running is BLACK
    table.say("black", "double")
    assert table.match.clocks.running is WHITE
    table.say("white", "take")
    assert table.match.clocks.running is BLACK


def test_t2_paused_by_the_referee() -> None:
    table = Sitting("backgammon", 3)
    table.begin()
    table.say("referee", "pause")
    assert table.all(ClockPaused)
    left = clock.left_ms(table.match.clocks, BLACK, table.t)
    table.wait(500_000)
    table.throw(BLACK, 6, 4)
    assert table.last(RollRejected).reason == "paused"
    table.say("referee", "pause")
    assert table.last(CommandRefused).message.id == "umpire.refused.paused"
    table.say("referee", "resume")
    assert clock.left_ms(table.match.clocks, BLACK, table.t) == left
    table.throw(BLACK, 6, 4)
    assert table.match.phase is Phase.TO_PLAY
    table.say("referee", "set_clock", "black:5000")
    assert clock.left_ms(table.match.clocks, BLACK, table.t) == 5000


def test_cases_39_both_clocks_are_in_the_record_at_every_play() -> None:
    table = Sitting("nardi", 3)
    table.set_up()
    table.opening(3, 1)
    table.wait(15_000)
    table.move("8/5 6/5")
    table.lift()
    table.take_turn(6, 4, "24/14")
    plays = [action for action in match_record(table.match).games[0].actions if isinstance(action, PlayDone)]
    first, second = (play.clocks_ms for play in plays)
    assert first is not None
    assert first.white < 90_000
    assert first.black == 90_000
    assert second == first  # Black played within the turn's own time
    assert [event.clock_ms for event in table.all(Played)] == [first, second]

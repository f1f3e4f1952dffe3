"""What a reading says about a turn: legal end positions weighed against a free reading."""

from dataclasses import replace
from random import Random

import pytest

from game.sight import HERE, pile, shown, slot, with_slot
from nardi.game.board import Board
from nardi.game.evidence import Weights, best_free
from nardi.game.recognise import (
    Ambiguous,
    Clear,
    Mismatch,
    Recognition,
    Unchanged,
    Unfinished,
    matches,
    recognise,
)
from nardi.rules import RULESETS, ByColor, Color, LegalPlays, Position, Roll, find_ruleset
from nardi_vision.reading import BoardReading, Slot

RULES = find_ruleset("backgammon")
WHITE, BLACK = Color.WHITE, Color.BLACK


def judged(reading: BoardReading, before: Position, roll: Roll, by: Color = WHITE) -> Recognition:
    return recognise(reading, before, by, LegalPlays(before, roll, RULES), HERE, RULES)


def seen(position: Position, by: Color = WHITE, **details: object) -> BoardReading:
    return shown(Board.of(position, by, RULES), t_ms=0, **details)  # type: ignore[arg-type]  # keywords of `shown`


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_every_legal_end_is_recognised_from_a_perfect_reading(name: str) -> None:
    ruleset = RULESETS[name]
    random = Random(7)
    position, by = ruleset.start, WHITE
    for turn in range(60):
        legal = LegalPlays(position, Roll(random.randint(1, 6), random.randint(1, 6)), ruleset, turn < 2)
        play = random.choice(list(legal))
        board = Board.of(play.after, by, ruleset)
        found = recognise(shown(board, t_ms=0, weight=0.8), position, by, legal, HERE, ruleset)
        assert isinstance(found, Clear)
        assert found.play == play
        if play.after.all_off:
            break
        position, by = play.after.flipped, by.other


def test_nothing_moved() -> None:
    assert judged(seen(RULES.start), RULES.start, Roll(3, 1)) == Unchanged()


def test_a_part_of_a_play_and_a_dance() -> None:
    mine = list(RULES.start.mine)
    mine[8] -= 1
    mine[5] += 1
    part = Position(tuple(mine), RULES.start.theirs)
    assert judged(seen(part), RULES.start, Roll(3, 1)) == Unfinished(part)
    dancing = Position.from_text("e0000000000000000000000001/03222222000000000000000000", RULES)
    found = judged(seen(dancing), dancing, Roll(4, 3))
    assert isinstance(found, Clear)
    assert found.play.steps == ()


def test_hidden_slots_leave_room_for_several_plays() -> None:
    play = next(p for p in LegalPlays(RULES.start, Roll(2, 1), RULES) if p.notation == "24/23 6/4")
    reading = seen(play.after)
    for point in (24, 23, 22, 21):
        reading = with_slot(reading, HERE.slot(point), slot(None, 0, occluded=True))
    found = judged(reading, RULES.start, Roll(2, 1))
    assert isinstance(found, Clear)  # one checker is missing from what is seen: it must be under the hand
    for point in (5, 4):
        reading = with_slot(reading, HERE.slot(point), slot(None, 0, occluded=True))
    # One has left the 6 point, for 4 (and 24/23) or for 5 (and 24/22): all of that is hidden.
    assert isinstance(judged(reading, RULES.start, Roll(2, 1)), Ambiguous)


def test_an_illegal_arrangement_stands_out_and_is_named() -> None:
    mine = list(RULES.start.mine)
    mine[13] -= 2
    mine[9] += 2
    wrong = Position(tuple(mine), RULES.start.theirs)
    found = judged(seen(wrong, weight=0.95), RULES.start, Roll(3, 1))
    assert isinstance(found, Mismatch)
    assert found.seen.position(WHITE, RULES) == wrong


def test_a_free_arrangement_keeps_thirty_checkers() -> None:
    reading = with_slot(seen(RULES.start), HERE.slot(6), slot("light", 6))
    board, weight = best_free(Weights(reading, HERE), Board.of(RULES.start, WHITE, RULES), RULES)
    assert weight < -4
    for color in Color:
        total = sum(count for owner, count in board.points if owner is color)
        assert total + board.bar[color] + board.off[color] == 15


def test_off_is_counted_from_what_is_missing_where_no_tray_is_seen() -> None:
    position = Position.from_text("50550000000000000000000000/50550000000000000000000000", RULES)
    after = next(play.after for play in LegalPlays(position, Roll(3, 2), RULES) if play.notation == "3/off 2/off")
    board, weight = best_free(Weights(seen(after), HERE), Board.of(position, WHITE, RULES), RULES)
    assert board.off == ByColor(7, 5)
    assert weight > -4
    tray = shown(Board.of(after, WHITE, RULES), t_ms=0, trays=True)
    assert tray.off == pile(7, 5)
    assert matches(tray, Board.of(after, WHITE, RULES), HERE, RULES)


def test_the_head_of_fifteen_that_nobody_can_count_from_above() -> None:
    """Long nardi: the slot weighs the same for 9..15; what changed elsewhere tells."""
    ruleset = find_ruleset("long-classic")
    legal = LegalPlays(ruleset.start, Roll(5, 4), ruleset, True)
    play = next(iter(legal))
    reading = shown(Board.of(play.after, WHITE, ruleset), t_ms=0)
    flat = tuple(1 / 7 if count >= 9 else 0.0 for count in range(1, 16))
    from nardi_vision.reading import Slot

    nothing = (0.0,) * 15
    reading = with_slot(reading, HERE.slot(24), Slot(0.0, flat, nothing))
    reading = with_slot(reading, HERE.slot(12), Slot(0.0, nothing, flat))
    found = recognise(reading, ruleset.start, WHITE, legal, HERE, ruleset)
    assert isinstance(found, Clear)
    assert found.play == play


def random_reading(board: Board, random: Random) -> BoardReading:
    """A fallible eye: here and there a doubt, now and then a slot read wrongly but not for certain."""
    reading = shown(board, t_ms=0)
    for number, (shade, count) in enumerate(board.contents(HERE)):
        chance = random.random()
        if chance < 0.02:
            reading = with_slot(reading, number, slot(shade, count, weight=0.5))
        elif chance < 0.024:
            wrong = max(1, min(15, count + random.choice((-1, 1))))
            reading = with_slot(reading, number, slot(shade or "light", wrong, weight=0.9))
    return reading


def test_false_alarms_and_misses_of_a_fallible_eye() -> None:
    """Fewer than 1 false alarm in 500 plies; illegal plays noticed, 99 in 100."""
    random = Random(3)
    plies = alarms = wrong = illegal = noticed = 0
    while plies < 1500:
        position, by = RULES.start, WHITE
        while not position.flipped.all_off and plies < 1500:
            legal = LegalPlays(position, Roll(random.randint(1, 6), random.randint(1, 6)), RULES)
            play = random.choice(list(legal))
            reading = random_reading(Board.of(play.after, by, RULES), random)
            found = recognise(reading, position, by, legal, HERE, RULES)
            alarms += isinstance(found, Mismatch)
            wrong += isinstance(found, Clear) and found.play != play
            plies += 1
            slipped = slip(play.after, random)
            if slipped is not None and slipped not in legal and plies % 3 == 0:
                reading = random_reading(Board.of(slipped, by, RULES), random)
                found = recognise(reading, position, by, legal, HERE, RULES)
                illegal += 1
                noticed += isinstance(found, Mismatch | Unfinished | Unchanged)
            position, by = play.after.flipped, by.other
    assert alarms <= plies / 500
    assert wrong <= plies / 500
    assert illegal > 300
    assert noticed >= 0.99 * illegal


def slip(after: Position, random: Random) -> Position | None:
    """One checker put down one point too far or too near."""
    mine = list(after.mine)
    sources = [point for point in range(2, 24) if mine[point]]
    if not sources:
        return None
    source = random.choice(sources)
    target = source + random.choice((-1, 1))
    if after.theirs[RULES.facing(target)]:
        return None
    mine[source] -= 1
    mine[target] += 1
    return Position(tuple(mine), after.theirs)


HIT = Position.from_text("00000050300005000000000020/00000060200005000000010010", RULES)
"""White may hit on 4; Black has a heap of six on White's 19 point."""


def heap(**likely: float) -> Slot:
    """A point of Black's that may hold `n5`, `n6`, … checkers."""
    return Slot(0.0, (0.0,) * 15, tuple(likely.get(f"n{count}", 0.0) for count in range(1, 16)))


def test_that_the_opponents_checkers_moved_is_not_believed_for_a_bar_overlooked_and_a_heap_misread() -> None:
    play = next(p for p in LegalPlays(HIT, Roll(4, 2), RULES) if p.notation == "8/4* 6/4")
    reading = with_slot(replace(seen(play.after), bar=pile(0, 0)), HERE.slot(19), heap(n5=0.2, n6=0.07, n7=0.5))
    found = judged(reading, HIT, Roll(4, 2))
    assert isinstance(found, Clear)
    assert found.play == play


def test_a_slip_is_told_beside_a_heap_that_looks_lower_and_so_as_if_one_were_borne_off() -> None:
    mine = list(HIT.mine)
    mine[13] -= 1
    mine[10] += 1
    slipped = Position(tuple(mine), HIT.theirs)
    reading = with_slot(replace(seen(slipped), off=pile(0, 1)), HERE.slot(19), heap(n5=0.5, n6=0.07, n7=0.2))
    assert judged(reading, HIT, Roll(4, 2)) == Mismatch(Board.of(slipped, WHITE, RULES))


def test_when_nothing_was_moved_for_sure_it_says_which_plays_might_have_been() -> None:
    assert judged(seen(RULES.start), RULES.start, Roll(3, 1)) == Unchanged(())
    doubtful = with_slot(seen(RULES.start), HERE.slot(8), replace(slot("light", 3), light=(0, 0.4, 0.6, *[0] * 12)))
    doubtful = with_slot(doubtful, HERE.slot(6), replace(slot("light", 5), light=(0, 0, 0, 0.4, 0.6, *[0] * 10)))
    doubtful = with_slot(doubtful, HERE.slot(5), Slot(0.6, (0, 0.4, *[0] * 13), (0.0,) * 15))
    found = judged(doubtful, RULES.start, Roll(3, 1))
    assert isinstance(found, Unchanged)
    assert [play.notation for play in found.plays] == ["8/5 6/5"]

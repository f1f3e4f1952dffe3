"""Two simulated people at a board: what they do with checkers, dice and cube, as happenings in time.

They follow the match as people do: they look at the display between acts (`match` is kept current by whoever drives
the table), and are sometimes clumsy in the ways that `Habits` names.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from nardi.devices.simulator.happening import Happening, Link
from nardi.devices.simulator.table import SimulatedTable
from nardi.game.match import Phase
from nardi.rules import Color, LegalPlays, Position, Roll

MOST_GAMES = 3
"""How many games people play for money before they go home."""


class Stuck(RuntimeError):
    """The match waits for something that the people at the table do not know how to do."""


@dataclass(slots=True)
class SimulatedPeople(SimulatedTable):
    """`match` must be kept current while `life` is iterated. The same seed and the same rulings give the same life."""

    def life(self) -> Iterator[Happening]:
        """Everything that happens until the match is over. Raises Stuck."""
        stale, before = 0, None
        while self.match.phase is not Phase.MATCH_OVER:
            state = (self.match.phase, self.match.game, self.match.dice, self.match.score)
            stale = stale + 1 if state == before else 0
            before = state
            if stale > 12:
                raise Stuck(f"{self.match.phase} after {self.turns} turns, seed {self.seed}")
            yield from self._act()

    def _act(self) -> Iterator[Happening]:
        match, game = self.match, self.match.game
        if match.lost:
            yield from self._put_right()
            return
        match match.phase:
            case Phase.SET_UP:
                yield from self._set_up()
            case Phase.OPENING:
                yield from self._throw(self._opening_dice, None)
            case Phase.TO_ROLL | Phase.LAST_ROLL:
                yield from self._before_roll()
            case Phase.ROLLING:
                # A die lost its link or leans: both are taken up and thrown again.
                yield from self._lift()
                if self.match.phase is Phase.ROLLING:
                    yield from self._throw_own()
            case Phase.TO_PLAY:
                yield from self._play()
            case Phase.PLAYED:
                yield self._picture()
                yield from self._lift()
            case Phase.ILLEGAL:
                yield from self._mend()
            case Phase.CALLABLE:
                yield from self._answer_illegal()
            case Phase.OFFERED:
                yield from self._answer_double()
            case Phase.BEAVERED:
                yield self._say(self._turn.value, "accept")
            case Phase.RESIGNING:
                assert game is not None and game.resign is not None
                refuses = self._happens(self.habits.refuses) and self.resigns_after_ms is None
                yield self._say(game.resign[0].other.value, "refuse" if refuses else "accept")
            case Phase.GAME_OVER:
                yield from self._lift()
                if match.length == 0 and len(match.games) + 1 >= MOST_GAMES:
                    yield self._say("referee", "end_match")
                else:
                    yield self._say("referee", "next_game")
            case _:
                raise Stuck(f"nothing to do in {match.phase}")

    # -- before the game ----------------------------------------------------------------------------------------

    def _set_up(self) -> Iterator[Happening]:
        """Lays out the position that the match waits for, unless it stands there already."""
        yield from self._lift()
        white, black = self._wanted()
        if self.board == [list(white), list(black)]:
            yield self._picture()
            yield self._picture()
            if self.match.phase is Phase.SET_UP:
                # The eye will not believe it: they answer for the board themselves.
                yield self._say("referee", "start")
        elif not self.laid_out:
            yield from self._by_the_lights((white, black))
        else:
            yield from self._lay_out(white, black)

    def _by_the_lights(self, wanted: tuple[tuple[int, ...], tuple[int, ...]]) -> Iterator[Happening]:
        """One place after the other, with a look at the lights between; sometimes the wrong number is put down."""
        for color in Color:
            side, goal = self._side(color), wanted[0 if color is Color.WHITE else 1]
            for point in range(1, 26):
                if side[point] != goal[point]:
                    yield self._picture(self._white_point(color, point))
                    count = goal[point] + (1 if goal[point] > 2 and self.random.random() < 0.2 else 0)
                    count = min(count, side[point] + side[0])
                    side[0] += side[point] - count
                    side[point] = count
                    yield self._picture()
                    return
        yield self._picture()

    def _put_right(self) -> Iterator[Happening]:
        """Track is lost: the lights tell what belongs where, and the people do it."""
        game = self.match.game
        assert game is not None
        if self.match.phase is Phase.SET_UP:
            yield from self._set_up()
            return
        first, second = game.position.mine, game.position.theirs
        yield from self._lay_out(*((second, first) if game.turn is Color.BLACK else (first, second)))

    # -- before the roll ----------------------------------------------------------------------------------------

    def _before_roll(self) -> Iterator[Happening]:
        color, game = self._turn, self.match.game
        assert game is not None
        yield from self._lift()
        self._later(self.habits.pause_ms // 2, self.habits.pause_ms)
        if self.random.random() < self.habits.tidies:
            yield self._picture(self.random.randint(1, 24))
            yield self._picture()
        if self._happens(self.habits.display_drops):
            yield Link(self.t_ms, "display", False)
            yield Link(self._later(400, 3000), "display", True)
        ruleset = self.match.ruleset
        mine = game.cube.owner in (None, color)
        wishes = self.players[color].doubles(self._position(color), self.random)
        if ruleset.cube and mine and game.cube.value < 64 and wishes and self.random.random() < self.habits.doubles:
            yield self._say(color.value, "double")
            if self.match.phase is not Phase.TO_ROLL:
                return
        behind = self._position(color).pips - self._position(color).their_pips
        late = self.resigns_after_ms is not None and self.t_ms >= self.resigns_after_ms
        if (late and behind > 0) or (behind > 60 and self.random.random() < self.habits.resigns):
            yield self._say(color.value, "resign")
            if self.match.phase is Phase.RESIGNING:
                return
        yield from self._throw_own()

    def _throw_own(self) -> Iterator[Happening]:
        game = self.match.game
        if game is None or game.turn is None:
            yield from self._throw(self._opening_dice, None)
        else:
            yield from self._throw(self._dice_of(game.turn), game.turn)

    def _answer_double(self) -> Iterator[Happening]:
        game = self.match.game
        assert game is not None and game.offer_by is not None
        taker = game.offer_by.other
        take = self.players[taker].takes(self._position(game.offer_by), self.random)
        may_beaver = take and self.match.length == 0 and self.match.ruleset.beaver
        if may_beaver and self._happens(self.habits.beavers):
            yield self._say(taker.value, "beaver")
        else:
            yield self._say(taker.value, "take" if take else "pass")

    # -- the turn -----------------------------------------------------------------------------------------------

    def _play(self) -> Iterator[Happening]:
        """The player on turn plays the roll that counts, checker by checker, and lifts the dice."""
        game = self.match.game
        assert game is not None and game.roll is not None
        color, roll = self._turn, game.roll
        before = self._position(color)
        if before != game.position:
            # They have played, and the table has not seen it yet.
            yield self._picture()
            yield from self._lift()
            return
        first = not any(ply.by is color for ply in game.plies)
        plays = LegalPlays(before, roll, self.match.ruleset, first)
        self._later(self.habits.pause_ms // 2, self.habits.pause_ms)
        slips = self.random.random() < self.habits.slips
        if self.forced_slip_turn is not None and self.turns >= self.forced_slip_turn and not self.slipped:
            slips = True
        wrong = self.players[color].slips(before, roll, self.match.ruleset, first, self.random) if slips else None
        if wrong is not None and game.illegality is None:
            yield from self._slip(color, before, wrong)
            return
        play = self.players[color].choose(plays, self.match.ruleset, self.random)
        yield from self._make(color, play.steps)
        if play.steps and self._felt and not self.shared and self._happens(self.habits.rushes):
            yield from self._rush(color.other)
            return
        if self._happens(self.habits.lingers):
            near = self.random.randint(3, 20)
            for _ in range(3):
                yield self._picture(near, near + 2)
        yield self._picture()
        if self.random.random() > self.habits.hurries:
            yield self._picture()
        if self._felt and not self.shared and self._happens(self.habits.early):
            yield from self._throw_early(color)
        else:
            yield from self._lift()

    def _slip(self, color: Color, before: Position, wrong: Position) -> Iterator[Happening]:
        self.slipped += 1
        yield from self._slide(color, before, wrong)
        yield self._picture()
        if self.match.phase is Phase.ILLEGAL and self.random.random() >= self.habits.lets_it_stand:
            return
        yield self._picture()
        yield from self._lift()

    def _throw_early(self, color: Color) -> Iterator[Happening]:
        """E4: the opponent does not wait for the dice to be picked up; a throw that did not count is made again."""
        plies = self._plies
        yield from self._throw(self._dice_of(color.other), color.other)
        yield from self._lift(self._dice_of(color))
        if self.match.phase is not Phase.TO_PLAY or self._turn is color or self._plies == plies:
            yield self._picture()
            if self.match.phase is Phase.TO_ROLL:
                yield from self._lift()

    @property
    def _plies(self) -> int:
        return len(self.match.game.plies) if self.match.game is not None else 0

    def _rush(self, next_up: Color) -> Iterator[Happening]:
        """CASES 26: within a breath the other player has thrown, played and picked up; then the board is seen."""
        self.rushed += 1
        yield from self._lift()
        yield from self._throw(self._dice_of(next_up), next_up)
        lies = [self.dice[name].lie for name in self._dice_of(next_up)]
        over = self.match.phase in (Phase.GAME_OVER, Phase.MATCH_OVER)
        halves = {lie.half for lie in lies if lie is not None}
        if over or any(lie is None or lie.state != "flat" for lie in lies) or len(halves) > 1:
            yield self._picture()
            return
        values = [lie.value for lie in lies if lie is not None]
        game, position = self.match.game, self._position(next_up)
        if game is not None and not position.flipped.all_off:
            first = not any(ply.by is next_up for ply in game.plies)
            plays = LegalPlays(position, Roll(values[0], values[1]), self.match.ruleset, first)
            play = self.players[next_up].choose(plays, self.match.ruleset, self.random)
            at = self.t_ms
            for happening in self._make(next_up, play.steps):
                del happening  # nobody looks meanwhile
            self.t_ms = at + self.random.randint(500, 900)
        yield self._picture()
        yield self._picture()
        yield from self._lift()

    # -- illegal plays ------------------------------------------------------------------------------------------

    def _mend(self) -> Iterator[Happening]:
        """An illegal play was shown: it is taken back, and a legal one made."""
        game = self.match.game
        assert game is not None and game.roll is not None
        color = self._turn
        yield from self._slide(color, self._position(color), game.position)
        yield self._picture()
        first = not any(ply.by is color for ply in game.plies)
        plays = LegalPlays(game.position, game.roll, self.match.ruleset, first)
        yield from self._make(color, self.players[color].choose(plays, self.match.ruleset, self.random).steps)
        yield self._picture()
        yield self._picture()
        yield from self._lift()

    def _answer_illegal(self) -> Iterator[Happening]:
        """An illegal play was made final: the opponent calls it, lets it stand, or rolls on and it stands (E5)."""
        game = self.match.game
        assert game is not None and game.turn is not None
        opponent = game.turn.other
        if game.must_correct:
            yield from self._mend()
            return
        chance = self.random.random()
        if game.called:
            # S4: it was called, and the caller has the choice.
            if chance < 0.5:
                yield self._say(opponent.value, "let_stand")
            else:
                yield from self._mend()
        elif chance < 0.4:
            yield self._say(opponent.value, "call")
        elif chance < 0.7 or not self._felt:
            yield self._say(opponent.value, "let_stand")
        else:
            yield from self._throw(self._dice_of(opponent), opponent)

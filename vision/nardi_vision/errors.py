"""The eye's one error: a reason with details, put into words by whoever shows it."""


class EyeError(ValueError):
    """`reason` is a stable id (`not_a_picture`, `corners_not_quadrangle`, …); `details` name file, index, remedy."""

    def __init__(self, reason: str, **details: str | int | float) -> None:
        super().__init__(f"{reason}: " + ", ".join(f"{key}={value}" for key, value in details.items()))
        self.reason = reason
        self.details = details

"""Extended edit distance (Stanchev et al., 2019): edits of characters, and jumps between words."""

from __future__ import annotations

#: The costs of steps, and the cost of each character that is visited more than once, or never.
_DELETION_COST, _EDIT_COST, _JUMP_COST, _VISIT_COST = 0.2, 1.0, 2.0, 0.3


def extended_edit_distance(hypothesis: str, reference: str) -> float:
    """Return the cost of turning a hypothesis into a reference, per character of the reference; at most 1.

    All numbers are rounded as the oracle rounds them, because the choice between equally good steps depends on that.

    Args:
        hypothesis: a text with a space at each end.
        reference: the same.

    Example:
        >>> round(extended_edit_distance(" the cat ", " a cat "), 4)
        0.3846
    """
    # The costs of the cheapest paths (CDER's grid; Leusch et al., 2006). There is a column for each character of the
    # hypothesis, and one before them; and a row for each character of the reference. Row 0 has a 0, and then only 1.
    row = [0.0] + [_EDIT_COST] * len(hypothesis)
    visits = [-1] * len(row)
    for character in reference:
        diagonal = row[0]
        cheapest = cost = diagonal + _EDIT_COST
        cheapest_column = 0
        costs = [cost]
        for column, (other, above) in enumerate(zip(hypothesis, row[1:]), 1):
            cost += _DELETION_COST
            if other != character:
                diagonal += _EDIT_COST
            if diagonal < cost:
                cost = diagonal
            diagonal = above
            above += _EDIT_COST
            if above < cost:
                cost = above
            if cost < cheapest:
                cheapest, cheapest_column = cost, column
            costs.append(cost)
        visits[cheapest_column] += 1
        if character == " ":
            cheapest += _JUMP_COST
            costs = [cost if cost < cheapest else cheapest for cost in costs]
        row = costs
    coverage = _VISIT_COST * sum([count if count >= 0 else 1 for count in visits])
    return min(1.0, (row[-1] + coverage) / (len(reference) + coverage))

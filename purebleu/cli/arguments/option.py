"""Options and groups of options: each is described once, for the parser, the help, the manual and the local page."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

#: Forms of options: one value; a list of values (repeated lists add up); one value of a list (repeated ones add up); an
#: optional value; no value; files without an option's name; and an answer, as of `--help`, which ends the parsing.
ONE, SEVERAL, EACH, OPTIONAL, SWITCH, POSITIONAL, ANSWER = (
    "one", "several", "each", "optional", "switch", "positional", "answer")

_NO_DEFAULT = object()


class Option:
    """One option of the command line.

    Attributes:
        names: the long one first; for the references, which are given without a name, that of their attribute.
        destination: the name of the attribute of `Values` that has its value.
        form: one of `ONE`, `SEVERAL`, ...
        help: its purpose, in a line or two.
        more: further help; may be empty.
        metavar: the name of the value in help; if there are two values, both names.
        convert: from a text to a value; `None`: the text itself.
        choices: the values that it takes, if they are few.
        constant: the value of an option that is given without one.
        needs: destinations of options, at least one of which must be given, too; empty: none is needed.
    """

    def __init__(self, *names: str, help: str, more: str = "", destination: str = "", form: str = ONE,
                 metavar: str | tuple[str, str] | None = None, convert: Callable[[str], object] | None = None,
                 choices: Sequence[str] = (), constant: object = True, needs: Sequence[str] = ()) -> None:
        self.names = names
        self.destination = destination or names[0].lstrip("-").replace("-", "_")
        self.form = form
        self.help = help
        self.more = more
        self.metavar = metavar
        self.convert = convert
        self.choices = choices
        self.constant = constant
        self.needs = needs

    def needing(self, *destinations: str) -> Option:
        """The same option, which needs one of these others, or (without any) none."""
        changed = Option(*self.names, help=self.help)
        vars(changed).update(vars(self), needs=destinations)
        return changed

    @property
    def name(self) -> str:
        """The name in errors: the long one; for references, which have none, a description."""
        return "a file of references" if self.form == POSITIONAL else self.names[0]


class Group:
    """Options that belong together.

    Attributes:
        name: the word of `purebleu help` that shows it.
        title: its heading.
        options: in the order of the help.
        common: the names of those options that the help of a command names.
    """

    def __init__(self, name: str, title: str, options: Sequence[Option], common: Sequence[str] = ()) -> None:
        self.name = name
        self.title = title
        self.options = options
        self.common = common

    def only(self, *destinations: str) -> Group:
        """The group with these options alone."""
        return Group(self.name, self.title, [option for option in self.options if option.destination in destinations],
                     self.common)

    def without(self, *destinations: str) -> Group:
        """The group without these options."""
        return Group(self.name, self.title,
                     [option for option in self.options if option.destination not in destinations], self.common)


class Values:
    """The values of options by their destinations; attributes of the class are the defaults."""

    def given(self) -> dict[str, Any]:
        """The values that are not the default, by their destinations."""
        return {name: value for name, value in vars(self).items()
                if value != getattr(type(self), name, _NO_DEFAULT)}

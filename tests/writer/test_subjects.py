"""What an assistant states is filed under the subject it is about; a subject file that exists is kept to."""

from __future__ import annotations

import pytest

from gitmem.format.pathname import path_problem
from gitmem.ids import TopicPath
from gitmem.writer.base import NoMemory
from gitmem.writer.subjects import Subjects
from talks import Shelf, distill, filed, prose, talk, turn

POSTGRES = (
    turn("I decided to use PostgreSQL for the project. How is it configured?", 0),
    turn("The default port of PostgreSQL is 5432. It was released in 1996.", 1, "assistant"),
    turn("And Flask?", 2),
    turn("Flask is a web framework written in Python. The first version of Flask came out in 2010.", 3, "assistant"),
)


def paths(*turns: object, memory: Shelf | None = None) -> dict[str, str]:
    """The subject file of each statement."""
    result = distill(tuple(turns), memory)  # type: ignore[arg-type]  # turns
    return {text: path for path, _, text in filed(result) if path.startswith("topics/subjects/")}


def test_a_statement_goes_to_the_subject_it_names() -> None:
    assert paths(*POSTGRES) == {
        "The default port of PostgreSQL is 5432. It was released in 1996.": "topics/subjects/postgresql.md",
        "Flask is a web framework written in Python.": "topics/subjects/flask.md",
        "The first version of Flask came out in 2010.": "topics/subjects/flask.md",
    }


def test_the_speakers_own_words_go_to_their_file_instead() -> None:
    result = distill(POSTGRES)
    assert ("topics/people/user.md", "2023-05-08", "I decided to use PostgreSQL for the project.") in filed(result)


def test_a_subject_is_titled_as_it_is_spelled() -> None:
    titles = {operation.destination.headings for operation in distill(POSTGRES).operations[1:]}  # type: ignore[union-attr]
    assert titles == {("PostgreSQL",), ("Flask",)}


def test_without_a_subject_of_its_own_a_statement_goes_to_what_was_asked() -> None:
    turns = (
        turn("What is the average distance of two points? I mean the average distance.", 0),
        turn("The value is exactly 0.333, and it has 3 proofs.", 1, "assistant"),
        turn("Why is the average distance not 0.5?", 2),
    )
    assert paths(*turns) == {"The value is exactly 0.333, and it has 3 proofs.": "topics/subjects/average-distance.md"}


def test_a_statement_that_names_nothing_known_follows_its_neighbours() -> None:
    turns = (
        turn("How do I export from PostgreSQL?", 0),
        turn("COPY of PostgreSQL writes 1 file. The meta-command of 1998 writes it elsewhere.", 1, "assistant"),
        turn("Zebras have 44 chromosomes. PostgreSQL has 12 forks.", 2, "assistant"),
    )
    assert set(paths(*turns).values()) == {"topics/subjects/postgresql.md"}


def test_months_and_days_are_no_subjects() -> None:
    turns = (
        turn("Is April good for Kyoto?", 0),
        turn("Cherry blossoms in Kyoto peak in early April. Kyoto has 1600 temples.", 1, "assistant"),
    )
    assert set(paths(*turns).values()) == {"topics/subjects/kyoto.md"}


@pytest.mark.parametrize(
    ("asked", "stated", "subject"),
    [
        ("How many euros is soil? I have 90 euros.", "Soil costs 40 euros.", "soil"),
        (
            "Is a line of larch boards one metre? The line!",
            "A line of larch boards has 3 lines of nails.",
            "larch-boards",
        ),
        ("Three raised beds? Three!", "Three raised beds hold 2.4 cubic metres of soil.", "raised-beds"),
        ("For example? Other examples?", "Examples are the 3 parts of Kyoto, ways of other days.", "kyoto"),
        ("Which kinds of things do people in Bern like?", "People in Bern like 2 kinds of things.", "bern"),
        ("A lot of dollars?", "A lot of dollars, 12 in all, is a thing.", "general"),
    ],
)
def test_units_numbers_and_words_for_anything_are_no_subjects(asked: str, stated: str, subject: str) -> None:
    turns = (turn(asked, 0), turn(stated, 1, "assistant"), turn(asked, 2))
    assert paths(*turns)[stated] == f"topics/subjects/{subject}.md"


def test_a_subject_file_that_is_named_with_a_number_is_kept_to() -> None:
    shelf = Shelf()
    made = distill((turn("Raised beds hold 5 litres.", 0, "assistant"),), shelf)
    shelf.take(made)
    (path,) = shelf.topics("topics/subjects")
    known = TopicPath("topics/subjects/three-raised-beds.md")
    shelf.files[known] = shelf.files.pop(path)
    later = (turn("Raised beds of larch last 12 years.", 9, "assistant"),)
    assert paths(*later, memory=shelf) == {"Raised beds of larch last 12 years.": known}


def test_an_existing_subject_is_reused_in_any_inflection() -> None:
    shelf = Shelf()
    shelf.take(distill((turn("Simulations are run 100 times in simulation labs.", 0, "assistant"),), shelf))
    (known,) = shelf.topics("topics/subjects")
    later = (turn("A simulation was published in 1984 by Knuth.", 9, "assistant"),)
    assert paths(*later, memory=shelf) == {"A simulation was published in 1984 by Knuth.": known}


def test_what_names_nothing_is_general() -> None:
    subjects = Subjects(talk("It is 5.", role="assistant"), NoMemory())
    assert subjects.file([(0, "It is 5.")])[0, "It is 5."].path == "topics/subjects/general.md"


def test_subjects_of_unspaced_scripts_recur_too() -> None:
    turns = (
        turn("北京有什么历史？", 0),
        turn("北京是中国的首都。北京的天安门广场建于1417年。", 1, "assistant"),
        turn("北京烤鸭是北京最有名的菜，有600年历史。", 2, "assistant"),
    )
    assert set(paths(*turns).values()) == {"topics/subjects/北京.md"}


def test_every_subject_makes_a_fit_path() -> None:
    for text in (
        "CON is a name of 1974.",
        "Aux was released in 1980.",
        "Ça été publié en 1999.",
        "A" * 300 + " is 5 long.",
    ):
        result = distill((turn(text, 0, "assistant"),))
        assert prose(result) == [text]
        assert all(path_problem(path) is None for path, _, _ in filed(result))

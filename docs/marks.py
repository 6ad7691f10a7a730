"""Tables that scripts keep in pages of docs/, each between two marks that name it and its maker."""
import pathlib
import sys

DOCS = pathlib.Path(__file__).resolve().parent


def with_table(page, name, maker, table):
    """The page's text as it is, and as it should be. Ends the program if a mark is missing."""
    begin, end = f"<!-- {name}: made by {maker} -->", f"<!-- end of {name} -->"
    text = (DOCS / page).read_text(encoding="utf-8")
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"docs/{page} needs each of these marks once: {begin} and {end}")
    before, rest = text.split(begin)
    return text, f"{before}{begin}\n{table}\n{end}{rest.split(end)[1]}"


def write(page, name, maker, table):
    (DOCS / page).write_text(with_table(page, name, maker, table)[1], encoding="utf-8")

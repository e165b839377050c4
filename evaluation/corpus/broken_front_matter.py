"""Pages whose front matter is wrong, odd or missing, as raw text; part of `broken_pages.py`.

The comment of each entry says what is wrong and, where rights are meant, what they must come to.
"""

from evaluation.corpus.wiki_file import WikiFile

_PAGES: dict[str, str] = {
    # a colon in the title: YAML reads a mapping within a scalar
    "tutorials/python/tyzden1/README.md": """\
---
title: Týždeň 1: Inštalácia
published: true
taxonomy:
    category: [info]
    tag: [python, tutorial]
---
# Týždeň 1: Inštalácia

Nainštalujte si Python 3.11 a editor. Na Windowse zaškrtnite pridanie do premennej PATH.
""",
    "tutorials/python/tyzden2/README.md": """\
---
title: Týždeň 2: Premenné a "reťazce"
published: true
---

Reťazec sa píše do úvodzoviek. Funkcia `len` vráti počet znakov.
""",
    # the colon again, and rights that must bind all the same
    "tutorials/python/tyzden3/README.md": """\
---
title: Týždeň 3: Riešenia úloh
allowed_groups: [ucitelia]
---
# Riešenia úloh

Správna odpoveď na tretiu úlohu je 42 žltých guľôčok.
""",
    # no space after the colons: the block is one string; the page is not published all the same
    "topics/nlp-stare/README.md": """\
---
title:NLP
published:false
---
# Spracovanie jazyka

Stará stránka o spracovaní jazyka, ktorú nahradili jednotlivé témy.
""",
    "topics/ir-stare/README.md": """\
---
title:Vyhľadávanie
tag:ir
---
# Stará stránka o vyhľadávaní

Vyhľadávač Lesana bol vypnutý v roku 2018.
""",
    # tabs
    "info/tabulatory/README.md": """\
---
title:\tStránka s tabulátormi
taxonomy:
\tcategory: [info]
\ttag: [tabs]
---
# Stránka s tabulátormi

Editor Kolibrík vkladá tabulátory aj do hlavičky.
""",
    # never closed; closed by dots
    "info/neuzavreta/README.md": """\
---
title: Neuzavretá hlavička
published: true

# Neuzavretá hlavička

Autor zabudol na druhé tri pomlčky.
""",
    "info/bodky/README.md": """\
---
title: Hlavička uzavretá bodkami
...
# Hlavička uzavretá bodkami

YAML dovoľuje ukončiť dokument tromi bodkami.
""",
    # the same key twice
    "info/dvakrat/README.md": """\
---
title: Prvý názov
published: true
title: Druhý názov
published: false
---
# Dvakrát to isté

Kľúč sa v hlavičke opakuje.
""",
    # values that YAML 1.1 does not leave as text
    "blog/pasce/README.md": """\
---
title: 1.10
date: 15.2.2021
taxonomy:
    category: blog
    tag: [no, on, yes, 1.5, 12:30, 0777, 1e3, ~, 2019-10-11]
    author: [Pavol Jalovec, Nikto]
---
# Pasce jazyka YAML

Skratka Nórska je no a verzia 1.10 je novšia ako 1.9.
""",
    # an impossible day; a list where a scalar belongs
    "blog/datum/README.md": """\
---
title: [Zlý, dátum]
date: 31.2.2020
published: "nie"
---
# Zlý dátum

Taký deň v kalendári nie je.
""",
    # rights that cannot be read: nobody may see these pages
    "info/prava-mapa/README.md": """\
---
title: Práva zapísané ako mapa
allowed_groups: {ucitelia: true}
---
# Tajná mapa

Kľúč od skrine je pod kvetináčom s fikusom.
""",
    "info/prava-diakritika/README.md": """\
---
title: Práva s neplatným menom skupiny
allowed_groups: [Učitelia]
---
# Neplatná skupina

Heslo na projektor je modrý slon.
""",
    "info/prava-datum/README.md": """\
---
title: Platnosť s nečitateľným dátumom
valid_from: pozajtra
---
# Nečitateľný dátum

Prekvapenie pre dekana bude torta v tvare tranzistora.
""",
    "info/prava-rozbite/README.md": """\
---
title: "Neuzavretá úvodzovka
allowed_groups: [ucitelia
  - vedenie
---
# Rozbité práva

Nový rozvrh laboratórií je zatiaľ tajný.
""",
    "info/prava-opacne/README.md": """\
---
title: Platnosť od konca
valid_from: 2024-05-01
valid_to: 2023-05-01
---
# Platnosť od konca

Táto stránka neplatila nikdy.
""",
    # Grav: the template decides the file's name, and a page without any front matter
    "blog/item.md": """\
Stránka bez hlavičky aj bez nadpisu. Holub na streche katedry sa volá Fourier.
""",
    # a rule across the page, which is no front matter
    "blog/ciara/README.md": """\
Text nad čiarou.

---
title: toto nie je hlavička
---

Text pod čiarou.
""",
    # front matter that is empty, or a list
    "blog/prazdna-hlavicka/README.md": "---\n---\n# Prázdna hlavička\n\nAle text má.\n",
    "blog/zoznam-hlavicka/README.md": "---\n- title\n- tag\n---\n# Hlavička je zoznam\n\nText.\n",
}

FRONT_MATTER_FILES = {
    f"pages/{path}".encode(): WikiFile(text.encode()) for path, text in _PAGES.items()
}

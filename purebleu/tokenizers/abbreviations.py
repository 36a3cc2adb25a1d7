"""Abbreviations of English and German that end in a period: facts of the two languages, written down for this project.

They are common ones after which a sentence hardly ever ends; each was tried against the tokenizer of Moses. Sorted.
"""

from __future__ import annotations

#: By language, what keeps its period whatever follows: titles, initials, months, ordinals.
ABBREVIATIONS = {
    "en": """
        A Adm Apr Aug B Brig Bros C Capt Cmdr Col Corp Cpl D Dec Dr Drs E F Feb G Gen Gov H Hon I J Jan Jul Jun K L Lt
        M Maj Mar Messrs Mme Mr Mrs Ms N Nos Nov O Oct P Ph Prof Pvt Q R Rep Reps Rev S Sen Sens Sep Sgt Sr St T U V W
        X Y Z v vs
    """,
    "de": """
        1 10 11 12 13 14 15 16 17 18 19 2 20 21 22 23 24 25 26 27 28 29 3 30 31 32 33 34 35 36 37 38 39 4 40 41 42 43
        44 45 46 47 48 49 5 50 51 52 53 54 55 56 57 58 59 6 60 61 62 63 64 65 66 67 68 69 7 70 71 72 73 74 75 76 77 78
        79 8 80 81 82 83 84 85 86 87 88 89 9 90 91 92 93 94 95 96 97 98 99 A Art B C Co D Dr E F G H I II III IV IX J
        K L M Mio Mr Mrd Mrs Ms N Nr O P Prof Q R S Sgt Sr St Std T U V VI VII VIII W X XI XII XIII XIV XIX XV XVI
        XVII XVIII XX Y Z a b bzw c ca d dgl e etc evtl f ff g ggf h i j k l m n o p pp q r s sog t u usf usw v vgl vs
        w x y z
    """,
}

#: By language, what keeps it only before digits ("No. 5", but "No. Never").
ABBREVIATIONS_BEFORE_NUMBERS = {
    "en": "Art No pp",
}

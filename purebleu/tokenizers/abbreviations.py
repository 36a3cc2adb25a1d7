"""Abbreviations of English and German that end in a period: facts of the two languages, written down for this project.

They are those after which a sentence hardly ever ends, one by one tried against the tokenizer of Moses. Sorted.
"""

from __future__ import annotations

#: By language, what keeps its period whatever follows: titles, initials, months, ordinals.
ABBREVIATIONS = {
    "en": """
        A Adm Apr Asst Aug B Bart Bldg Brig Bros C Capt Cmdr Col Comdr Con Corp Cpl D DR Dec Dr Drs E Ens F Feb G Gen
        Gov H Hon Hosp Hr I Insp J Jan Jul Jun K L Lt M MM MR MRS MS Maj Mar Messrs Mlle Mme Mr Mrs Ms Msgr N Nos Nov
        Nr O Oct Op Ord P Pfc Ph Prof Pvt Q R Rep Reps Rev Rt S Sen Sens Sep Sfc Sgt Sr St Supt T U V W X Y Z rev v vs
    """,
    "de": """
        1 10 11 12 13 14 15 16 17 18 19 2 20 21 22 23 24 25 26 27 28 29 3 30 31 32 33 34 35 36 37 38 39 4 40 41 42 43
        44 45 46 47 48 49 5 50 51 52 53 54 55 56 57 58 59 6 60 61 62 63 64 65 66 67 68 69 7 70 71 72 73 74 75 76 77 78
        79 8 80 81 82 83 84 85 86 87 88 89 9 90 91 92 93 94 95 96 97 98 99 A Adm Art B C Capt Co Col D Dr E F G Gen
        Gov H Hon I II III IV IX J K L Lt M Maj Messrs Mio Mme Mr Mrd Mrs Ms N No Nr O P Prof Q R Rep S Sen Sgt Sr St
        Std T U V VI VII VIII W X XI XII XIII XIV XIX XV XVI XVII XVIII XX Y Z a b bzw c ca d dgl e etc evtl f ff g
        ggf h i ii iii iv ix j k l m n o p pp q r s sen sog t u usf usw v vgl vi vii viii vs w x xi xii xiii xiv xix
        xv xvi xvii xviii xx y z
    """,
}

#: By language, what keeps it only before digits ("No. 5", but "No. Never").
ABBREVIATIONS_BEFORE_NUMBERS = {
    "en": "Art No pp",
}

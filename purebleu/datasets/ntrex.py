"""NTREX-128: its files, and git's ids of their contents, as `git ls-tree -r COMMIT` prints them: data only."""

from __future__ import annotations

#: Earlier commits have lines too many in some languages.
_COMMIT = "8561f6a622db9edad1217683e5c83daefd8bb2bf"

_ADDRESS = f"https://raw.githubusercontent.com/MicrosoftTranslator/NTREX/{_COMMIT}/"

#: By the code of a language, the id of its text, into which the English one was translated.
_TRANSLATIONS = {
    "afr": "2bebbdcf4d439a9c3d5a366f0f57028ae7947372",
    "amh": "e07978eee62433e6f2c14c81356cf7be879a1e03",
    "arb": "bfe5e9fd9f1f89363ff5320a83a487cddf8412e5",
    "aze_Latn": "33241d54df700933bf56644b59c3c7df7dfa8b9d",
    "bak": "70b96b5b9549e89e32ea35dabc2adab933ceece2",
    "bel": "f40415b24c6931bbe23d61152ad57fc32f9fd284",
    "bem": "36b0a9cc783dc6f195ad2c674fa3bb77f1b47bd8",
    "ben": "0719ebd674f78a3c309e929e6989319830e32fc4",
    "bod": "265dbbed5783fe8a8884017d8342311fb1b6c960",
    "bos": "bbdb79171caad7a8c63e4932e43046de7af3957d",
    "bul": "f2796080c88899e038926f7752856055417f82ab",
    "cat": "6edb7703e91a1ae0d47155fc141a53e936f1a86c",
    "ces": "689190aa1a34fd390b3a416bc2c1b50de62ccd12",
    "ckb_Arab": "9521b01e42065327b2a9b550adf65bb7ee5e64bc",
    "cym": "893f884a3cdecabdaa04be6b086139e7bc15c100",
    "dan": "b6bdcc30b8b501d524965c2fb962970dc2eda971",
    "deu": "a6ed2993c7bbec223e748d4d5ca5de0fd5cc4ef7",
    "div": "b6ef31eeba746b1cf9309578fc7c29a7344ebcf2",
    "dzo": "8cc5171dbf5c7f54b26fa4e65a405e59a9b5fc3c",
    "ell": "44b6321f99ac096cab587180fa6bcfa1b896982e",
    "eng_GB": "c6722f60ebb62baf3a71a588cece4f3b9295fd5c",
    "eng_IN": "bd1ba88099c258e63f627420e29545f3f7dfbcd7",
    "eng_US": "221f116643d34b17981c057c728c13b9216e70de",
    "est": "433dbf9dd91000c9ee41b5b3ecc0abda31bfa094",
    "eus": "867579eb0427cf0b2bbdbb815064b417a73d61f5",
    "ewe": "0bf312ebbe5108c47ee4203c8a7290b7633c58a0",
    "fao": "a5d2680f057f0c169405daa4cc650c1af1869546",
    "fas": "6855406179c1b5bfaa2df8ec682721dfa03199c4",
    "fij": "5519c6c032611305158b80142a968f3d0c42f301",
    "fil": "aafdc7ee93aa6caf7969f69d19ed8155f9babafd",
    "fin": "7a490318bb28bd2eebcdf2f6b849cf127b7e8c44",
    "fra": "74d0fa25e19f64580ef1d75d6188bdcd354c5b37",
    "fra_CA": "1996d3fc2d708aeef80c2ac2c6c3b87985a4ff15",
    "fuc": "dea6080bb3196b632f37b32349cf7e8c51a9d6ee",
    "gle": "30e4bbce073736f72ab492b950ff73dd72b889a2",
    "glg": "7de22965ed69313947f60f78dd4799744c132264",
    "guj": "9da7f53a1cdf486a787e83f412fbcfd86bebfac2",
    "hau": "3f537f345ec3a2dbb2154cdf9781adc87a99d355",
    "heb": "bc0c1efd1e567fa55465dd1437ca3cff2c3cb3c2",
    "hin": "c4c36518c78587b4678e05f26a3988366ac87b41",
    "hmn": "83345356d06d8efd11551cc838ecc2b97cd0e152",
    "hrv": "0080d692fd061009eefbcff1361de35ba3ab6b83",
    "hun": "61d69db601c32229200bb615a6620864d9ad5452",
    "hye": "ff056141be1a6d3e0cbd9ceefaf42d707ced3ad1",
    "ibo": "f8de442918611dfd5b4869592dc8fdc1d551521a",
    "ind": "ece2e478c27303aee704cc2f6ab7079eced1c254",
    "isl": "1a5d7ba87fc185d08b1026965990d13629fddef3",
    "ita": "e702127c8234330e36e82f003e3217d9d4440974",
    "jpn": "efa337eccfd6ccc4a923cdc225f70b4be13a3b9c",
    "kan": "5af000168d0151cc506af7a13bc98dbe5f879fe8",
    "kat": "cb85af4cbea5d69c6b29216c33967820eefd1d43",
    "kaz": "662500cbb2f5b759ebf749e9a12708a31ae4c912",
    "khm": "ce17ed461b5f10d570673308f16983fba0b046ba",
    "kin": "6b99fbbc1f965a43ed4b43a471971dedbc3da469",
    "kir": "9aa8a274e6a9deace2583e29feeaad1efeee6a3b",
    "kmr": "3cfc92ea36507a53e5deff75b85175b91123fd17",
    "kor": "3a96989f1b6d1bdf4ec088daa2cd2e7637a57039",
    "lao": "69b0a6224c0c31bac51ab906fb7e15ddede734e8",
    "lav": "9c0b7568aa9e9a62c56ba14b8af592f52ebaee66",
    "lit": "0a86bc575eb28540451ae8bd2b591bee06bd086f",
    "ltz": "f62079be810e9739aab92cd7a0696ae88bcb488e",
    "mal": "3a12eb72ad135f33d1ff8f650c8c02bb99cdefbf",
    "mar": "c0092e0d9d4964fd2ea5804aa8a3ada89be8a93b",
    "mey": "a55fd4bedf4b8eb05de950b3376269e12772cea8",
    "mkd": "86a2b80fc7af2112003f44f3a4d933e988adb156",
    "mlg": "963667ab39779c258adc7d85b05e66e84ae945dc",
    "mlt": "a96c02df14acf140d2376752793b09553cf8705b",
    "mon": "5ac114c004ae0786910c986c7bf4604eb96456ea",
    "mri": "e9b4aa1de673e0eb794b449ebd81ee47d2ae856e",
    "msa": "6377f1116699ad5cd4e4f9095dd1c198fd242613",
    "mya": "459beeed9948f1b3463c3a35e507c8cec8419199",
    "nde": "534d28006ee3c296650794dba408249be8f19108",
    "nep": "bc19d7ae6965d8044ff48381d96919f6946a3d96",
    "nld": "46ec15c84e99e6f5ffe6853d99d194a66f9da03f",
    "nno": "f86153310c48ac3f59810fe882e727123c5974ba",
    "nob": "341eed9698e54f14bff0737dfab4c12c6dcd83c2",
    "nso": "dfeb25e0f314ca1846f06e400abd062dcf411af5",
    "nya": "691a8cbe3d48783a2242984fd97d76eb6267af5c",
    "orm": "b37cfe4301c6353a9c53d7375b51a9ca02c618d6",
    "pan": "c7b802ea8e2e0b47cba2bb79ba70f161de042ae2",
    "pol": "e653ba87590ed420812c8e09cc8f7cfaed253248",
    "por": "0b1e06ba2fc65bcc8722612ff1b819fcaf7d47ef",
    "por_BR": "30b1885c4e29fdb26f42814702a6a8f009256342",
    "prs": "5dd24ee5f2cce29085a312596a5d1425d403cf40",
    "pus": "aee30695de1eb9c1ef74d88beaab1597619c56f9",
    "ron": "14cb9c0e6cad86fa1b41f7143961dc82b599b1b7",
    "rus": "17b31d0e333ed54b9fbb89a2167995ca3263e605",
    "shi": "cfe35f352e07526eea14d473772bb0ea1318650d",
    "sin": "767177484f17545c46d4b668e847bf4b59df3f2e",
    "slk": "e01269e4c5ec12212968a06eadfda8d6e24cb0d0",
    "slv": "eb4c2c892ae1a2021301eaed99cb421b7aa9f8fc",
    "smo": "3115bb447b32ffab1101fcb073051bc14a3a4cb5",
    "sna_Latn": "0e792b5661df35fe6efcda5fa033275a671a13b6",
    "snd_Arab": "0fb4b8b2b0f3823bb8a1aa9deb4021cd3a1b98e0",
    "som": "d12493bea378548b5e0a2cf526853fa441a41ade",
    "spa": "5bf0e27346479a2a02e5dafe221e6db2be821fb2",
    "spa_MX": "936ed049931562d3d2863e5a9c338252f480fd58",
    "sqi": "55310de0fa6231735b7fb47c47096c83c3284a09",
    "srp_Cyrl": "f934c97d45759f7b9ee147f3cc9afcd146c8913c",
    "srp_Latn": "33fd1187af53bbe00fdcc9680654d48813a3fd69",
    "ssw": "df7f39170371be87045e38532082068d3a91081e",
    "swa": "5099c7f07fe731a26144cd17abd3d5529b3dffe0",
    "swe": "0d882241ec8cad6efbf913d5c0eae26d38010e3f",
    "tah": "7a840bbe0f629de9d8d915056bba2a22b5235a82",
    "tam": "f8a1feb67d45ba48e1815bbe9a91003341032acc",
    "tat": "4cf261dc87cd5637720496c957a9a0233cb48c4d",
    "tel": "7cd5c0f94a4ff9b3e9a6e886ac9e423a977e7762",
    "tgk_Cyrl": "c3a2b7e4489710a6ad1646d4916a455b1cdec7c8",
    "tha": "ed13f0c48da18a00a95c74c3dc14dc1954fd1b94",
    "tir": "527b19473dfa370e54147c1c5c6577abc4d66fc3",
    "ton": "6bb955eba68bc71dca0e9d4c5852f1c38cf14de5",
    "tsn": "fbf36412854d7d5e0aa613bcbb5fb72ad59ecef5",
    "tuk": "ab4b69030c9a2af017086dcbe2cf61d9f044eac5",
    "tur": "0d931a6bbd5d05d62474c84a0575d90c00045842",
    "uig": "033080323c7ffbe99c08a24f5562b2a879fe75ef",
    "ukr": "72df78b59a9d468b057474a1b78d396c2ddf8fbe",
    "urd": "cd50e1b52e5b1276ace9d77edd51a89f6f005910",
    "uzb": "e1385a78bc7d50f21bdbfafdb665b72157f41c81",
    "ven": "4bd08b77f3db46bd446bfaa9b786e88023727915",
    "vie": "590a390a8a5427dc0ede911f0513011ffd5805e5",
    "wol": "aafe1c46b58f6676f14c40c1e08c9cad9735a4dd",
    "xho": "f16c47763b7990a6b199f8e3489445217716a493",
    "yor": "cac9150e73701073b20d4ace0bb5116e71c2d4d6",
    "yue": "0f714bfa6dc2f90588d20db26486607aa8c8ad8f",
    "zho_CN": "20b794983bd59c10adb16714f9a7d880e8a8fba1",
    "zho_TW": "3f58982c0897847e4943df9503cecbebe45e4f0e",
    "zul": "49584b5153aff1c31696d49a34bcbb18b44bf37f",
}

_DOCUMENT_IDS = "DOCUMENT_IDS.tsv"
_SECOND_SPANISH = "newstest2019-ref-2.spa.txt"


def _file_of(code: str) -> str:
    """The name of the file with the text in a language.

    >>> _file_of("eng"), _file_of("fra_CA")
    ('newstest2019-src.eng.txt', 'newstest2019-ref.fra-CA.txt')
    """
    return f"newstest2019-{'src' if code == 'eng' else 'ref'}.{code.replace('_', '-')}.txt"


#: Git's ids, by the names of files.
_IDS = {
    _DOCUMENT_IDS: "2c8a58dffb487c515f6fbded5a3426e973a83028",
    _file_of("eng"): "ebc28ab1a5b3561d7e6fee2173441a7d2bfa1edd",
    _SECOND_SPANISH: "d094a6f11a9496c4cb98a67292941ff7b41aeeaa",
    **{_file_of(code): checksum for code, checksum in _TRANSLATIONS.items()},
}

#: The files with their addresses and checksums.
NTREX_FILES = [(f"{_ADDRESS}{'' if name == _DOCUMENT_IDS else 'NTREX-128/'}{name}", f"git:{checksum}")
               for name, checksum in _IDS.items()]

#: For each language, the name in the cache of the file with its text, and then those of further translations.
NTREX_TEXTS = {code: [f"ntrex128.{_file_of(code)}"] for code in sorted(["eng", *_TRANSLATIONS])}
NTREX_TEXTS["spa"].append(f"ntrex128.{_SECOND_SPANISH}")

#: The further fields of each segment.
NTREX_SHARED = [f"docid=ntrex128.{_DOCUMENT_IDS}"]

"""The catalogue of test sets: data only.

The members of a record:

- `format`: that of its files (see `formats`), `sgml`, `xml`, `text`, `tsv` or `parallel`; `embedded` where they are
  part of this package;
- `archives`: their addresses, as patterns with the language pairs to fill in (none where there is nothing to fill in);
  `CHECKSUMS` has the checksum of each;
- `files`: the members of the archives that a language pair consists of, as patterns with the pairs that follow them:
  the source, then the references. With `tsv`, a number of a column and a colon stand before a member's name;
- `references`: the translators whose references count, where there are several; `references_of`: the pairs with
  others;
- `lines`: the number of segments of each pair, and `origlang`: the language that all of them were written in, where
  both are known beforehand;
- `archives_kept_as`: the name under which the cache keeps its archives, where test sets have some in common.

Where a test set has the same text in many languages, any two of which are a pair, `collection` stands for `archives`
and `files`: a name in `languages.COLLECTIONS`.

In patterns, `{s}` and `{t}` are the languages of a pair `s-t`; `{e}` is both of them, English last.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_STATMT = "https://data.statmt.org/"
_OLD_STATMT = "https://statmt.org/"
_GITHUB = "https://github.com/"
_RAW = "https://raw.githubusercontent.com/"
_PARITY = ("Translator-HumanParityData-master/Translator-HumanParityData/References/"
           "Translator-HumanParityData-Reference-")
_PMICHEL = "https://pmichel31415.github.io/"

#: The test sets by name.
TEST_SETS: dict[str, dict[str, Any]] = {
    "wmt24": {
        "format": "xml",
        "description": "WMT 2024, general domain: the official test set, release 1.1, without test suites",
        "archives": [(_GITHUB + "wmt-conference/wmt24-news-systems/releases/download/v1.1/data_onlyxml.tar.gz", "")],
        "files": [
            ("xml/wmttest2024.{s}-{t}.all.xml",
             "cs-uk en-cs en-de en-es en-hi en-is en-ja en-ru en-uk en-zh ja-zh"),
        ],
        "references": ["refA"],
    },
    "wmt23": {
        "format": "xml",
        "description": "WMT 2023, general domain: the official test set",
        "archives": [(_GITHUB + "wmt-conference/wmt23-news-systems/archive/refs/tags/v.0.1.tar.gz", "")],
        "files": [
            ("wmt23-news-systems-v.0.1/xml/wmttest2023.{s}-{t}.all.xml",
             "cs-uk de-en en-cs en-de en-he en-ja en-ru en-uk en-zh he-en ja-en ru-en uk-en zh-en"),
        ],
        "references": ["refA"],
        "references_of": {"en-he": ["refB"], "he-en": ["refB"]},
    },
    "wmt22": {
        "format": "xml",
        "description": "WMT 2022, general domain: the official test set",
        "archives": [(_GITHUB + "wmt-conference/wmt22-news-systems/archive/refs/tags/v1.1.tar.gz", "")],
        "files": [
            ("wmt22-news-systems-1.1/xml/wmttest2022.{s}-{t}.all.xml",
             "cs-en cs-uk de-en de-fr en-cs en-de en-hr en-ja en-liv en-ru en-uk en-zh fr-de ja-en liv-en ru-en "
             "ru-sah sah-ru uk-cs uk-en zh-en"),
        ],
        "references": ["A"],
        "references_of": {"cs-en": ["B"], "en-cs": ["B"], "liv-en": [""], "ru-sah": [""]},
    },
    "wmt21/systems": {
        "format": "xml",
        "description": "WMT 2021: the official test set with the outputs of the systems that took part",
        "archives": [(_GITHUB + "wmt-conference/wmt21-news-systems/archive/refs/tags/v1.3.tar.gz", "")],
        "files": [
            ("wmt21-news-systems-1.3/xml/newstest2021.{s}-{t}.all.xml",
             "de-fr en-de en-ha en-is en-ja fr-de ha-en is-en ja-en zh-en en-zh cs-en de-en en-cs en-ru ru-en"),
            ("wmt21-news-systems-1.3/xml/florestest2021.{s}-{t}.all.xml",
             "bn-hi hi-bn xh-zu zu-xh"),
        ],
        "references": ["A"],
    },
    "wmt21": {
        "format": "xml",
        "description": "WMT 2021, news: the official test set",
        "archives": [(_STATMT + "wmt21/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2021.{s}-{t}.xml",
             "de-fr en-de en-ha en-is en-ja fr-de ha-en is-en ja-en zh-en en-zh cs-en de-en en-cs en-ru ru-en"),
            ("test/florestest2021.{s}-{t}.xml",
             "bn-hi hi-bn xh-zu zu-xh"),
        ],
        "references": ["A"],
    },
    "wmt21/B": {
        "format": "xml",
        "description": "WMT 2021, reference B alone",
        "archives": [(_STATMT + "wmt21/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2021.{s}-{t}.xml",
             "cs-en de-en en-cs en-ru en-zh ru-en"),
        ],
        "references": ["B"],
    },
    "wmt21/AB": {
        "format": "xml",
        "description": "WMT 2021, references A and B",
        "archives": [(_STATMT + "wmt21/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2021.{s}-{t}.xml",
             "cs-en de-en en-de en-cs en-ru en-zh ru-en"),
        ],
        "references": ["A", "B"],
    },
    "wmt21/C": {
        "format": "xml",
        "description": "WMT 2021, reference C alone",
        "archives": [(_STATMT + "wmt21/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2021.{s}-{t}.xml",
             "en-de"),
        ],
        "references": ["C"],
    },
    "wmt21/AC": {
        "format": "xml",
        "description": "WMT 2021, references A and C",
        "archives": [(_STATMT + "wmt21/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2021.{s}-{t}.xml",
             "en-de"),
        ],
        "references": ["A", "C"],
    },
    "wmt21/D": {
        "format": "xml",
        "description": "WMT 2021, reference D alone",
        "archives": [(_STATMT + "wmt21/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2021.{s}-{t}.xml",
             "en-de"),
        ],
        "references": ["D"],
    },
    "wmt21/dev": {
        "format": "xml",
        "description": "WMT 2021: development sets; of several references, the first",
        "archives": [(_STATMT + "wmt21/translation-task/dev.tgz", "")],
        "files": [
            ("dev/xml/newsdev2021.{s}-{t}.xml",
             "en-ha ha-en en-is is-en"),
        ],
        "references": ["A", ""],
    },
    "wmt20/tworefs": {
        "format": "sgml",
        "description": "WMT 2020, with a second reference for some pairs",
        "archives": [(_STATMT + "wmt20/translation-task/test.tgz", "")],
        "files": [
            ("sgm/newstest2020-{s}{t}-src.{s}.sgm "
             "sgm/newstest2020-{s}{t}-ref.{t}.sgm "
             "sgm/newstestB2020-{s}{t}-ref.{t}.sgm",
             "de-en en-de en-zh ru-en zh-en"),
        ],
    },
    "wmt20": {
        "format": "sgml",
        "description": "WMT 2020, news: the official test set",
        "archives": [(_STATMT + "wmt20/translation-task/test.tgz", "")],
        "files": [
            ("sgm/newstest2020-{s}{t}-src.{s}.sgm sgm/newstest2020-{s}{t}-ref.{t}.sgm",
             "cs-en de-en de-fr en-cs en-de en-iu en-ja en-km en-pl en-ps en-ru en-ta en-zh fr-de iu-en ja-en "
             "km-en pl-en ps-en ru-en ta-en zh-en"),
        ],
    },
    "wmt20/dev": {
        "format": "sgml",
        "description": "WMT 2020: development sets of the pairs that were new",
        "archives": [(_STATMT + "wmt20/translation-task/dev.tgz", "")],
        "files": [
            ("dev/newsdev2020-{s}{t}-src.{s}.sgm dev/newsdev2020-{s}{t}-ref.{t}.sgm",
             "iu-en en-iu ja-en en-ja pl-en en-pl ta-en en-ta"),
        ],
    },
    "wmt20/robust/set1": {
        "format": "text",
        "description": "WMT 2020, robustness task: set 1",
        "archives": [(_STATMT + "wmt20/robustness-task/robustness20-3-sets.zip", "")],
        "files": [
            ("robustness20-3-sets/robustness20-set1-{s}{t}.{s} robustness20-3-sets/robustness20-set1-{s}{t}.{t}",
             "en-ja en-de"),
        ],
    },
    "wmt20/robust/set2": {
        "format": "text",
        "description": "WMT 2020, robustness task: set 2",
        "archives": [(_STATMT + "wmt20/robustness-task/robustness20-3-sets.zip", "")],
        "files": [
            ("robustness20-3-sets/robustness20-set2-{s}{t}.{s} robustness20-3-sets/robustness20-set2-{s}{t}.{t}",
             "en-ja ja-en"),
        ],
    },
    "wmt20/robust/set3": {
        "format": "text",
        "description": "WMT 2020, robustness task: set 3",
        "archives": [(_STATMT + "wmt20/robustness-task/robustness20-3-sets.zip", "")],
        "files": [
            ("robustness20-3-sets/robustness20-set3-{s}{t}.{s} robustness20-3-sets/robustness20-set3-{s}{t}.{t}",
             "de-en"),
        ],
    },
    "wmt19": {
        "format": "sgml",
        "description": "WMT 2019, news: the official test set",
        "archives": [(_STATMT + "wmt19/translation-task/test.tgz", "")],
        "files": [
            ("sgm/newstest2019-{s}{t}-src.{s}.sgm sgm/newstest2019-{s}{t}-ref.{t}.sgm",
             "cs-de de-cs de-en de-fr en-cs en-de en-fi en-gu en-kk en-lt en-ru en-zh fi-en fr-de gu-en kk-en "
             "lt-en ru-en zh-en"),
        ],
    },
    "wmt19/dev": {
        "format": "sgml",
        "description": "WMT 2019: development sets of the pairs that were new",
        "archives": [(_STATMT + "wmt19/translation-task/dev.tgz", "")],
        "files": [
            ("dev/newsdev2019-{s}{t}-src.{s}.sgm dev/newsdev2019-{s}{t}-ref.{t}.sgm",
             "lt-en en-lt gu-en en-gu kk-en en-kk"),
        ],
    },
    "wmt19/google/ar": {
        "format": "sgml",
        "description": "WMT 2019 en-de with Google's additional reference (AR)",
        "archives": [(_STATMT + "wmt19/translation-task/test.tgz", ""),
                     (_RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-ar.ref", "")],
        "files": [
            ("sgm/newstest2019-{s}{t}-src.{s}.sgm wmt19_google_ar.wmt19-{s}{t}-ar.ref",
             "en-de"),
        ],
    },
    "wmt19/google/arp": {
        "format": "sgml",
        "description": "WMT 2019 en-de: AR, paraphrased",
        "archives": [(_STATMT + "wmt19/translation-task/test.tgz", ""),
                     (_RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-arp.ref", "")],
        "files": [
            ("sgm/newstest2019-{s}{t}-src.{s}.sgm wmt19_google_arp.wmt19-{s}{t}-arp.ref",
             "en-de"),
        ],
    },
    "wmt19/google/wmtp": {
        "format": "sgml",
        "description": "WMT 2019 en-de: the official reference, paraphrased",
        "archives": [(_STATMT + "wmt19/translation-task/test.tgz", ""),
                     (_RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-wmtp.ref", "")],
        "files": [
            ("sgm/newstest2019-{s}{t}-src.{s}.sgm wmt19_google_wmtp.wmt19-{s}{t}-wmtp.ref",
             "en-de"),
        ],
    },
    "wmt19/google/hqr": {
        "format": "sgml",
        "description": "WMT 2019 en-de: by people's choice, the official reference or AR, segment by segment",
        "archives": [(_STATMT + "wmt19/translation-task/test.tgz", ""),
                     (_RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-hqr.ref", "")],
        "files": [
            ("sgm/newstest2019-{s}{t}-src.{s}.sgm wmt19_google_hqr.wmt19-{s}{t}-hqr.ref",
             "en-de"),
        ],
    },
    "wmt19/google/hqp": {
        "format": "sgml",
        "description": "WMT 2019 en-de: by people's choice, one of the two paraphrases, segment by segment",
        "archives": [(_STATMT + "wmt19/translation-task/test.tgz", ""),
                     (_RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-hqp.ref", "")],
        "files": [
            ("sgm/newstest2019-{s}{t}-src.{s}.sgm wmt19_google_hqp.wmt19-{s}{t}-hqp.ref",
             "en-de"),
        ],
    },
    "wmt19/google/hqall": {
        "format": "sgml",
        "description": "WMT 2019 en-de: by people's choice, any of the references and paraphrases, segment by segment",
        "archives": [(_STATMT + "wmt19/translation-task/test.tgz", ""),
                     (_RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-hqall.ref", "")],
        "files": [
            ("sgm/newstest2019-{s}{t}-src.{s}.sgm wmt19_google_hqall.wmt19-{s}{t}-hqall.ref",
             "en-de"),
        ],
    },
    "wmt18": {
        "format": "sgml",
        "description": "WMT 2018, news: the official test set",
        "archives": [(_STATMT + "wmt18/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2018-{s}{t}-src.{s}.sgm test/newstest2018-{s}{t}-ref.{t}.sgm",
             "cs-en de-en en-cs en-de en-et en-fi en-ru et-en fi-en ru-en en-tr tr-en en-zh zh-en"),
        ],
    },
    "wmt18/test-ts": {
        "format": "sgml",
        "description": "WMT 2018: the sources with the additional test suites in between",
        "archives": [(_STATMT + "wmt18/translation-task/test-ts.tgz", "")],
        "files": [
            ("test-ts/newstest2018-{s}{t}-src-ts.{s}.sgm test-ts/newstest2018-{s}{t}-ref-ts.{t}.sgm",
             "cs-en de-en en-cs en-de en-et en-fi en-ru et-en fi-en ru-en en-tr tr-en en-zh zh-en"),
        ],
    },
    "wmt18/dev": {
        "format": "sgml",
        "description": "WMT 2018: development sets, Estonian and English",
        "archives": [(_STATMT + "wmt18/translation-task/dev.tgz", "")],
        "files": [
            ("dev/newsdev2018-{s}{t}-src.{s}.sgm dev/newsdev2018-{s}{t}-ref.{t}.sgm",
             "et-en en-et"),
        ],
    },
    "wmt17": {
        "format": "sgml",
        "description": "WMT 2017, news: the official test set",
        "archives": [(_STATMT + "wmt17/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2017-{s}{t}-src.{s}.sgm test/newstest2017-{s}{t}-ref.{t}.sgm",
             "cs-en de-en en-cs en-de en-fi en-lv en-ru en-tr en-zh fi-en lv-en ru-en tr-en zh-en"),
        ],
    },
    "wmt17/B": {
        "format": "sgml",
        "description": "WMT 2017, a second reference for English to Finnish",
        "archives": [(_STATMT + "wmt17/translation-task/test.tgz", "")],
        "files": [
            ("test/newstestB2017-{s}{t}-src.{s}.sgm test/newstestB2017-{s}{t}-ref.{t}.sgm",
             "en-fi"),
        ],
    },
    "wmt17/tworefs": {
        "format": "sgml",
        "description": "WMT 2017, English to Finnish with two references",
        "archives": [(_STATMT + "wmt17/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2017-{s}{t}-src.{s}.sgm "
             "test/newstest2017-{s}{t}-ref.{t}.sgm "
             "test/newstestB2017-{s}{t}-ref.{t}.sgm",
             "en-fi"),
        ],
    },
    "wmt17/improved": {
        "format": "sgml",
        "description": "WMT 2017, Chinese and English, with corrected translations",
        "archives": [(_STATMT + "wmt17/translation-task/test-update-1.tgz", "")],
        "files": [
            ("newstest2017-{s}{t}-src.{s}.sgm newstest2017-{s}{t}-ref.{t}.sgm",
             "en-zh zh-en"),
        ],
    },
    "wmt17/dev": {
        "format": "sgml",
        "description": "WMT 2017: development sets of the languages that were new",
        "archives": [(_STATMT + "wmt17/translation-task/dev.tgz", "")],
        "files": [
            ("dev/newsdev2017-{s}{t}-src.{s}.sgm dev/newsdev2017-{s}{t}-ref.{t}.sgm",
             "en-lv en-zh lv-en zh-en"),
        ],
    },
    "wmt17/ms": {
        "format": "sgml",
        "description": "WMT 2017, Chinese to English, with Microsoft's additional references",
        "archives": [(_GITHUB + "MicrosoftTranslator/Translator-HumanParityData/archive/master.zip", ""),
                     (_STATMT + "wmt17/translation-task/test-update-1.tgz", "")],
        "files": [
            ("newstest2017-{s}{t}-src.{s}.sgm "
             "newstest2017-{s}{t}-ref.{t}.sgm "
             + _PARITY + "HT.txt " + _PARITY + "PE.txt",
             "zh-en"),
        ],
    },
    "wmt16": {
        "format": "sgml",
        "description": "WMT 2016, news: the official test set",
        "archives": [(_STATMT + "wmt16/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2016-{s}{t}-src.{s}.sgm test/newstest2016-{s}{t}-ref.{t}.sgm",
             "cs-en de-en en-cs en-de en-fi en-ro en-ru en-tr fi-en ro-en ru-en tr-en"),
        ],
    },
    "wmt16/B": {
        "format": "sgml",
        "description": "WMT 2016, a second reference for English to Finnish",
        "archives": [(_STATMT + "wmt16/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2016-{s}{t}-src.{s}.sgm test/newstestB2016-{s}{t}-ref.{t}.sgm",
             "en-fi"),
        ],
    },
    "wmt16/tworefs": {
        "format": "sgml",
        "description": "WMT 2016, English to Finnish with two references",
        "archives": [(_STATMT + "wmt16/translation-task/test.tgz", "")],
        "files": [
            ("test/newstest2016-{s}{t}-src.{s}.sgm "
             "test/newstest2016-{s}{t}-ref.{t}.sgm "
             "test/newstestB2016-{s}{t}-ref.{t}.sgm",
             "en-fi"),
        ],
    },
    "wmt16/dev": {
        "format": "sgml",
        "description": "WMT 2016: development sets of the languages that were new",
        "archives": [(_STATMT + "wmt16/translation-task/dev.tgz", "")],
        "files": [
            ("dev/newsdev2016-{s}{t}-src.{s}.sgm dev/newsdev2016-{s}{t}-ref.{t}.sgm",
             "en-ro en-tr ro-en tr-en"),
        ],
    },
    "wmt15": {
        "format": "sgml",
        "description": "WMT 2015, news: the official test set",
        "archives": [(_OLD_STATMT + "wmt15/test.tgz", "")],
        "files": [
            ("test/newsdiscusstest2015-{s}{t}-src.{s}.sgm test/newsdiscusstest2015-{s}{t}-ref.{t}.sgm",
             "en-fr fr-en"),
            ("test/newstest2015-{s}{t}-src.{s}.sgm test/newstest2015-{s}{t}-ref.{t}.sgm",
             "cs-en de-en en-cs en-de en-fi en-ru fi-en ru-en"),
        ],
    },
    "wmt14": {
        "format": "sgml",
        "description": "WMT 2014, news: the official test set",
        "archives": [(_OLD_STATMT + "wmt14/test-filtered.tgz", "")],
        "files": [
            ("test/newstest2014-{e}-src.{s}.sgm test/newstest2014-{e}-ref.{t}.sgm",
             "cs-en en-cs de-en en-de en-fr fr-en en-hi hi-en en-ru ru-en"),
        ],
    },
    "wmt14/full": {
        "format": "sgml",
        "description": "WMT 2014, with the segments that were left out of the official test set",
        "archives": [(_OLD_STATMT + "wmt14/test-full.tgz", "")],
        "files": [
            ("test-full/newstest2014-{e}-src.{s}.sgm test-full/newstest2014-{e}-ref.{t}.sgm",
             "cs-en en-cs de-en en-de en-fr fr-en en-hi hi-en en-ru ru-en"),
        ],
    },
    "wmt13": {
        "format": "sgml",
        "description": "WMT 2013, news: the official test set",
        "archives": [(_OLD_STATMT + "wmt13/test.tgz", "")],
        "files": [
            ("test/newstest2013-src.{s}.sgm test/newstest2013-src.{t}.sgm",
             "cs-en en-cs de-en en-de es-en en-es fr-en en-fr ru-en en-ru"),
        ],
    },
    "wmt12": {
        "format": "sgml",
        "description": "WMT 2012, news: the official test set",
        "archives": [(_OLD_STATMT + "wmt12/test.tgz", "")],
        "files": [
            ("test/newstest2012-src.{s}.sgm test/newstest2012-src.{t}.sgm",
             "cs-en en-cs de-en en-de es-en en-es fr-en en-fr"),
        ],
    },
    "wmt11": {
        "format": "sgml",
        "description": "WMT 2011, news: the official test set",
        "archives": [(_OLD_STATMT + "wmt11/test.tgz", "")],
        "files": [
            ("newstest2011-src.{s}.sgm newstest2011-src.{t}.sgm",
             "cs-en en-cs de-en en-de fr-en en-fr es-en en-es"),
        ],
    },
    "wmt10": {
        "format": "sgml",
        "description": "WMT 2010, news: the official test set",
        "archives": [(_OLD_STATMT + "wmt10/test.tgz", "")],
        "files": [
            ("test/newstest2010-src.cz.sgm test/newstest2010-src.{t}.sgm",
             "cs-en"),
            ("test/newstest2010-src.{s}.sgm test/newstest2010-src.cz.sgm",
             "en-cs"),
            ("test/newstest2010-src.{s}.sgm test/newstest2010-src.{t}.sgm",
             "de-en en-de es-en en-es fr-en en-fr"),
        ],
    },
    "wmt09": {
        "format": "sgml",
        "description": "WMT 2009, news: the official test set",
        "archives": [(_OLD_STATMT + "wmt09/test.tgz", "")],
        "files": [
            ("test/newstest2009-src.cz.sgm test/newstest2009-src.{t}.sgm",
             "cs-en"),
            ("test/newstest2009-src.{s}.sgm test/newstest2009-src.cz.sgm",
             "en-cs"),
            ("test/newstest2009-src.{s}.sgm test/newstest2009-src.{t}.sgm",
             "de-en en-de es-en en-es fr-en en-fr hu-en en-hu it-en en-it"),
        ],
    },
    "wmt08": {
        "format": "sgml",
        "description": "WMT 2008, news: the official test set",
        "archives": [(_OLD_STATMT + "wmt08/test.tgz", "")],
        "files": [
            ("test/newstest2008-src.cz.sgm test/newstest2008-src.{t}.sgm",
             "cs-en"),
            ("test/newstest2008-src.{s}.sgm test/newstest2008-src.cz.sgm",
             "en-cs"),
            ("test/newstest2008-src.{s}.sgm test/newstest2008-src.{t}.sgm",
             "de-en en-de es-en en-es fr-en en-fr hu-en en-hu"),
        ],
    },
    "wmt08/nc": {
        "format": "sgml",
        "description": "WMT 2008, news commentary: the official test set",
        "archives": [(_OLD_STATMT + "wmt08/test.tgz", "")],
        "files": [
            ("test/nc-test2008-src.cz.sgm test/nc-test2008-src.{t}.sgm",
             "cs-en"),
            ("test/nc-test2008-src.{s}.sgm test/nc-test2008-src.cz.sgm",
             "en-cs"),
        ],
    },
    "wmt08/europarl": {
        "format": "sgml",
        "description": "WMT 2008, Europarl: the official test set",
        "archives": [(_OLD_STATMT + "wmt08/test.tgz", "")],
        "files": [
            ("test/test2008-src.{s}.sgm test/test2008-src.{t}.sgm",
             "de-en en-de es-en en-es fr-en en-fr"),
        ],
    },
    "iwslt17": {
        "format": "sgml",
        "description": "IWSLT 2017, TED talks: the official test set",
        "archives": [(_RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/{s}/{t}/{s}-{t}.tgz",
                      "en-fr fr-en en-de de-en en-ar ar-en en-ja ja-en en-ko ko-en en-zh zh-en")],
        "files": [
            ("{s}-{t}/IWSLT17.TED.tst2017.{s}-{t}.{s}.xml {t}-{s}/IWSLT17.TED.tst2017.{t}-{s}.{t}.xml",
             "en-fr fr-en en-de de-en en-zh zh-en en-ar ar-en en-ja ja-en en-ko ko-en"),
        ],
    },
    "iwslt17/tst2016": {
        "format": "sgml",
        "description": "IWSLT 2017: the test set of 2016, for development",
        "archives": [(_RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/{s}/{t}/{s}-{t}.tgz",
                      "en-fr fr-en en-de de-en en-zh zh-en")],
        "files": [
            ("{s}-{t}/IWSLT17.TED.tst2016.{s}-{t}.{s}.xml {t}-{s}/IWSLT17.TED.tst2016.{t}-{s}.{t}.xml",
             "en-fr fr-en en-de de-en en-zh zh-en"),
        ],
    },
    **{f"iwslt17/{name}": {
        "format": "sgml",
        "description": f"IWSLT 2017: the {description}",
        "archives": [(_RAW + "hlt-mt/WIT3/master/archive/2017-01-trnted/texts/{s}/{t}/{s}-{t}.tgz",
                      "en-de de-en en-fr fr-en en-zh zh-en")],
        "files": [
            ("{s}-{t}/IWSLT17.TED." + name + ".{s}-{t}.{s}.xml {t}-{s}/IWSLT17.TED." + name + ".{t}-{s}.{t}.xml",
             "en-fr fr-en en-de de-en en-zh zh-en"),
        ],
    } for name, description in (
        *[(f"tst{year}", f"test set of {year}, for development") for year in range(2015, 2009, -1)],
        ("dev2010", "development set of 2010"),
    )},
    "mtedx/valid": {
        "format": "text",
        "description": "Multilingual TEDx (openslr.org/100): validation set",
        "archives": [(_RAW + "esalesky/mtedx-eval/main/valid.tar.gz", "")],
        "files": [
            ("valid/mtedx-valid-{s}{t}.{s} valid/mtedx-valid-{s}{t}.{t}",
             "el-en es-en es-fr es-it es-pt fr-en fr-es fr-pt it-en it-es pt-en pt-es ru-en"),
        ],
    },
    "mtedx/test": {
        "format": "text",
        "description": "Multilingual TEDx (openslr.org/100): test set",
        "archives": [(_RAW + "esalesky/mtedx-eval/main/test.tar.gz", "")],
        "files": [
            ("test/mtedx-test-{s}{t}.{s} test/mtedx-test-{s}{t}.{t}",
             "el-en es-en es-fr es-it es-pt fr-en fr-es fr-pt it-en it-es pt-en pt-es ru-en"),
        ],
    },
    "multi30k/2016": {
        "format": "text",
        "description": "Multi30k, captions of pictures: the test set of 2016",
        "archives": [(_RAW + "multi30k/dataset/master/data/task1/multi30k_test_sets_d3ec2a38.tar.gz", "")],
        "files": [
            ("test_2016_flickr.{s} test_2016_flickr.{t}",
             "en-fr en-de en-cs"),
        ],
    },
    "multi30k/2017": {
        "format": "text",
        "description": "Multi30k, captions of pictures: the test set of 2017",
        "archives": [(_RAW + "multi30k/dataset/master/data/task1/multi30k_test_sets_d3ec2a38.tar.gz", "")],
        "files": [
            ("test_2017_flickr.{s} test_2017_flickr.{t}",
             "en-fr en-de"),
        ],
    },
    "multi30k/2018": {
        "format": "text",
        "description": "Multi30k, captions of pictures: the test set of 2018 (its evaluation: codalab.org)",
        "archives": [(_RAW + "multi30k/dataset/master/data/task1/multi30k_test_sets_d3ec2a38.tar.gz", ""),
                     (_RAW + "multi30k/dataset/master/data/task1/raw/test_2018_flickr.cs.gz", ""),
                     (_RAW + "multi30k/dataset/master/data/task1/raw/test_2018_flickr.de.gz", ""),
                     (_RAW + "multi30k/dataset/master/data/task1/raw/test_2018_flickr.fr.gz", "")],
        "files": [
            ("test_2018_flickr.{s} multi30k_2018.test_2018_flickr.{t}.gz",
             "en-fr en-de en-cs"),
        ],
    },
    "mtnt2019": {
        "format": "tsv",
        "description": "MTNT 2019, noisy text: the test set of WMT's robustness task",
        "archives": [(_PMICHEL + "hosting/MTNT2019.tar.gz", "")],
        "files": [
            ("2:MTNT2019/{s}-{t}.final.tsv 3:MTNT2019/{s}-{t}.final.tsv",
             "en-fr fr-en en-ja ja-en"),
        ],
    },
    "mtnt1.1/test": {
        "format": "tsv",
        "description": "MTNT 1.1, noisy text (cs.cmu.edu/~pmichel1/mtnt): test set",
        "archives": [(_GITHUB + "pmichel31415/mtnt/releases/download/v1.1/MTNT.1.1.tar.gz", "")],
        "files": [
            ("1:MTNT/test/test.{s}-{t}.tsv 2:MTNT/test/test.{s}-{t}.tsv",
             "en-fr fr-en en-ja ja-en"),
        ],
    },
    "mtnt1.1/valid": {
        "format": "tsv",
        "description": "MTNT 1.1, noisy text: validation set",
        "archives": [(_GITHUB + "pmichel31415/mtnt/releases/download/v1.1/MTNT.1.1.tar.gz", "")],
        "files": [
            ("1:MTNT/valid/valid.{s}-{t}.tsv 2:MTNT/valid/valid.{s}-{t}.tsv",
             "en-fr fr-en en-ja ja-en"),
        ],
    },
    "mtnt1.1/train": {
        "format": "tsv",
        "description": "MTNT 1.1, noisy text: training set",
        "archives": [(_GITHUB + "pmichel31415/mtnt/releases/download/v1.1/MTNT.1.1.tar.gz", "")],
        "files": [
            ("1:MTNT/train/train.{s}-{t}.tsv 2:MTNT/train/train.{s}-{t}.tsv",
             "en-fr fr-en en-ja ja-en"),
        ],
    },
    "ntrex128": {
        "format": "parallel",
        "description": "NTREX-128: news of WMT 2019, from English into 127 languages, any pair (CC BY-SA 4.0)",
        "collection": "ntrex128",
        "references": [""],
        "lines": 1997,
        "origlang": "eng",
        "archives_kept_as": "ntrex128",
    },
    "ntrex128/tworefs": {
        "format": "parallel",
        "description": "NTREX-128 into Spanish, with both references",
        "collection": "ntrex128",
        "references": ["", "2"],
        "lines": 1997,
        "origlang": "eng",
        "archives_kept_as": "ntrex128",
    },
    "flores200/dev": {
        "format": "parallel",
        "description": "FLORES-200, development set: Wikimedia texts in 204 languages, any pair (CC BY-SA 4.0)",
        "collection": "flores200/dev",
        "references": [""],
        "lines": 997,
        "origlang": "eng_Latn",
        "archives_kept_as": "flores200",
    },
    "flores200/devtest": {
        "format": "parallel",
        "description": "FLORES-200, test set: Wikimedia texts in 204 languages, any pair (CC BY-SA 4.0)",
        "collection": "flores200/devtest",
        "references": [""],
        "lines": 1012,
        "origlang": "eng_Latn",
        "archives_kept_as": "flores200",
    },
    "sample": {
        "format": "embedded",
        "description": "a sample to try things out, part of purebleu: two references, and the output 'mixed'",
        "archives": [],
        "files": [
            ("src ref-A ref-B docid origlang mixed",
             "en-de en-fr de-en"),
        ],
    },
}

#: The checksums of the archives, by address: MD5 sums, or `sha256:` or `git:` (the id that git gives such a file) and
#: their digits.
CHECKSUMS = {
    _GITHUB + "wmt-conference/wmt24-news-systems/releases/download/v1.1/data_onlyxml.tar.gz":
        "299963fcb7b4e86d6d212bf69beb9580",
    _GITHUB + "wmt-conference/wmt23-news-systems/archive/refs/tags/v.0.1.tar.gz":
        "63576405e4ce07130a19ad76ba7eb75b",
    _GITHUB + "wmt-conference/wmt22-news-systems/archive/refs/tags/v1.1.tar.gz":
        "0840978b9b50b9ac3b2b081e37d620b9",
    _GITHUB + "wmt-conference/wmt21-news-systems/archive/refs/tags/v1.3.tar.gz":
        "a6aee4099da58f98f71eb3fac1694237",
    _STATMT + "wmt21/translation-task/test.tgz": "32e7ab995bc318414375d60f0269af92",
    _STATMT + "wmt21/translation-task/dev.tgz": "165da59ac8dfb5b7cafd7e90b1cac672",
    _STATMT + "wmt20/translation-task/test.tgz": "3b1f777cfd2fb15ccf66e9bfdb2b1699",
    _STATMT + "wmt20/translation-task/dev.tgz": "037f2b37aab74febbb1b2307dc2afb54",
    _STATMT + "wmt20/robustness-task/robustness20-3-sets.zip": "a12ac9ebe89b72195041518dffc4a9d5",
    _STATMT + "wmt19/translation-task/test.tgz": "84de7162d158e28403103b01aeefc39a",
    _STATMT + "wmt19/translation-task/dev.tgz": "f2ec7af5947c19e0cacb3882eb208002",
    _RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-ar.ref":
        "d66d9e91548ced0ac476f2390e32e2de",
    _RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-arp.ref":
        "c70ea808cf2bff621ad7a8fddd4deca9",
    _RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-wmtp.ref":
        "587c660ee5fd44727f0db025b71c6a82",
    _RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-hqr.ref":
        "d9221135f62d7152de041f5bfc8efaea",
    _RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-hqp.ref":
        "b7c3a07a59c8eccea5367e9ec5417a8a",
    _RAW + "google/wmt19-paraphrased-references/master/wmt19/ende/wmt19-ende-hqall.ref":
        "edecf10ced59e10b703a6fbcf1fa9dfa",
    _STATMT + "wmt18/translation-task/test.tgz": "f996c245ecffea23d0006fa4c34e9064",
    _STATMT + "wmt18/translation-task/test-ts.tgz": "5c621a34d512cc2dd74162ae7d00b320",
    _STATMT + "wmt18/translation-task/dev.tgz": "486f391da54a7a3247f02ebd25996f24",
    _STATMT + "wmt17/translation-task/test.tgz": "86a1724c276004aa25455ae2a04cef26",
    _STATMT + "wmt17/translation-task/test-update-1.tgz": "91dbfd5af99bc6891a637a68e04dfd41",
    _STATMT + "wmt17/translation-task/dev.tgz": "9b1aa63c1cf49dccdd20b962fe313989",
    _GITHUB + "MicrosoftTranslator/Translator-HumanParityData/archive/master.zip":
        "18fdaa7a3c84cf6ef688da1f6a5fa96f",
    _STATMT + "wmt16/translation-task/test.tgz": "3d809cd0c2c86adb2c67034d15c4e446",
    _STATMT + "wmt16/translation-task/dev.tgz": "4a3dc2760bb077f4308cce96b06e6af6",
    _OLD_STATMT + "wmt15/test.tgz": "67e3beca15e69fe3d36de149da0a96df",
    _OLD_STATMT + "wmt14/test-filtered.tgz": "84c597844c1542e29c2aff23aaee4310",
    _OLD_STATMT + "wmt14/test-full.tgz": "a8cd784e006feb32ac6f3d9ec7eb389a",
    _OLD_STATMT + "wmt13/test.tgz": "48eca5d02f637af44e85186847141f67",
    _OLD_STATMT + "wmt12/test.tgz": "608232d34ebc4ba2ff70fead45674e47",
    _OLD_STATMT + "wmt11/test.tgz": "b0c9680adf32d394aefc2b24e3a5937e",
    _OLD_STATMT + "wmt10/test.tgz": "491cb885a355da5a23ea66e7b3024d5c",
    _OLD_STATMT + "wmt09/test.tgz": "da227abfbd7b666ec175b742a0d27b37",
    _OLD_STATMT + "wmt08/test.tgz": "0582e4e894a3342044059c894e1aea3d",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/en/fr/en-fr.tgz":
        "1849bcc3b006dc0642a8843b11aa7192",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/fr/en/fr-en.tgz":
        "79bf7a2ef02d226875f55fb076e7e473",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/en/de/en-de.tgz":
        "b68e7097b179491f6c466ef41ad72b9b",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/de/en/de-en.tgz":
        "e3f5b2a075a2da1a395c8b60bf1e9be1",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/en/ar/en-ar.tgz":
        "ecdc6bc4ab4c8984e919444f3c05183a",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/ar/en/ar-en.tgz":
        "4b5141d14b98706c081371e2f8afe0ca",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/en/ja/en-ja.tgz":
        "d957ee79de1f33c89077d37c5a2c5b06",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/ja/en/ja-en.tgz":
        "c213e8bb918ebf843543fe9fd2e33db2",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/en/ko/en-ko.tgz":
        "59f6a81c707378176e9ad8bb8d811f5f",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/ko/en/ko-en.tgz":
        "7e580af973bb389ec1d1378a1850742f",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/en/zh/en-zh.tgz":
        "975a858783a0ebec8c57d83ddd5bd381",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-ted-test/texts/zh/en/zh-en.tgz":
        "cc51d9b7fe1ff2af858c6a0dd80b8815",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-trnted/texts/en/de/en-de.tgz":
        "d8a32cfc002a4f12b17429cfa78050e6",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-trnted/texts/de/en/de-en.tgz":
        "ca2b94d694150d4d6c5dc64c200fa589",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-trnted/texts/en/fr/en-fr.tgz":
        "3cf07ebe305312b12f7f1a4d5f8f8377",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-trnted/texts/fr/en/fr-en.tgz":
        "19927da9de0f40348cad9c0fc61642ac",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-trnted/texts/en/zh/en-zh.tgz":
        "575b788dad6c5b9c5cee636f9ac1094a",
    _RAW + "hlt-mt/WIT3/master/archive/2017-01-trnted/texts/zh/en/zh-en.tgz":
        "1c0ae40171d52593df8a6963d3828116",
    _RAW + "esalesky/mtedx-eval/main/valid.tar.gz": "40618171614c50e6cbb5e5bbceee0635",
    _RAW + "esalesky/mtedx-eval/main/test.tar.gz": "fa4cb1548c210ec424d7d6bc9a3675a7",
    _RAW + "multi30k/dataset/master/data/task1/multi30k_test_sets_d3ec2a38.tar.gz":
        "9cf8f22d57fee2ca2af3c682dfdc525b",
    _RAW + "multi30k/dataset/master/data/task1/raw/test_2018_flickr.cs.gz": "4c6b6490e58107b2e397c5e3e1690abc",
    _RAW + "multi30k/dataset/master/data/task1/raw/test_2018_flickr.de.gz": "87e00327083dd69feaa029a8f7c1a047",
    _RAW + "multi30k/dataset/master/data/task1/raw/test_2018_flickr.fr.gz": "a64563e986438ed731a6713027c36bfd",
    _PMICHEL + "hosting/MTNT2019.tar.gz": "78a672e1931f106a8549023c0e8af8f6",
    _GITHUB + "pmichel31415/mtnt/releases/download/v1.1/MTNT.1.1.tar.gz": "8ce1831ac584979ba8cdcd9d4be43e1d",
}

"""The origins and the topics of documents of test sets: data only (for `--subset`)."""

from __future__ import annotations

#: For test sets by name: the documents of each `COUNTRY-DOMAIN`, sometimes followed by the country that they are about.
_DOCUMENTS = {
    "wmt18": {
        "EU-business-DE":
            "nytimes.127392",
        "EU-scitech-FR":
            "euronews-en.118001",
        "EU-sport":
            "abcnews.255599 independent.181052",
        "EU-world":
            "novinite.com.23995",
        "GB-business":
            "bbc.310946",
        "GB-entertainment":
            "independent.181088 guardian.181666",
        "GB-politics":
            "scotsman.104225",
        "GB-scitech":
            "dailymail.co.uk.233026 dailymail.co.uk.233028 telegraph.364538",
        "GB-sport":
            "bbc.310963 scotsman.104228 independent.181071",
        "GB-world":
            "dailymail.co.uk.232928",
        "OTHER-business-AU":
            "brisbanetimes.com.au.181614",
        "OTHER-crime-AE":
            "euronews-en.117981",
        "OTHER-crime-MX":
            "washpost.116866",
        "OTHER-crime-ZA":
            "telegraph.364393",
        "OTHER-politics-IT":
            "thelocal.51916",
        "OTHER-scitech":
            "reuters.196711 smh.com.au.242750",
        "OTHER-scitech-CA":
            "dailymail.co.uk.233025",
        "OTHER-sport-RU":
            "reuters.196718 rt.com.68127",
        "OTHER-world-AF":
            "bbc.310870 upi.140602",
        "OTHER-world-ID":
            "timemagazine.75207",
        "OTHER-world-SE":
            "thelocal.51929",
        "US-business":
            "theglobeandmail.com.62700 latimes.231782",
        "US-crime":
            "rt.com.68098 smh.com.au.242810 msnbc.53894 bbc.310871 latimes.231829 msnbc.53731",
        "US-entertainment":
            "nytimes.127256 guardian.181662 independent.181096",
        "US-politics":
            "guardian.181611 washpost.116881 msnbc.53726 euronews-en.117983 reuters.196698 cbsnews.198694 "
            "washpost.116837 novinite.com.24019 guardian.181610 timemagazine.75193",
        "US-sport":
            "latimes.231739 latimes.231840",
    },
    "wmt19": {
        "EU-crime":
            "rt.com.91334",
        "EU-entertainment":
            "dailymail.co.uk.298692",
        "EU-politics":
            "reuters.218888 euronews-en.153800",
        "EU-scitech":
            "cbsnews.248484",
        "EU-sport":
            "reuters.218923 scotsman.133758 euronews-en.153826",
        "EU-world":
            "rt.com.91350 telegraph.405404",
        "GB-business":
            "guardian.221754 dailymail.co.uk.298595 dailymail.co.uk.298644",
        "GB-crime":
            "dailymail.co.uk.298732 bbc.381780 bbc.381679 bbc.381735 bbc.381765 bbc.381701 bbc.381760",
        "GB-entertainment":
            "scotsman.133804 dailymail.co.uk.298738 guardian.221718 independent.226346 independent.226317 "
            "bbc.381694 telegraph.405430",
        "GB-politics":
            "bbc.381790 telegraph.405401 reuters.218882 guardian.221679 dailymail.co.uk.298686 bbc.381680 "
            "scotsman.133783 dailymail.co.uk.298622 dailymail.co.uk.298696",
        "GB-scitech":
            "scotsman.133773",
        "GB-sport":
            "upi.176249 bbc.381746 upi.176251 scotsman.133765 scotsman.133791 bbc.381646 bbc.381789 "
            "scotsman.133753 scotsman.133801 bbc.381705",
        "GB-world":
            "scotsman.133744 bbc.381692 dailymail.co.uk.298602 bbc.381749",
        "OTHER-crime-CN":
            "newsweek.51331",
        "OTHER-politics-BO":
            "guardian.221762",
        "OTHER-politics-KP":
            "bbc.381736",
        "OTHER-politics-MK":
            "rt.com.91337 reuters.218932",
        "OTHER-politics-MX":
            "abcnews.306758",
        "OTHER-politics-SY":
            "euronews-en.153799",
        "OTHER-sport-RU":
            "independent.226349",
        "OTHER-world-CN":
            "bbc.381669",
        "OTHER-world-FM":
            "cbsnews.248411",
        "OTHER-world-ID":
            "nytimes.184837 euronews-en.153835 reuters.218863 nytimes.184860 telegraph.405422 reuters.218865 "
            "euronews-en.153797 newsweek.51340",
        "OTHER-world-MX":
            "abcnews.306764",
        "OTHER-world-SY":
            "thelocal.65969",
        "US-business":
            "cnbc.com.6772 newsweek.51307 cnbc.com.6770",
        "US-crime":
            "upi.176266 cbsnews.248387 cnn.304404 newsweek.51339 abcnews.306774 reuters.218909 abcnews.306776",
        "US-entertainment":
            "bbc.381647 newsweek.51329 newsweek.51318",
        "US-politics":
            "cnbc.com.6790 cbsnews.248384 cnn.304489 cnn.304447 cnbc.com.6769 newsweek.51310 reuters.218861 "
            "foxnews.94512 cbsnews.248471 rt.com.91335 newsweek.51300 cnn.304478 upi.176275 reuters.218933 "
            "newsweek.51328 guardian.221756 nytimes.184862 nytimes.184825 cnbc.com.6784 nytimes.184804 "
            "nytimes.184830 abcnews.306755 newsweek.51330 telegraph.405413 cbsnews.248394 telegraph.405408",
        "US-scitech":
            "dailymail.co.uk.298630",
        "US-sport":
            "reuters.218921 reuters.218911 independent.226301 reuters.218914 cnn.304521",
        "US-world":
            "nytimes.184853 abcnews.306815 newsweek.51338 dailymail.co.uk.298759 rt.com.91356 nytimes.184822 "
            "cnn.304400",
    },
}

#: For test sets by name: the origin and the topic of each document.
SUBSETS = {name: {document: tag for tag, documents in by_tag.items() for document in documents.split()}
           for name, by_tag in _DOCUMENTS.items()}
# (These are the same documents.)
SUBSETS["ntrex128"] = SUBSETS["ntrex128/tworefs"] = SUBSETS["wmt19"]

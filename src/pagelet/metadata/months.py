"""Names of months as dates have them: whole and cut short, in the forms that follow a day."""

#: Languages: English German Dutch French Spanish Italian Portuguese Catalan, Danish Norwegian
#: Swedish Icelandic Finnish Estonian, Polish Czech Slovak Slovene Croatian, Hungarian Romanian
#: Latvian Lithuanian, Turkish Indonesian, Russian Ukrainian Bulgarian Serbian, Greek, Arabic
#: Hebrew, Hindi. One row per month.
ROWS = """
january jan jänner jän januar jaenner januari janvier janv enero ene gennaio gen genn janeiro
gener janúar tammikuu tammikuuta tammikuun jaanuar stycznia styczeń sty leden ledna januára
siječnja siječanj január ianuarie ian janvāris janvārī sausio sausis ocak oca января январь янв
січня січень януари јануар јануара ιανουαρίου ιανουάριος ιαν يناير ינואר जनवरी
|
february feb februar februari februarie febr février févr fevrier fév fev febrero febbraio
fevereiro febrer febrúar helmikuu helmikuuta helmikuun veebruar lutego luty lut únor února
februára veljače veljača február februāris februārī vasario vasaris şubat şub февраля февраль фев
лютого лютий февруари фебруар фебруара φεβρουαρίου φεβρουάριος φεβ فبراير פברואר फ़रवरी फरवरी
|
march mar märz maerz mär mrz maart mrt mars marzo março març marts maaliskuu maaliskuuta
maaliskuun märts marca marzec březen března marec ožujka ožujak március márc martie martā kovo
kovas mart maret марта март мар березня березень μαρτίου μάρτιος μαρ مارس מרץ मार्च
|
april apr avril avr abril abr aprile apríl huhtikuu huhtikuuta huhtikuun aprill kwietnia kwiecień
kwi duben dubna apríla aprila travnja travanj április ápr aprilie aprīlis aprīlī balandžio
balandis nisan nis апреля апрель апр квітня квітень април априла απριλίου απρίλιος απρ أبريل אפריל
अप्रैल
|
may mai mei mayo maggio mag maio maig maj maí toukokuu toukokuuta toukokuun maja květen května
mája svibnja svibanj május máj maijs maijā gegužės gegužė mayıs мая май травня травень мај маја
μαΐου μάιος μαΐ مايو מאי मई
|
june jun juni juin junio giugno giu junho juny júní kesäkuu kesäkuuta kesäkuun juuni czerwca
czerwiec cze červen června júna junija lipnja lipanj június jún iunie iun jūnijs jūnijā birželio
birželis haziran haz июня июнь июн червня червень юни јун јуна ιουνίου ιούνιος ιουν يونيو יוני जून
|
july jul juli juillet juil julio luglio lug julho juliol júlí heinäkuu heinäkuuta heinäkuun juuli
lipca lipiec lip červenec července júla julija srpnja srpanj július júl iulie iul jūlijs jūlijā
liepos liepa temmuz tem июля июль июл липня липень юли јул јула ιουλίου ιούλιος ιουλ يوليو יולי
जुलाई
|
august aug augustus août aout agosto ago agost ágúst elokuu elokuuta elokuun sierpnia sierpień sie
srpen srpna augusta avgusta avg kolovoza kolovoz augusztus augusts augustā rugpjūčio rugpjūtis
ağustos ağu agustus августа август авг серпня серпень αυγούστου αύγουστος αυγ أغسطس אוגוסט अगस्त
|
september sep sept septembre septiembre setiembre settembre set sett setembro setembre syyskuu
syyskuuta syyskuun września wrzesień wrz září septembra rujna rujan szeptember szept septembrie
septembris septembrī rugsėjo rugsėjis eylül eyl сентября сентябрь сен сент вересня вересень
септември септембар септембра σεπτεμβρίου σεπτέμβριος σεπ سبتمبر ספטמבר सितंबर सितम्बर
|
october oct oktober okt octobre octubre ottobre ott outubro out lokakuu lokakuuta lokakuun
oktoober października październik paź říjen října októbra oktobra október octombrie oktobris
oktobrī spalio spalis ekim eki октября октябрь окт жовтня жовтень октомври октобар октобра
οκτωβρίου οκτώβριος οκτ أكتوبر אוקטובר अक्टूबर अक्तूबर
|
november nov novembre noviembre novembro nóvember marraskuu marraskuuta marraskuun listopad
listopada listopadu novembra studenoga studenog studeni noiembrie noi novembris novembrī lapkričio
lapkritis kasım kas nopember ноября ноябрь ноя листопада листопад ноември новембар новембра
νοεμβρίου νοέμβριος νοε نوفمبر נובמבר नवंबर नवम्बर
|
december dec dezember dez décembre déc diciembre dic dicembre dezembro desembre desember des
joulukuu joulukuuta joulukuun detsember grudnia grudzień gru prosinec prosince decembra prosinca
prosinac decembrie decembris decembrī gruodžio gruodis aralık ara декабря декабрь дек грудня
грудень декември децембар децембра δεκεμβρίου δεκέμβριος δεκ ديسمبر דצמבר दिसंबर दिसम्बर
"""

#: Words that are a month only in some languages, or another one than elsewhere.
ONLY_IN = {
    "set": ("it", "pt", "es"),
    "out": ("pt",),
    "ago": ("es", "it", "pt"),
    "mag": ("it",),
    "gen": ("it", "ca"),
    "des": ("no", "nb", "nn", "is", "id", "ca"),
    "ara": ("tr",),
    "tem": ("tr",),
    "kas": ("tr",),
    "sie": ("pl",),
    "lip": ("pl",),
    "noi": ("ro",),
}
OCTOBER_IN_CROATIAN = ("listopad", "listopada")

MONTHS = {
    word: number for number, row in enumerate(ROWS.split("|"), start=1) for word in row.split()
}


def month_number(word: str, language: str = "") -> int:
    """Number of the month that a word names in a language, if that is known; 0 for other words."""
    name = word.casefold().rstrip(".")
    if language and language not in ONLY_IN.get(name, (language,)):
        return 0
    if language in ("hr", "bs") and name in OCTOBER_IN_CROATIAN:
        return 10
    return MONTHS.get(name, 0)

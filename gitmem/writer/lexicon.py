"""Words the writer knows: what people say to be polite, to feel, to plan, to prefer; who belongs to them.

English in depth, because its small words are what tells a fact from a pleasantry; for other languages the openings of
greetings and thanks, question words, and the words for "I". A sentence in a language that is not here is judged by
what every script shows: length, digits, names, question marks.
"""

# ruff: noqa: RUF001  (the words of many scripts)

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _alternatives(text: str) -> tuple[str, ...]:
    """Regular expressions, separated by bars between blanks."""
    return tuple(" ".join(alternative.split()) for alternative in re.split(r" \|(?=\s)", text))


FUNCTION = _words(
    """a about above after again against all also although am an and another any anyone anything are around as at away
    back be because been before being below between both but by can could did do does doing done down during each either
    else ever every everyone everything few for from further get gets getting go goes going gonna gotta got had has have
    having he her here hers herself him himself his how however i if in into is it its itself just kind kinda let lets
    like lot lots many may maybe me might mine more most much must my myself neither never no none nor not now of off on
    once one ones only onto or other others our ours ourselves out over own per perhaps quite rather really same she
    should since so some someone something sometimes soon still such than that the their theirs them themselves then
    there these they thing things this those though through till to too toward towards under until up upon us very wanna
    was way we well were what whatever when where which while who whole whom whose why will with within without would
    yes yet you your yours yourself cause cuz im ive id ill youre theyre thats dont didnt doesnt cant wont isnt wasnt
    ain't aint 's 're 've 'll 'd 'm n't don doesn didn isn wasn aren weren couldn wouldn shouldn won haven hasn hadn ll
    re ve s t d m ya yep yeah nope okay ok oh hey hi wow haha lol plus btw gee"""
)
"""Words without a subject of their own."""

WARM = _words(
    """absolutely admire agree amaze amazed amazing appreciate appreciated awesome aww awww beautiful beauty best bet
    better blessed bond brave breathtaking bright brighten bring brings care caring charming cheer cheers cherish
    comforting congrats congratulations cool courage courageous crazy cute definitely delightful determined
    difference dream dreams enjoy excited excitement exciting experience experiences fab fabulous fantastic feel feeling
    feelings feels forward freeing fun funny glad goal goals good gorgeous grateful great growth happiness happy hard
    heart heartwarming help helpful helping helps hope hopefully hoping hug huge important impressive incredible
    inspire inspired inspires inspiring interesting joy journey keep kind kindness lovely luck lucky mean means
    meaningful
    memorable memories memory mind moment moments motivate motivated motivates motivating nice passion peaceful
    perfect positive possible powerful pretty proud pumped relax relaxing remind reminder reminds reward rewarding rock
    rocks share sharing smile sorry special spirit strength strong stunning super support supporting supportive sure
    sweet talk thank thankful thanks thrilled together totally tough true truly uplifting wonderful words worth
    yay"""
)
"""Praise, comfort and feeling: frequent in kind talk, and about nothing in particular."""

COMMON = _words(
    """able actually add ago almost already always amount ask asked bad big bit called came chance change check choice
    clear come comes coming cost course day days different easy end enough even example fact far feel felt find first
    found full gave give given gives giving guess guy guys half happen happened happening hear heard high hour hours
    idea job know known last later latest learn least leave left less life little live long look looked looking looks
    love loved made main make makes making man matter mention minute month months need needed needs new next night
    number old open order part past people person place plan point put question quick read ready real reason recently
    right said saw say says second see seen sense set show side simple small sound sounds start started stuff suggest
    super take takes taking talked tell think thinking thought time times today told tonight took tomorrow tried true
    try trying turn two use used using usually wait want wanted wants watch week weekend weeks went wish wonder work
    working world worry write year years yesterday young january february march april june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday"""
)
"""Words that say little by themselves; they neither name a subject nor make a sentence specific."""

NO_SUBJECTS = _words(
    """euro dollar pound cent penny pence franc krona crown yen yuan rupee peso eur usd gbp chf buck grand currency
    metre meter centimetre centimeter millimetre millimeter kilometre kilometer litre liter gram gramme kilo kilogram
    tonne ton inch foot feet yard mile acre hectare ounce gallon degree celsius fahrenheit percent percentage byte
    kilobyte megabyte gigabyte second minute hour decade century millisecond cubic square diameter
    three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
    twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen zero double triple
    third fourth fifth sixth seventh eighth ninth tenth hundredth
    line item piece thing stuff bit sort type case matter detail version step form amount total sum result value size
    length width height depth level rate area side top bottom middle end beginning center centre pair couple bunch
    bundle rest range row section element member option variant aspect factor feature area topic subject word term name
    text man woman person folk human body kind way lot part example instance figure
    include contain represent increase decrease require provide allow depend remain become hold last note suggest stay
    seem appear follow consider common typical similar respective various several total entire main major minor
    red green blue yellow black white orange purple brown grey gray pink dashed dotted solid colored coloured
    large small short long tall wide deep big early late theoretical practical actual run trend
    converge confirm"""
)
"""Units, currencies, numbers, and words for anything at all: with ``COMMON``, in any inflection, no subject."""

RELATIVES = _words(
    """mom mum mother mama dad father papa parents parent brother sister siblings sibling son daughter kid kids child
    children baby wife husband spouse partner fiance fiancé fiancée girlfriend boyfriend ex grandma grandpa grandmother
    grandfather granddad granny grandparents uncle aunt cousin cousins niece nephew family fam stepson stepdaughter
    roommate boss coworker colleague colleagues neighbor neighbour dog dogs cat cats puppy kitten pet pets turtle
    turtles horse hamster rabbit teammate teammates coach mentor twins"""
)
"""The people and animals of somebody's life."""

_DRAWN = "[\U0001f600-\U0001f64f\U0001f910-\U0001f92f\U0001f970-\U0001f97a👍👏🙏🎉]\ufe0f?"
SMILEY = rf"(?:[:;=8xX]['\u2019]?-?[)(DPp3]+|<3|\^_?\^|{_DRAWN})"
"""A face, typed or drawn, or a gesture."""

GREETINGS = _alternatives(
    r"""
    hi | hiya | hello | hey+ | howdy | yo | sup | greetings | good (?:morning|afternoon|evening|night|day) |
    morning | welcome(?: back)? | bye+ | goodbye | good bye | see (?:you|ya) | take care |
    (?:talk|speak) (?:to you )?(?:soon|later|tomorrow) | later | cheers | cya | ttyl | have a (?:good|great|nice) |
    long time no (?:see|talk|chat) |
    (?:it'?s |so )?(?:good|great|nice|lovely) to (?:see|hear|meet|chat|talk) | hallo | guten (?:tag|morgen|abend) |
    gute nacht | moin | servus | grüß | tschüss | bis (?:bald|später) | auf wiedersehen | hola |
    buen[oa]s (?:días|tardes|noches) | adiós | hasta (?:luego|mañana|pronto) | bonjour | bonsoir | salut |
    au revoir | à bientôt | ciao | buongiorno | buonasera | arrivederci | olá | oi | bom dia |
    boa (?:tarde|noite) | tchau | hej | hei | hoi | dag | doei | ahoj | cześć | привет | здравствуй(?:те)? |
    добр(?:ый|ое|ой) (?:день|утро|вечер|ночи) | пока | до свидания | merhaba | selam | günaydın | مرحبا |
    السلام عليكم | اهلا | أهلا | صباح الخير | مساء الخير | שלום | नमस्ते | สวัสดี | xin chào | chào | 你好 | 您好 |
    大家好 | 早上好 | 早安 | 晚上好 | 晚安 | 下午好 | 嗨 | 哈喽 | 再见 | 拜拜 | 回头见 | 明天见 | こんにちは |
    こんばんは | おはよう(?:ございます)? | おやすみ | さようなら | またね | はじめまして |
    よろしく(?:お願いします)? | 안녕(?:하세요|히 가세요|히 계세요)? | 잘 자 | 반가워
    """
)
"""How a greeting or a farewell opens."""

THANKS = _alternatives(
    r"""
    thanks | thank you | thank u | thx | ty | tysm | many thanks | much appreciated |
    appreciate (?:it|that|your|you) | i appreciate | you'?re welcome | no problem | no worries | np | my pleasure |
    anytime | don'?t mention it | sorry | my apologies | i apologi[sz]e | oops | danke | vielen dank | bitte |
    entschuldigung | gern geschehen | gracias | de nada | perdón | merci | de rien | désolée? | pardon | grazie |
    prego | obrigad[oa] | dank je | bedankt | tack | takk | dziękuję | спасибо | пожалуйста | извини(?:те)? |
    teşekkür | شكرا | عفوا | תודה | धन्यवाद | ขอบคุณ | cảm ơn | 谢谢(?:你们?|您|大家)?(?:的帮助)? | 多谢 |
    感谢(?:你|您|大家)? | 不客气 | 没关系 | 对不起 | 抱歉 | 不好意思 | 辛苦了 |
    ありがとう(?:ございます|ございました)? | どうも | すみません(?:でした)? | ごめん(?:なさい|ね)? |
    どういたしまして | 감사 | 고마워 | 미안
    """
)
"""How thanks and apologies open."""

AGREEMENT = _alternatives(
    r"""
    yes | yeah+ | yep | yup | yea | no | nope | nah | ok(?:ay)? | k | sure(?: thing)? | right | exactly | indeed |
    definitely | absolutely | totally | of course | true | correct | agreed |
    i (?:totally |completely |fully )?agree | got it | gotcha | i see | understood | makes sense | fair enough |
    wow+ | woah | whoa | oh+ | ah+ | aww+ | haha+ | hah | lol | lmao | omg | ugh | hmm+ | mm+ | yay |
    woo+(?:hoo)? | nice | great | cool | awesome | amazing | perfect | congrat(?:s|ulations) | well done |
    way to go | good (?:job|luck|for you|one|idea|call|point) | great (?:job|idea) | same here | me too |
    sounds (?:good|great|fun|like a plan) | looking forward to it | can'?t wait | no way | for sure | you bet |
    let me know | fingers crossed | ja | nein | genau | klar | stimmt | sí | claro | vale | oui | non | d'accord |
    bien sûr | va bene | sim | não | да | нет | хорошо | ладно | конечно | понятно | evet | hayır | نعم | لا |
    好的? | 好吧 | 嗯+ | 哦+ | 啊+ | 是的 | 对的? | 没错 | 可以 | 行 | 不行 | 明白了? | 知道了 | 收到 | 当然 |
    太好了 | 哈哈+ | はい | うん | ええ | いいえ | そうですね | なるほど | わかりました | 了解 | いいね | 네 | 응 |
    아니요? | 그래 | 좋아요? | 알겠습니다 | 맞아요? |
    (?:i know(?: right)?|noted|will do|(?:that'?s )?fine (?:with|by) me|that'?s (?:right|true|fine))(?!\s*[\w'"(])
    """
)
"""How an acknowledgement opens."""

_AUXILIARY = (
    r"(?:is|are|am|was|were|do|does|did|can|could|would|should|will|has|have|isn't|aren't|don't|didn't|can't|any|wanna)"
)
QUESTION_OPENINGS = (
    rf"(?:who|whom|whose|what|which|when|where|why|how)(?:'s| (?:{_AUXILIARY}|to|many|much|about|come|kind|type|time))",
    rf"{_AUXILIARY} (?:i|you|he|she|it|we|they|there|this|that|these|those|the|my|your|our|any\w+|ideas?|plans?)",
    *_alternatives(
        r"""
        anything (?:new|else) | got any | you ever | whats | was ist | wer | wann | warum | wie | wieso | qui | quoi |
        pourquoi | comment | qué | quién | cuándo | dónde | cómo | por qué | что | кто | когда | где | почему | зачем
        """
    ),
)
"""How a question without its mark opens."""

REQUESTS = _alternatives(
    r"""
    please | pls | plz | kindly | can you | could you | would you | will you | help me | let'?s | let me | lets |
    i need you to | i want you to | i'?d like you to | bitte | por favor | s'il (?:te|vous) plaît | 请(?!假|客) |
    帮我 | 帮忙 | 麻烦 | 给我 | show | give | tell | write | make | create | generate | run | rerun | re-run |
    draw | plot | graph | add | remove | delete | fix | explain | describe | summari[sz]e | translate | convert |
    calculate | compute | find | search | list | choose | pick | compare | check | update | change | rewrite |
    refactor | implement | build | assume | consider | imagine | suppose | repeat | continue | go on | go ahead |
    try | use | take | look | see | send | open | close | stop | start | wait | remind | keep |
    (?:don'?t|do not)(?! (?:like|love|eat|drink|have|want|know|need|think|get)) | never mind | nevermind | forget |
    ignore | enjoy (?:your|the|it) | believe | trust | push | do your | gather | make sure | hang | stay | chase |
    follow | feel free | get | come | come on | go | count me in | check out | have fun | say
    """
)
"""How a request, an order or an encouragement opens."""

NO_PAST = _words(
    """excited interested thrilled scheduled planned supposed pumped stoked married need indeed feed speed seed shed
    weed hundred booked reserved decided agreed promised offered arranged volunteered expected postponed rescheduled
    invited registered united wicked naked sacred hatred breed bleed exceed succeed proceed limited retired tired bored
    worried noted"""
)
"""Words that end like a past tense and are none, or tell of something to come: "I booked a table for Friday"."""
BEFORE_A_PARTICIPLE = _words(
    """the a an my your our his her its their this these those that some any no more each every two three four five six
    seven eight nine ten of for with in on at by from into as to am are is be being need needs want wants like likes
    prefer prefers order buy build use plant get gets fully newly well all both many few several"""
)
"""Words after which one in "-ed" describes a thing, or says what is done with it: "raised beds", "is planned"."""
BEFORE_ANY_VERB = _words("already now also not still just never only")

NOUNS_LIKE_REQUESTS = _words(
    """show run plot graph search list pick check update change use look close open stop start wait draw try stay trust
    push fix compare find keep come go get take make write see send hang follow say build remind repeat"""
)
"""Words that open a request, or a noun phrase: "change of plan", "search results"."""

HYPOTHETICAL = _alternatives("assume | suppose | imagine | consider | let'?s (?:say|assume|suppose|imagine)")
"""How somebody opens what is not so."""

ASSISTANT_TALK = _alternatives(
    r"""
    i(?:'d| would) be (?:happy|glad) | i(?:'m| am) (?:happy|glad|sorry|here) | i can(?:not|'t)? | i(?:'ll| will) |
    i hope | i(?:'ve| have) (?:updated|added|fixed|created|changed|removed|rewritten|included|provided) | let me |
    let's | feel free | here(?:'s| is| are) | hope (?:this|that) helps |
    if you (?:have|need|want|'d like|would like) | as an ai | as a language model |
    it (?:seems|appears|looks like) | ah\b | certainly | you(?:'re| are) (?:right|welcome) | great question |
    good question | is there anything | does (?:this|that) | would you | do you | note that this (?:code|graph) |
    now,? (?:let|we) | this (?:code|script)
    """
)
"""How an assistant opens what it says about itself, its answer or the talk."""

REMINDERS = _alternatives(
    r"""
    (?:please |pls |also )*(?:remember|note|keep in mind|bear in mind|don'?t forget)(?: that| this)?[:,]? |
    fyi[:,]? | for the record[:,]? | just so you know[:,]? | 请?记住 | 请?记得 | 别忘了 | 覚えて(?:おいて)? |
    기억해
    """
)
"""How somebody opens what they ask to be remembered."""

RESOLUTIONS = _alternatives(
    r"""
    let'?s (?:go with|use|stick (?:with|to)|switch to|adopt|call it|name it|meet|schedule|book|buy|order|hire) |
    let'?s (?:postpone|settle on|choose|pick)
    """
)
"""How a decision opens that is put like a request to do something together."""

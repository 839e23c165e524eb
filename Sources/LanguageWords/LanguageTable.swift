extension WordsOfLanguages {
  struct Row {
    var fillers: String
    var blockers: String

    init(_ fillers: String, not blockers: String) {
      self.fillers = fillers
      self.blockers = blockers
    }
  }

  /// By language code; phrases are parted by commas.
  static let table: [String: Row] = [
    "af": Row(
      """
      asseblief, dankie, baie dankie, um, uh, wel, hallo, haai, kan jy, kan jy asseblief,
      kom ons, ek wil, ek wil hê jy moet, sal jy, net, so, nou, oukei, ok, as jy kan, asb,
      sou jy
      """,
      not: """
        nie, moenie, nooit, geen, behalwe, maar nie, môre, later, gister, vanaand,
        volgende week, hoekom, as, wanneer
        """),
    "ar": Row(
      """
      من فضلك, لو سمحت, رجاء, رجاءً, شكرا, شكراً, شكرا لك, مرحبا, مرحبًا, أهلا, اهلا, يا,
      طيب, حسنا, حسنًا, هل يمكنك, هل يمكنك أن, ممكن, ممكن أن, أريد, أريد أن, اريد ان, اريد,
      أريدك أن, بسرعة, إذا أمكن, اذا ممكن, إذا سمحت, يعني, اه, آه, ام, امم, أمم, هيا, يلا,
      الآن, حالا, لو تكرمت, بعد إذنك, عفوا, هلا, اسمع
      """,
      not: """
        لا, لم, لن, ليس, ما, بدون, أبدا, ابدا, إلا, الا, ما عدا, عدا, باستثناء, سوى, غير, غدا,
        غدًا, لاحقا, لاحقًا, بعد, أمس, امس, البارحة, عندما, حين, حينما, الأسبوع القادم, الليلة,
        لماذا, هل قلت, قال, قالت, قلت, لا تقم, إياك, اياك, متى
        """),
    "be": Row(
      """
      калі ласка, дзякуй, ну, гэй, прывітанне, можаш, ці можаш, ты можаш, хачу, давай, эм, э,
      вось, добра, ок, слухай, будзь ласкавы, хутчэй
      """,
      not: """
        не, ніколі, нельга, акрамя, апрача, заўтра, пазней, учора, калі, чаму, сёння ўвечары
        """),
    "bg": Row(
      """
      моля, моля те, благодаря, мерси, хей, здравей, ами, добре, ок, можеш ли, можеш ли да,
      би ли, искам, искам да, хайде, ъм, ъъ, ако може, ако обичаш, де, слушай, просто, сега,
      бързо
      """,
      not: """
        не, недей, никога, без, освен, с изключение на, утре, по-късно, вчера, когато,
        довечера, следващата седмица, защо, казах
        """),
    "bn": Row(
      """
      দয়া করে, অনুগ্রহ করে, ধন্যবাদ, আচ্ছা, শোনো, হ্যালো, একটু, তুমি কি, আমি চাই, এখন, উম,
      প্লিজ
      """,
      not: """
        না, নয়, নেই, কখনো না, ছাড়া, বাদে, আগামীকাল, পরে, গতকাল, যখন, কেন
        """),
    "bs": Row(
      """
      molim, molim te, hvala, hej, zdravo, pa, dobro, ok, možeš li, hoću, želim, hajde, ajde,
      hm, ako možeš, samo, sad, sada, brzo
      """,
      not: """
        ne, nemoj, nikad, nikada, osim, sutra, kasnije, jučer, juče, kad, kada, večeras, zašto
        """),
    "ca": Row(
      """
      si us plau, sisplau, gràcies, moltes gràcies, hola, ei, doncs, bé, vinga, d'acord, ok,
      pots, podries, em pots, vull, voldria, eh, ehm, mira, escolta, si pots, si et plau,
      ara, ara mateix, ràpid, una mica
      """,
      not: """
        no, mai, tampoc, excepte, tret de, menys, llevat de, demà, més tard, després, ahir,
        quan, aquesta nit, la setmana que ve, per què
        """),
    "cs": Row(
      """
      prosím, prosím tě, prosím vás, děkuji, děkuju, díky, ahoj, hej, no, tak, dobře, ok,
      můžeš, mohl bys, mohla bys, chci, chtěl bych, ehm, hm, jestli můžeš, pokud můžeš,
      buď tak hodný, teď, hned, rychle, hele, jo
      """,
      not: """
        ne, nikdy, kromě, až na, mimo, zítra, později, včera, když, až, dnes večer,
        příští týden, proč, řekl
        """),
    "cy": Row(
      """
      os gwelwch yn dda, plîs, diolch, helo, hei, wel, iawn, allet ti, alli di,
      rydw i eisiau, dw i eisiau, ym, nawr, os gallwch
      """,
      not: """
        peidiwch, peidiwch â, paid, paid â, ddim, nid, byth, heblaw, ac eithrio, yfory, wedyn,
        ddoe, pan, pam, yn nes ymlaen
        """),
    "da": Row(
      """
      tak, mange tak, vær så venlig, venligst, hej, altså, øh, øhm, okay, ok, kan du,
      kan du lige, kunne du, vil du, gider du, jeg vil gerne have, jeg vil gerne, lige, så,
      nu, hvis du kan, er du sød, vær sød at, du
      """,
      not: """
        ikke, aldrig, ingen, undtagen, bortset fra, på nær, i morgen, senere, i går, når,
        i aften, næste uge, hvorfor, sagde
        """),
    "de": Row(
      """
      bitte, bitte schön, sie, zurzeit, im moment, gerade, können sie, könnten sie,
      können sie bitte, könnten sie bitte, würden sie, würden sie bitte, lassen sie uns,
      lass uns, ich muss, wir müssen, wir brauchen, danke, danke schön, vielen dank, äh, ähm,
      hm, also, na, nun, hey, hallo, hi, ok, okay, so, mal, bitte mal, doch, eben, einfach,
      schnell, kurz, vielleicht, bitte kurz, kannst du, könntest du, kannst du bitte,
      könntest du bitte, könntest du vielleicht, würdest du, würdest du bitte, ich möchte,
      ich möchte dass du, ich will, ich will dass du, ich hätte gern, ich hätte gerne,
      ich brauche, sei so gut, sei so gut und, sei so nett, sei so nett und, wenn es geht,
      wenn du kannst, wenn möglich, falls möglich, mach mal, sag mal, du, hör mal, gern,
      gerne, jetzt, los, komm
      """,
      not: """
        nicht, kein, keine, keinen, keinem, nie, niemals, nirgends, außer, ausser, bis auf,
        ohne, aber nicht, nur nicht, auf keinen fall, morgen, später, nachher, gestern,
        übermorgen, wenn ich, sobald, heute abend, heute nacht, nächste woche, nächsten, warum,
        wieso, weshalb, sagte, gesagt, hast du, hättest du, soll ich, sollte ich, erzählt,
        lass das, um mitternacht
        """),
    "el": Row(
      """
      παρακαλώ, σε παρακαλώ, ευχαριστώ, γεια, γεια σου, λοιπόν, εεε, ε, ωραία, οκ, εντάξει,
      μπορείς, μπορείς να, θα μπορούσες να, θέλω, θέλω να, αν μπορείς, έλα, τώρα, γρήγορα,
      άκου, λίγο
      """,
      not: """
        μη, μην, δεν, δε, όχι, ποτέ, εκτός, εκτός από, πλην, αύριο, αργότερα, χθες, χτες, όταν,
        απόψε, την επόμενη εβδομάδα, γιατί
        """),
    "en": Row(
      """
      please, i must, currently, at the moment, at this moment, i need to know,
      i want to know, i would like to know, i'd like to know, we need to, we want to,
      you can, you could, go and, thanks, thank you, thank you very much,
      thanks a lot, thx, cheers, um, uh, er, erm, hmm, hm, well, so, ok, okay, right,
      now then, hey, hi, hello, oh, ah, alright, all right, yo, look, listen, you know,
      actually, basically, just, kindly, maybe, perhaps, quickly, real quick, go ahead and,
      can you, could you, would you, will you, can you please, could you please,
      would you please, would you mind, can we, could we, could you maybe, can i get, may i,
      i want, i want to, i want you to, i need, i need to, i need you to, i would like,
      i would like to, i would like you to, i'd like, i'd like to, i'd like you to, let us,
      let's, lets, for me, for us, if you can, if you could, if possible, if you please,
      if you don't mind, be so kind, be so kind and, be so kind as to, will ya, tell me,
      let me know, please tell me, can you tell me, could you tell me, do me a favor,
      do me a favour, do me a favor and, right now, right away, now, at once, there, then,
      mate, buddy, dear, would you be so kind, i guess, i think, sort of,
      kind of
      """,
      not: """
        not, don't, dont, do not, never, no, nobody, none, without, except, except for,
        but not, apart from, other than, besides, excluding, all but, anything but,
        everything but, unless, tomorrow, later, later on, yesterday, tonight, next week,
        next month, next year, next, this weekend, weekend, in the morning, in the evening,
        when i, when we, when she, when he, once i, as soon as, after, before, until, till,
        why did, why do, why, did you, did i, did we, have you, have i, should i, should we,
        would it, i told, told, said, say, says, asked, yesterday evening,
        stop saying, what if, whether, how do i, how to, ago, from now, o'clock, am, pm, a.m,
        p.m, stop, cancel that, forget, monday, tuesday, wednesday, thursday, friday, saturday,
        sunday, but, minus, tmrw, soon, nope, won't, donot, hide, remove, delete, cancel
        """),
    "es": Row(
      """
      por favor, porfa, porfavor, gracias, muchas gracias, eh, este, pues, bueno, hola, oye,
      oiga, vale, venga, ok, a ver, mira, em, emm, puedes, puede, podrías, podría, me puedes,
      quiero, quiero que, quisiera, me gustaría, si puedes, si es posible, si no te importa,
      ahora, ahora mismo, ya, anda, rápido, un momento, sé tan amable de, te importaría
      """,
      not: """
        no, nunca, jamás, tampoco, excepto, menos, salvo, sin, a excepción de, mañana,
        más tarde, luego, después, ayer, cuando, esta noche, la semana que viene,
        la próxima semana, por qué, porqué, dije, dijo, has, debería
        """),
    "et": Row(
      """
      palun, aitäh, tänan, tere, hei, noh, nii, olgu, ok, kas sa saaksid, kas saaksid,
      kas sa saad, ma tahan, tahaksin, ee, ööm, kui saad, kiiresti, kohe, nüüd, ole hea,
      kuule
      """,
      not: """
        ära, ärge, ei, mitte, mitte kunagi, välja arvatud, peale, homme, hiljem, eile, kui ma,
        täna õhtul, järgmisel nädalal, miks
        """),
    "eu": Row(
      """
      mesedez, mesedez eta eskerrik asko, eskerrik asko, eskerrik, eskerrak, kaixo, aizu,
      aizak, aizan, tira, benga, beno, ba, eh, ea, ados, ok, ahal baduzu, ahal bada,
      ahal duzu, nahi dut, nahi nuke, nire, oraintxe, orain, azkar, faborez, arren, entzun,
      bueno, pixka bat, hara, e, em, ze
      """,
      not: """
        ez, ezazu ez, inoiz ez, sekula, izan ezik, ezik, salbu, kenduta, bihar, gero, geroago,
        atzo, denean, gaur gauean, hurrengo astean, datorren astean, zergatik, esan nuen,
        etxera iristen naizenean, naizenean
        """),
    "fa": Row(
      """
      لطفا, لطفاً, ممنون, مرسی, متشکرم, سلام, خب, خوب, باشه, می‌تونی, میتونی, می‌توانی,
      می‌خواهم, میخوام, اگه میشه, اگر ممکن است, الان, زود, آه, ام, یه لحظه, بی زحمت, ببین
      """,
      not: """
        نه, نکن, هرگز, هیچ وقت, به جز, بجز, غیر از, مگر, فردا, بعدا, بعداً, دیروز, وقتی, امشب,
        هفته بعد, چرا
        """),
    "fi": Row(
      """
      kiitos, kiitti, ole hyvä, ole kiltti, ole kiltti ja, hei, moi, no, niin, öö, ööh, tota,
      tuota, okei, ok, selvä, voitko, voisitko, voisitko sinä, haluan, haluaisin,
      haluaisin että, jos voit, jos mahdollista, nyt, heti, nopeasti, sitten, vain, kuule
      """,
      not: """
        älä, älkää, ei, en, et, ei koskaan, paitsi, lukuun ottamatta, ilman, huomenna,
        myöhemmin, eilen, kun, illalla, tänä iltana, ensi viikolla, miksi
        """),
    "fr": Row(
      """
      actuellement, en ce moment, pouvez vous, il faudrait, je dois, je dois aller,
      nous devons, on doit, j'ai besoin, j'ai besoin d', j'ai besoin de, faites, vous, tu,
      s'il te plaît, s'il vous plaît, stp, svp, merci, merci beaucoup, merci bien, euh, heu,
      hum, ben, bon, bah, alors, allez, dis, dis moi, dis donc, hé, hey, bonjour, salut, ok,
      okay, d'accord, voilà, donc, écoute, tiens, vite, maintenant, tout de suite,
      rapidement, un peu, juste, simplement, peux tu, pourrais tu, tu peux, tu pourrais,
      vous pouvez, pourriez vous, est ce que tu peux, est ce que tu pourrais, je veux,
      je veux que tu, je voudrais, je voudrais que tu, j'aimerais, j'aimerais que tu,
      si possible, si tu peux, si c'est possible, si tu veux, si vous voulez, veuillez,
      merci de, sois gentil, il faut, allez y
      """,
      not: """
        ne, pas, n', jamais, plus jamais, aucun, aucune, surtout pas, sauf, hormis, excepté,
        à part, sans, mais pas, demain, plus tard, hier, quand, lorsque, ce soir, cette nuit,
        la semaine prochaine, semaine prochaine, après, avant, pourquoi, as dit, ai dit, a dit,
        tu as, est ce que j'ai, dois je, dimanche, samedi
        """),
    "gl": Row(
      """
      por favor, grazas, moitas grazas, ola, oe, pois, ben, vale, ok, podes, poderías, quero,
      gustaríame, eh, a ver, se podes, agora, xa, veña
      """,
      not: """
        non, nunca, xamais, agás, excepto, menos, mañá, máis tarde, logo, onte, cando,
        esta noite, por que
        """),
    "gu": Row(
      """
      કૃપા કરીને, મહેરબાની કરીને, આભાર, ધન્યવાદ, હેલો, અરે, સારું, શું તમે, મારે, હવે, પ્લીઝ,
      જરા
      """,
      not: """
        ના, નહીં, નહિ, ન, ક્યારેય, સિવાય, આવતીકાલે, કાલે, પછી, ગઈકાલે, જ્યારે, કેમ
        """),
    "he": Row(
      """
      בבקשה, תודה, תודה רבה, היי, שלום, אז, טוב, נו, אוקיי, אה, אממ, אתה יכול, את יכולה,
      תוכל, תוכלי, אני רוצה, אני רוצה ש, אם אפשר, עכשיו, מיד, מהר, רגע, תקשיב, אולי, יאללה
      """,
      not: """
        לא, אל, בלי, אף פעם, לעולם, חוץ, חוץ מ, למעט, מלבד, מחר, אחר כך, מאוחר יותר, אתמול, כש,
        כאשר, הלילה, הערב, שבוע הבא, למה, אמר, אמרת
        """),
    "hi": Row(
      """
      कृपया, कृपा करके, प्लीज, प्लीज़, धन्यवाद, शुक्रिया, अरे, सुनो, सुनिए, हेलो, नमस्ते,
      अच्छा, ठीक है, जरा, ज़रा, ना, तो, देखो, क्या तुम, क्या आप, क्या तुम सकते हो,
      मैं चाहता हूँ, मुझे, अभी, जल्दी, जल्दी से, यार, भाई, उम, हम्म, अगर हो सके, हो सके तो,
      मेहरबानी करके, मेहरबानी, ज़रा सा, बस
      """,
      not: """
        मत, नहीं, न, कभी नहीं, बिना, छोड़कर, को छोड़कर, के अलावा, अलावा, सिवाय, कल, बाद में,
        परसों, जब, तब, आज रात, अगले हफ्ते, अगले सप्ताह, क्यों, कहा, बोला, आज शाम, कल सुबह
        """),
    "hr": Row(
      """
      molim, molim te, hvala, hvala lijepa, hej, bok, pa, dobro, ok, možeš li, bi li, hoću,
      želim, htio bih, hajde, ajde, hm, ovaj, ako možeš, samo, sad, sada, brzo, slušaj
      """,
      not: """
        ne, nemoj, nikad, nikada, osim, bez, sutra, kasnije, jučer, kad, kada, večeras,
        idući tjedan, sljedeći tjedan, zašto
        """),
    "hu": Row(
      """
      kérlek, légy szíves, légyszi, köszönöm, köszi, szia, helló, hé, nos, na, hát, jó, oké,
      ok, öö, tudnál, tudnád, meg tudnád, szeretném, szeretném ha, akarom, ha lehet, most,
      azonnal, gyorsan, légy oly kedves, figyelj
      """,
      not: """
        ne, nem, soha, sose, kivéve, nélkül, holnap, később, tegnap, amikor, ha majd, este,
        ma este, jövő héten, miért, mondtam
        """),
    "hy": Row(
      """
      խնդրում եմ, շնորհակալություն, բարև, դե, լավ, կարող ես, ուզում եմ, հիմա, եթե կարելի է
      """,
      not: """
        մի, ոչ, չ, երբեք, բացի, վաղը, հետո, երեկ, երբ, ինչու
        """),
    "id": Row(
      """
      tolong, mohon, silakan, terima kasih, makasih, halo, hai, hei, nah, oke, ok, baiklah,
      bisakah, bisa, bisakah kamu, bisa kamu, aku mau, saya mau, saya ingin, um, eh,
      kalau bisa, jika bisa, sekarang, segera, cepat, ya, dong, coba
      """,
      not: """
        jangan, tidak, bukan, tak, tidak pernah, kecuali, selain, tanpa, besok, nanti, kemarin,
        ketika, saat, malam ini, minggu depan, kenapa, mengapa, bilang
        """),
    "is": Row(
      """
      takk, vinsamlegast, takk fyrir, halló, hæ, jæja, sko, ok, allt í lagi, geturðu,
      gætirðu, getur þú, ég vil, mig langar, um, ef þú getur, núna, strax, endilega, viltu
      """,
      not: """
        ekki, aldrei, enginn, nema, fyrir utan, á morgun, seinna, í gær, þegar, í kvöld,
        í næstu viku, af hverju
        """),
    "it": Row(
      """
      per favore, perfavore, per piacere, per cortesia, grazie, grazie mille, ehm, eh,
      allora, dunque, beh, ciao, ehi, ok, va bene, dai, senti, ascolta, puoi, potresti,
      mi puoi, può, voglio, voglio che, vorrei, vorrei che, mi piacerebbe, se puoi,
      se possibile, se non ti dispiace, adesso, ora, subito, velocemente, un attimo, un po'
      """,
      not: """
        non, mai, nessun, nessuno, tranne, eccetto, salvo, a parte, senza, domani, più tardi,
        dopo, ieri, quando, stasera, stanotte, la prossima settimana, settimana prossima,
        perché, detto, ha detto
        """),
    "ja": Row(
      """
      すみません, すみませんが, あの, あのー, えっと, えーと, えー, ええと, ねえ, ねえねえ, おい, ちょっと, お願い, お願いします, おねがいします,
      おねがい, お願いね, ください, 下さい, くれる, くれますか, くれませんか, もらえますか, もらえる, 頼む, 頼みます, よろしく, よろしくお願いします,
      ありがとう, ありがとうございます, どうか, 今すぐ, じゃあ, では, さあ, まあ, ほら, できれば, 可能なら, できたら, はい, うん, ね, よ, な,
      悪いけど
      """,
      not: """
        ないで, くない, しくない, ほしくない, ない, しないで, ません, なかった, 以外, 除いて, を除き, を除く, 除く, 明日, あした, 後で, あとで,
        昨日, きのう, 来週, 今夜, 帰ったら, たら, なぜ, どうして, と言った, と言われた, と言って, って言った, って言われた, 言った, 言われた, 時に,
        とき, やめて, 絶対に, 決して
        """),
    "ka": Row(
      """
      გთხოვ, გთხოვთ, მადლობა, გამარჯობა, აბა, კარგი, შეგიძლია, მინდა, ახლა, თუ შეიძლება
      """,
      not: """
        არ, ნუ, არა, არასდროს, გარდა, ხვალ, მოგვიანებით, გუშინ, როცა, რატომ
        """),
    "kn": Row(
      """
      ದಯವಿಟ್ಟು, ಧನ್ಯವಾದ, ಹಲೋ, ಸರಿ, ಈಗ, ಸ್ವಲ್ಪ, ನನಗೆ, ಪ್ಲೀಸ್
      """,
      not: """
        ಬೇಡ, ಇಲ್ಲ, ಹೊರತುಪಡಿಸಿ, ನಾಳೆ, ನಂತರ, ನಿನ್ನೆ, ಯಾವಾಗ, ಏಕೆ
        """),
    "ko": Row(
      """
      제발, 부탁해, 부탁해요, 부탁합니다, 고마워, 고마워요, 감사합니다, 저기, 저기요, 음, 어, 그, 자, 좀, 안녕, 혹시, 지금, 빨리, 그냥,
      있잖아, 야, 가능하면, 될까, 해줄래, 해 줄래, 해줄 수 있어, 줄래
      """,
      not: """
        하지 마, 하지마, 마, 말고, 말아, 안, 않, 아니, 제외하고, 제외, 빼고, 외에, 내일, 나중에, 어제, 때, 오늘 밤, 다음 주, 왜, 라고,
        말했
        """),
    "lb": Row(
      """
      w.e.g., wann ech gelift, merci, villmools merci, moien, hallo, also, ok, kanns du,
      kéinst du, ech wëll, äh, elo, mol, gär
      """,
      not: """
        net, keen, keng, ni, ausser, muer, méi spéit, gëschter, wann, haut den owend, firwat
        """),
    "lt": Row(
      """
      prašau, prašyčiau, ačiū, labas, sveikas, na, gerai, ok, ar gali, ar galėtum, galėtum,
      noriu, norėčiau, em, jei gali, jei galima, dabar, greitai, tiesiog, klausyk
      """,
      not: """
        ne, niekada, išskyrus, be, rytoj, vėliau, vakar, kai, šįvakar, kitą savaitę, kodėl
        """),
    "lv": Row(
      """
      lūdzu, paldies, čau, sveiks, nu, labi, ok, vai vari, vai varētu, vai tu vari,
      vai tu varētu, gribu, es gribu, vēlos, ēm, ja vari, ja iespējams, tagad, ātri, klau
      """,
      not: """
        ne, nekad, izņemot, bez, rīt, vēlāk, vakar, kad, šovakar, nākamnedēļ, kāpēc
        """),
    "ml": Row(
      """
      ദയവായി, ദയവുചെയ്ത്, നന്ദി, ഹലോ, ശരി, ഇപ്പോൾ, എനിക്ക്, പ്ലീസ്, ഒന്ന്
      """,
      not: """
        അരുത്, വേണ്ട, ഇല്ല, ഒഴികെ, നാളെ, പിന്നീട്, ഇന്നലെ, എപ്പോൾ, എന്തുകൊണ്ട്
        """),
    "mn": Row(
      """
      гуйя, уу, үү, баярлалаа, сайн уу, за, тэгээд, чи чадах уу, би хүсэж байна, одоо,
      хурдан
      """,
      not: """
        битгий, үгүй, биш, хэзээ ч, бусад, маргааш, дараа, өчигдөр, үед, яагаад
        """),
    "mr": Row(
      """
      कृपया, प्लीज, धन्यवाद, अरे, बरं, ठीक आहे, जरा, तू, मला, आता, लवकर
      """,
      not: """
        नको, नाही, नका, कधीही, सोडून, शिवाय, उद्या, नंतर, काल, जेव्हा, का
        """),
    "ms": Row(
      """
      tolong, sila, terima kasih, hai, helo, baik, ok, boleh, bolehkah, saya mahu, um,
      kalau boleh, sekarang, cepat, ya
      """,
      not: """
        jangan, tidak, bukan, kecuali, selain, esok, nanti, semalam, apabila, bila, malam ini,
        minggu depan, kenapa
        """),
    "nb": Row(
      """
      takk, tusen takk, vær så snill, vær så snill å, vennligst, hei, altså, øh, eh, ehm,
      vel, okei, ok, kan du, kunne du, vil du, jeg vil, jeg vil at du skal, jeg vil gjerne,
      gjerne, bare, så, nå, hvis du kan, litt, du, fort
      """,
      not: """
        ikke, aldri, ingen, unntatt, bortsett fra, utenom, i morgen, senere, i går, når,
        i kveld, neste uke, hvorfor, sa
        """),
    "ne": Row(
      """
      कृपया, धन्यवाद, नमस्ते, हजुर, ल, अब, सक्छौ, म चाहन्छु, प्लिज, अहिले
      """,
      not: """
        नगर, नगर्नुहोस्, न, होइन, छैन, बाहेक, भोलि, पछि, हिजो, जब, किन
        """),
    "nl": Row(
      """
      alsjeblieft, alstublieft, aub, graag, dank je, dankjewel, bedankt, eh, ehm, uh, uhm,
      nou, hé, hoi, hallo, ok, oké, zeg, even, eens, maar, kun je, kan je, kunt u, zou je,
      zou je willen, wil je, ik wil, ik wil dat je, ik wil graag, ik zou graag, als je kan,
      als het kan, indien mogelijk, nu, snel, gewoon, dan, hoor
      """,
      not: """
        niet, geen, nooit, behalve, uitgezonderd, zonder, maar niet, morgen, later, straks,
        gisteren, wanneer, als ik, vanavond, vannacht, volgende week, waarom, zei, gezegd
        """),
    "pl": Row(
      """
      proszę, proszę cię, poproszę, dziękuję, dzięki, hej, cześć, no, więc, dobra, dobrze,
      ok, okej, eee, yyy, czy możesz, czy mógłbyś, czy mogłabyś, możesz, mógłbyś, chcę,
      chcę żebyś, chciałbym, chciałabym, jeśli możesz, jak możesz, jeśli to możliwe, teraz,
      szybko, słuchaj, bądź tak miły, tylko, może
      """,
      not: """
        nie, nigdy, oprócz, z wyjątkiem, poza, bez, jutro, później, potem, wczoraj, kiedy, gdy,
        jak wrócę, dziś wieczorem, w przyszłym tygodniu, dlaczego, czemu, powiedział
        """),
    "pt": Row(
      """
      por favor, se faz favor, faz favor, obrigado, obrigada, muito obrigado, ei, oi, olá,
      bem, bom, então, ok, está bem, tá, hum, ah, pode, podes, podias, poderia, você pode,
      você poderia, quero, quero que, eu quero, queria, gostaria, gostaria que, se puder,
      se puderes, se possível, agora, já, rápido, só, aí, dá para, escuta
      """,
      not: """
        não, nunca, jamais, nem, exceto, excepto, menos, salvo, sem, tirando, amanhã,
        mais tarde, depois, ontem, quando, hoje à noite, esta noite, semana que vem,
        na próxima semana, próxima semana, por que, porquê, porque, disse
        """),
    "ro": Row(
      """
      te rog, vă rog, mulțumesc, mersi, bună, hei, salut, păi, ei, bine, ok, ăă, poți,
      ai putea, poți să, ai putea să, vreau, vreau să, aș vrea, aș vrea să, dacă poți,
      dacă se poate, acum, repede, doar, hai, ia
      """,
      not: """
        nu, niciodată, cu excepția, în afară de, mai puțin, fără, mâine, mai târziu, ieri,
        când, diseară, săptămâna viitoare, de ce, a spus
        """),
    "ru": Row(
      """
      пожалуйста, спасибо, спасибо большое, будь добр, будь добра, будьте добры,
      будь любезен, если можно, если не сложно, если не трудно, эй, привет, здравствуй, алло,
      ну, так, вот, э, эм, ээ, слушай, послушай, давай, давай ка, ка, можешь, ты можешь,
      не мог бы ты, не могла бы ты, мог бы ты, могла бы, можно, я хочу, хочу,
      я хочу чтобы ты, мне нужно, хотелось бы, я бы хотел, быстро, быстренько, сейчас,
      прямо сейчас, скорее, просто, хорошо, ладно, окей, ок, значит, короче, плиз, прошу,
      прошу тебя, а, же, как бы, типа, может
      """,
      not: """
        не, ни, нет, нельзя, никогда, ни в коем случае, без, кроме, за исключением, только не,
        но не, завтра, позже, потом, вчера, послезавтра, когда, когда я, после, вечером,
        сегодня вечером, ночью, утром, на следующей неделе, через неделю, почему, зачем,
        сказал, сказала, говорил, как только
        """),
    "sk": Row(
      """
      prosím, prosím ťa, ďakujem, vďaka, ahoj, hej, no, tak, dobre, ok, môžeš, mohol by si,
      mohla by si, chcem, chcel by som, ehm, ak môžeš, ak sa dá, teraz, hneď, rýchlo
      """,
      not: """
        ne, nie, nikdy, okrem, až na, zajtra, neskôr, včera, keď, až, dnes večer,
        budúci týždeň, prečo
        """),
    "sl": Row(
      """
      prosim, prosim te, hvala, hvala lepa, hej, zdravo, no, torej, dobro, ok, lahko,
      ali lahko, bi lahko, hočem, rad bi, želim, hm, če lahko, če je mogoče, zdaj, takoj,
      hitro, samo
      """,
      not: """
        ne, nikoli, nikar, razen, brez, jutri, kasneje, pozneje, včeraj, ko, nocoj,
        naslednji teden, zakaj
        """),
    "sq": Row(
      """
      të lutem, ju lutem, faleminderit, përshëndetje, hej, epo, mirë, ok, a mund, mund të,
      dua, do të doja, tani, shpejt, nëse mundesh
      """,
      not: """
        mos, nuk, s, kurrë, përveç, nesër, më vonë, dje, kur, sonte, pse
        """),
    "sr": Row(
      """
      молим, молим те, хвала, хеј, здраво, па, добро, ок, можеш ли, хоћу, желим, хајде, ајде,
      хм, ако можеш, само, сад, сада, брзо, molim, molim te, hvala, hej, zdravo, pa, dobro,
      možeš li, hoću, želim, hajde, ajde, ako možeš, samo, sad, sada, brzo
      """,
      not: """
        не, немој, никад, никада, осим, сутра, касније, јуче, кад, када, вечерас, зашто, ne,
        nemoj, nikad, nikada, osim, sutra, kasnije, juče, kad, kada, večeras, zašto
        """),
    "sv": Row(
      """
      tack, tack så mycket, snälla, var snäll, var snäll och, var vänlig, hej, alltså, eh,
      öh, öhm, hm, nå, jo, okej, ok, kan du, kan du snälla, skulle du kunna, kunde du,
      vill du, jag vill, jag vill att du, jag skulle vilja, gärna, bara, lite, så, nu,
      om du kan, om det går, snabbt, du, lyssna
      """,
      not: """
        inte, ej, aldrig, ingen, utom, förutom, utan, imorgon, i morgon, senare, igår, i går,
        när, ikväll, i kväll, nästa vecka, varför, sa
        """),
    "sw": Row(
      """
      tafadhali, asante, asante sana, habari, haya, sawa, unaweza, naomba, nataka, sasa,
      haraka, ikiwezekana
      """,
      not: """
        usi, si, hapana, kamwe, isipokuwa, kesho, baadaye, jana, wakati, kwa nini
        """),
    "ta": Row(
      """
      தயவுசெய்து, தயவு செய்து, நன்றி, வணக்கம், சரி, இப்போது, கொஞ்சம், எனக்கு, பிளீஸ்,
      முடியுமா
      """,
      not: """
        வேண்டாம், இல்லை, கூடாது, தவிர, நாளை, பிறகு, நேற்று, எப்போது, ஏன்
        """),
    "te": Row(
      """
      దయచేసి, ధన్యవాదాలు, హలో, సరే, ఇప్పుడు, కొంచెం, నాకు, ప్లీజ్, మీరు
      """,
      not: """
        వద్దు, లేదు, కాదు, తప్ప, మినహా, రేపు, తర్వాత, నిన్న, ఎప్పుడు, ఎందుకు
        """),
    "th": Row(
      """
      กรุณา, โปรด, ช่วย, ช่วยฉัน, ขอ, ขอบคุณ, ขอบคุณครับ, ขอบคุณค่ะ, ขอบใจ, ครับ, ค่ะ, คะ,
      นะ, นะครับ, นะคะ, หน่อย, หน่อยนะ, ให้หน่อย, ด้วย, ด้วยนะ, ที, สวัสดี, เอ่อ, อืม, คือ,
      คือว่า, แบบว่า, รบกวน, รบกวนหน่อย, เฮ้, เอาล่ะ, ได้ไหม, ได้มั้ย, ได้โปรด, อยากให้,
      ฉันอยาก, เดี๋ยวนี้, ตอนนี้, เร็ว, เร็วๆ, สิ, จ้า, จ้ะ, นี่, ถ้าเป็นไปได้, เลย
      """,
      not: """
        อย่า, ไม่, ห้าม, ไม่ต้อง, ยกเว้น, นอกจาก, เว้นแต่, พรุ่งนี้, ทีหลัง, ภายหลัง, เมื่อวาน,
        เมื่อ, ตอนที่, คืนนี้, สัปดาห์หน้า, อาทิตย์หน้า, ทำไม, บอกว่า, พูดว่า, กลับบ้าน
        """),
    "tr": Row(
      """
      lütfen, teşekkürler, teşekkür ederim, sağ ol, sağol, selam, merhaba, hey, şey, yani,
      hadi, haydi, tamam, peki, ok, ee, eee, ııı, mısın, misin, bana, istiyorum, isterim,
      rica etsem, zahmet olmazsa, mümkünse, eğer mümkünse, şimdi, hemen, hızlıca, bir, bi,
      ya, işte
      """,
      not: """
        değil, yok, asla, sakın, hariç, dışında, haricinde, yarın, sonra, daha sonra, dün,
        iken, zaman, bu gece, bu akşam, gelecek hafta, haftaya, neden, niye, dedi, dedim
        """),
    "uk": Row(
      """
      будь ласка, прошу, дякую, привіт, гей, ну, так, ось, добре, гаразд, ок, е, ем, слухай,
      давай, можеш, ти можеш, чи можеш, чи міг би ти, міг би ти, хочу, я хочу, хотів би,
      якщо можна, якщо можеш, зараз, швидко, просто, отже
      """,
      not: """
        не, ні, ніколи, не можна, крім, окрім, за винятком, без, завтра, пізніше, потім, вчора,
        учора, коли, сьогодні ввечері, наступного тижня, чому, сказав
        """),
    "ur": Row(
      """
      براہ کرم, مہربانی, شکریہ, سنو, ہیلو, اچھا, ذرا, کیا تم, میں چاہتا ہوں, ابھی, جلدی,
      پلیز
      """,
      not: """
        مت, نہیں, نہ, کبھی نہیں, علاوہ, سوائے, کل, بعد میں, جب, کیوں
        """),
    "vi": Row(
      """
      làm ơn, xin, xin hãy, vui lòng, hãy, cảm ơn, cám ơn, xin chào, chào, này, ừm, à, ờ,
      thôi, được rồi, ok, bạn có thể, có thể, tôi muốn, mình muốn, giúp tôi, giúp, giùm,
      giùm tôi, nếu được, nhé, nha, đi, ngay, bây giờ, nhanh lên, với
      """,
      not: """
        đừng, không, chưa, chớ, không bao giờ, trừ, ngoại trừ, ngoài, ngày mai, mai, lát nữa,
        sau, hôm qua, khi, tối nay, đêm nay, tuần sau, tuần tới, tại sao, sao, nói
        """),
    "zh": Row(
      """
      请, 请你, 请帮我, 麻烦, 麻烦你, 麻烦了, 麻烦你了, 谢谢, 谢谢你, 谢谢啦, 多谢, 你好, 您好, 嗨, 喂, 嘿, 那个, 这个, 呃, 嗯, 额, 啊,
      吧, 呢, 哦, 噢, 呀, 啦, 哈, 好吗, 可以吗, 行吗, 好不好, 可不可以, 能不能, 能, 可以, 可否, 是否可以, 帮我, 帮忙, 帮个忙, 给我, 替我,
      我想, 我想要, 我要, 我希望, 我需要, 想要, 一下, 现在, 马上, 立刻, 赶紧, 快, 快点, 拜托, 拜托了, 劳驾, 如果可以, 如果可以的话, 可以的话,
      方便的话, 就, 那, 好的, 行, 来, 你能, 你能不能, 你可以, 听着
      """,
      not: """
        不, 不要, 别, 不用, 不准, 不许, 勿, 没, 从不, 千万别, 除了, 除, 以外, 之外, 除外, 明天, 后天, 等会儿, 等会, 待会儿, 待会, 以后,
        之后, 晚点, 稍后, 昨天, 的时候, 时候, 回家, 今晚, 晚上, 下周, 下个月, 为什么, 刚才说, 说, 告诉, 是不是应该, 取消,
        关闭, 甭
        """),
    "zh-HK": Row(
      """
      唔該, 唔該你, 請, 麻煩, 麻煩你, 多謝, 多謝晒, 你好, 喂, 嗱, 呃, 嗯, 啊, 啦, 呀, 吖, 可唔可以, 可以, 幫我, 幫手, 同我, 我想, 我要,
      一下, 而家, 即刻, 快啲, 好嗎, 如果可以
      """,
      not: """
        唔好, 唔使, 唔, 冇, 咪, 千祈唔好, 除咗, 除了, 以外, 之外, 聽日, 明天, 遲啲, 陣間, 之後, 尋日, 琴日, 嗰陣, 時候, 今晚, 下星期,
        下個禮拜, 點解, 話
        """),
    "zh-TW": Row(
      """
      請, 請你, 請幫我, 麻煩, 麻煩你, 麻煩了, 謝謝, 謝謝你, 多謝, 你好, 您好, 嗨, 喂, 嘿, 那個, 這個, 呃, 嗯, 額, 啊, 吧, 呢, 哦, 喔,
      呀, 啦, 好嗎, 可以嗎, 行嗎, 好不好, 可不可以, 能不能, 可以, 可否, 幫我, 幫忙, 給我, 替我, 我想, 我想要, 我要, 我希望, 我需要, 一下,
      現在, 馬上, 立刻, 趕快, 快, 快點, 拜託, 如果可以, 如果可以的話, 可以的話, 就, 那, 好的, 來, 你能
      """,
      not: """
        不, 不要, 別, 不用, 不准, 不許, 沒, 從不, 千萬別, 除了, 除, 以外, 之外, 除外, 明天, 後天, 等一下, 待會, 以後, 之後, 晚點, 稍後,
        昨天, 的時候, 時候, 回家, 今晚, 晚上, 下週, 下個月, 為什麼, 剛才說, 說, 告訴
        """),
  ]
}

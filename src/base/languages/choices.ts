// The texts about pauses, language and data on the page of a recipient's choices, in all languages.
import type { Language } from "./language.ts";

export type ChoiceTexts = {
  readonly pausedTitle: string;
  /** With `{email}`, `{workspace}` and `{date}`. */
  readonly pausedState: string;
  /** Above the buttons that pause, and beside it. */
  readonly pauseTitle: string;
  readonly pauseText: string;
  readonly resume: string;
  /** Above the button that unsubscribes, where there are topics. */
  readonly nothing: string;
  readonly nothingText: string;
  readonly language: string;
  /** Above the person's own data. */
  readonly data: string;
};

const TEXTS: Readonly<Record<Language, ChoiceTexts>> = {
  en: {
    pausedTitle: "Your email is paused",
    pausedState: "{email} gets no news from {workspace} until {date}.",
    pauseTitle: "Take a break",
    pauseText: "You get no news during this time. After that, it starts again by itself.",
    resume: "Resume now",
    nothing: "No news at all",
    nothingText: "You leave all topics.",
    language: "Language",
    data: "Your details",
  },
  de: {
    pausedTitle: "Ihr Abonnement ist pausiert",
    pausedState: "{email} erhält bis {date} keine Neuigkeiten von {workspace}.",
    pauseTitle: "Pause einlegen",
    pauseText: "In dieser Zeit erhalten Sie keine Neuigkeiten. Danach geht es von selbst weiter.",
    resume: "Pause beenden",
    nothing: "Gar keine Neuigkeiten",
    nothingText: "Damit bestellen Sie alle Themen ab.",
    language: "Sprache",
    data: "Ihre Angaben",
  },
  fr: {
    pausedTitle: "Votre abonnement est en pause",
    pausedState: "{email} ne reçoit aucune actualité de {workspace} jusqu’au {date}.",
    pauseTitle: "Faire une pause",
    pauseText: "Vous ne recevez aucune actualité pendant ce temps. Ensuite, les envois reprennent d’eux-mêmes.",
    resume: "Reprendre maintenant",
    nothing: "Plus aucune actualité",
    nothingText: "Vous vous désabonnez de tous les thèmes.",
    language: "Langue",
    data: "Vos informations",
  },
  es: {
    pausedTitle: "Su suscripción está en pausa",
    pausedState: "{email} no recibe novedades de {workspace} hasta el {date}.",
    pauseTitle: "Hacer una pausa",
    pauseText: "Durante este tiempo no recibe novedades. Después, los envíos se reanudan solos.",
    resume: "Reanudar ahora",
    nothing: "Ninguna novedad",
    nothingText: "Se da de baja de todos los temas.",
    language: "Idioma",
    data: "Sus datos",
  },
  it: {
    pausedTitle: "La sua iscrizione è in pausa",
    pausedState: "{email} non riceve novità da {workspace} fino al {date}.",
    pauseTitle: "Fare una pausa",
    pauseText: "In questo periodo non riceve novità. Poi gli invii riprendono da soli.",
    resume: "Riprendere ora",
    nothing: "Nessuna novità",
    nothingText: "Annulla l’iscrizione a tutti gli argomenti.",
    language: "Lingua",
    data: "I suoi dati",
  },
  pt: {
    pausedTitle: "A sua subscrição está em pausa",
    pausedState: "{email} não recebe novidades de {workspace} até {date}.",
    pauseTitle: "Fazer uma pausa",
    pauseText: "Durante este tempo não recebe novidades. Depois, os envios recomeçam automaticamente.",
    resume: "Retomar agora",
    nothing: "Nenhuma novidade",
    nothingText: "Deixa de receber todos os temas.",
    language: "Idioma",
    data: "Os seus dados",
  },
  nl: {
    pausedTitle: "Uw abonnement is gepauzeerd",
    pausedState: "{email} krijgt tot {date} geen nieuws van {workspace}.",
    pauseTitle: "Even pauze",
    pauseText: "Zo lang krijgt u geen nieuws. Daarna komt het vanzelf weer.",
    resume: "Nu hervatten",
    nothing: "Helemaal geen nieuws",
    nothingText: "U meldt zich af voor alle onderwerpen.",
    language: "Taal",
    data: "Uw gegevens",
  },
  pl: {
    pausedTitle: "Subskrypcja jest wstrzymana",
    pausedState: "{email} nie otrzymuje wiadomości od {workspace} do dnia {date}.",
    pauseTitle: "Zrób przerwę",
    pauseText: "Przez ten czas nie wysyłamy wiadomości. Potem wysyłka wznowi się sama.",
    resume: "Wznów teraz",
    nothing: "Żadnych wiadomości",
    nothingText: "Rezygnują Państwo ze wszystkich tematów.",
    language: "Język",
    data: "Państwa dane",
  },
  sv: {
    pausedTitle: "Din prenumeration är pausad",
    pausedState: "{email} får inga nyheter från {workspace} till {date}.",
    pauseTitle: "Ta en paus",
    pauseText: "Under den tiden får du inga nyheter. Sedan kommer de igen av sig själva.",
    resume: "Fortsätt nu",
    nothing: "Inga nyheter alls",
    nothingText: "Du avslutar prenumerationen på alla ämnen.",
    language: "Språk",
    data: "Dina uppgifter",
  },
  da: {
    pausedTitle: "Dit abonnement er på pause",
    pausedState: "{email} får ingen nyheder fra {workspace} før {date}.",
    pauseTitle: "Hold en pause",
    pauseText: "I den tid får du ingen nyheder. Bagefter kommer de igen af sig selv.",
    resume: "Fortsæt nu",
    nothing: "Slet ingen nyheder",
    nothingText: "Du afmelder alle emner.",
    language: "Sprog",
    data: "Dine oplysninger",
  },
  fi: {
    pausedTitle: "Tilauksesi on tauolla",
    pausedState: "{email} ei saa uutisia lähettäjältä {workspace} ennen tätä päivää: {date}.",
    pauseTitle: "Pidä tauko",
    pauseText: "Sinä aikana et saa uutisia. Sen jälkeen ne jatkuvat itsestään.",
    resume: "Jatka nyt",
    nothing: "Ei uutisia lainkaan",
    nothingText: "Perut kaikki aiheet.",
    language: "Kieli",
    data: "Tietosi",
  },
  cs: {
    pausedTitle: "Váš odběr je pozastaven",
    pausedState: "{email} nedostává novinky od {workspace} do {date}.",
    pauseTitle: "Udělat si přestávku",
    pauseText: "Po tuto dobu nedostáváte novinky. Potom začnou chodit znovu.",
    resume: "Pokračovat hned",
    nothing: "Vůbec žádné novinky",
    nothingText: "Odhlásíte se ze všech témat.",
    language: "Jazyk",
    data: "Vaše údaje",
  },
  uk: {
    pausedTitle: "Вашу підписку призупинено",
    pausedState: "{email} не отримує новин від {workspace} до {date}",
    pauseTitle: "Зробити перерву",
    pauseText: "Протягом цього часу ви не отримуєте новин. Потім вони надходитимуть знову.",
    resume: "Відновити зараз",
    nothing: "Жодних новин",
    nothingText: "Ви відписуєтеся від усіх тем.",
    language: "Мова",
    data: "Ваші дані",
  },
  ar: {
    pausedTitle: "اشتراكك متوقف مؤقتًا",
    pausedState: "لا تصل إلى {email} أخبار من {workspace} حتى {date}.",
    pauseTitle: "خذ استراحة",
    pauseText: "لن تصلك أخبار خلال هذه المدة، ثم تعود من تلقاء نفسها.",
    resume: "استئناف الآن",
    nothing: "لا أخبار على الإطلاق",
    nothingText: "ستلغي اشتراكك في كل المواضيع.",
    language: "اللغة",
    data: "بياناتك",
  },
  ja: {
    pausedTitle: "配信を休止しています",
    pausedState: "{date}まで、{workspace}からのお知らせは{email}に届きません。",
    pauseTitle: "しばらく休む",
    pauseText: "この期間、お知らせは届きません。その後は自動的に再開します。",
    resume: "今すぐ再開",
    nothing: "お知らせをすべて停止",
    nothingText: "すべてのトピックの配信が終わります。",
    language: "言語",
    data: "ご登録情報",
  },
  zh: {
    pausedTitle: "您的订阅已暂停",
    pausedState: "在{date}之前，{email} 不会收到 {workspace} 的消息。",
    pauseTitle: "暂停一段时间",
    pauseText: "在此期间您不会收到消息，之后会自动恢复。",
    resume: "立即恢复",
    nothing: "不接收任何消息",
    nothingText: "您将退订所有主题。",
    language: "语言",
    data: "您的信息",
  },
  "zh-Hant": {
    pausedTitle: "您的訂閱已暫停",
    pausedState: "在{date}之前，{email} 不會收到 {workspace} 的消息。",
    pauseTitle: "暫停一段時間",
    pauseText: "在此期間您不會收到消息，之後會自動恢復。",
    resume: "立即恢復",
    nothing: "不接收任何消息",
    nothingText: "您將退訂所有主題。",
    language: "語言",
    data: "您的資訊",
  },
};

export function choiceTextsIn(language: Language): ChoiceTexts {
  return TEXTS[language];
}

// The texts of hosted forms besides the words of their workspace, in all languages.
import type { Language } from "./language.ts";

export type FormTexts = {
  readonly email: string;
  /** Beside the label of a field that must be filled in. */
  readonly required: string;
  /** The empty option of a list. */
  readonly choose: string;
  /** Beside a field that only robots fill in. */
  readonly leaveEmpty: string;
  readonly thanks: string;
  /** After the form was sent: every person is asked by email. */
  readonly asked: string;
  /** The same, where not every person is asked. */
  readonly perhapsAsked: string;
  readonly faults: string;
  readonly empty: string;
  readonly wrongEmail: string;
  readonly wrongValue: string;
  readonly closedTitle: string;
  readonly closedText: string;
  readonly busy: string;
  /** Above the topics to choose from. */
  readonly topics: string;
  /** For visitors of a website that is not allowed to send the form. */
  readonly elsewhereTitle: string;
  readonly elsewhereText: string;
  /** The link to the hosted page. */
  readonly ownPage: string;
};

/** A row has the texts in the order of the type. */
type FormTextRow = readonly [
  ...[string, string, string, string, string, string, string],
  ...[string, string, string, string, string, string, string, string],
  ...[string, string, string],
];

function textsOf(row: FormTextRow): FormTexts {
  const [email, required, choose, leaveEmpty, thanks, asked, perhapsAsked, ...rest] = row;
  const [faults, empty, wrongEmail, wrongValue, closedTitle, closedText, busy, topics, ...last] = rest;
  const [elsewhereTitle, elsewhereText, ownPage] = last;
  const words = { email, required, choose, leaveEmpty, thanks, asked, perhapsAsked };
  return {
    ...words,
    faults,
    empty,
    wrongEmail,
    wrongValue,
    closedTitle,
    closedText,
    busy,
    topics,
    elsewhereTitle,
    elsewhereText,
    ownPage,
  };
}

const ROWS: Readonly<Record<Language, FormTextRow>> = {
  en: [
    ...(["Email address", "required", "Please choose", "Leave this field empty", "Thank you"] as const),
    "We are sending you an email. Please open it and confirm.",
    "If we need your confirmation, we are sending you an email.",
    ...(["Please check what you entered", "Please fill this in.", "This is not an email address."] as const),
    ...(["This value is not allowed.", "This form is closed", "It takes no entries at the moment."] as const),
    "Too many people are using this form right now. Please try again in a minute.",
    "What interests you?",
    ...([
      "This form was not sent",
      "The website that it is on may not send it.",
      "Fill it in on its own page",
    ] as const),
  ],
  de: [
    ...(["E-Mail-Adresse", "Pflichtfeld", "Bitte auswählen", "Dieses Feld leer lassen", "Vielen Dank"] as const),
    "Wir schicken Ihnen eine E-Mail. Bitte öffnen Sie sie und bestätigen Sie.",
    "Falls wir Ihre Bestätigung brauchen, schicken wir Ihnen eine E-Mail.",
    ...(["Bitte prüfen Sie Ihre Angaben", "Bitte ausfüllen.", "Das ist keine E-Mail-Adresse."] as const),
    ...(["Diese Angabe ist nicht möglich.", "Dieses Formular ist geschlossen"] as const),
    "Es nimmt zurzeit nichts entgegen.",
    "Gerade nutzen zu viele Menschen dieses Formular. Bitte versuchen Sie es in einer Minute noch einmal.",
    "Was interessiert Sie?",
    ...([
      "Das Formular wurde nicht gesendet",
      "Die Website, auf der es steht, darf es nicht senden.",
      "Auf seiner eigenen Seite ausfüllen",
    ] as const),
  ],
  fr: [
    ...(["Adresse e-mail", "obligatoire", "Veuillez choisir", "Laissez ce champ vide", "Merci"] as const),
    "Nous vous envoyons un e-mail. Veuillez l’ouvrir et confirmer.",
    "Si nous avons besoin de votre confirmation, nous vous envoyons un e-mail.",
    ...(["Veuillez vérifier votre saisie", "Veuillez remplir ce champ.", "Ce n’est pas une adresse e-mail."] as const),
    ...(["Cette valeur n’est pas possible.", "Ce formulaire est fermé", "Il est fermé pour le moment."] as const),
    "Trop de personnes utilisent ce formulaire en ce moment. Veuillez réessayer dans une minute.",
    "Qu’est-ce qui vous intéresse ?",
    ...([
      "Ce formulaire n’a pas été envoyé",
      "Le site sur lequel il se trouve n’a pas le droit de l’envoyer.",
      "Le remplir sur sa propre page",
    ] as const),
  ],
  es: [
    ...(["Correo electrónico", "obligatorio", "Elija una opción", "Deje este campo vacío", "Gracias"] as const),
    "Le enviamos un correo. Ábralo y confirme, por favor.",
    "Si necesitamos su confirmación, le enviamos un correo.",
    ...(["Revise sus datos", "Rellene este campo.", "Esto no es una dirección de correo."] as const),
    ...(["Este valor no es posible.", "Este formulario está cerrado", "Por ahora no acepta datos."] as const),
    "Demasiadas personas usan este formulario ahora. Inténtelo de nuevo dentro de un minuto.",
    "¿Qué le interesa?",
    ...([
      "Este formulario no se ha enviado",
      "El sitio web en el que está no puede enviarlo.",
      "Rellenarlo en su propia página",
    ] as const),
  ],
  it: [
    ...(["Indirizzo email", "obbligatorio", "Scelga un’opzione", "Lasci vuoto questo campo", "Grazie"] as const),
    "Le inviamo un’email. La apra e confermi, per favore.",
    "Se ci serve la sua conferma, le inviamo un’email.",
    ...(["Controlli i dati inseriti", "Compili questo campo.", "Questo non è un indirizzo email."] as const),
    ...(["Questo valore non è ammesso.", "Questo modulo è chiuso", "Al momento non accetta dati."] as const),
    "Troppe persone usano questo modulo in questo momento. Riprovi tra un minuto.",
    "Che cosa le interessa?",
    ...([
      "Questo modulo non è stato inviato",
      "Il sito in cui si trova non può inviarlo.",
      "Compilarlo nella sua pagina",
    ] as const),
  ],
  pt: [
    ...(["Endereço de email", "obrigatório", "Escolha uma opção", "Deixe este campo vazio", "Obrigado"] as const),
    "Vamos enviar-lhe um email. Abra-o e confirme, por favor.",
    "Se precisarmos da sua confirmação, vamos enviar-lhe um email.",
    ...(["Verifique os seus dados", "Preencha este campo.", "Isto não é um endereço de email."] as const),
    ...(["Este valor não é possível.", "Este formulário está fechado", "De momento não aceita dados."] as const),
    "Há demasiadas pessoas a usar este formulário. Tente novamente dentro de um minuto.",
    "O que lhe interessa?",
    ...([
      "Este formulário não foi enviado",
      "O site em que se encontra não o pode enviar.",
      "Preencher na sua própria página",
    ] as const),
  ],
  nl: [
    ...(["E-mailadres", "verplicht", "Maak een keuze", "Laat dit veld leeg", "Bedankt"] as const),
    "We sturen u een e-mail. Open die en bevestig.",
    "Als we uw bevestiging nodig hebben, sturen we u een e-mail.",
    ...(["Controleer wat u hebt ingevuld", "Vul dit in.", "Dit is geen e-mailadres."] as const),
    ...(["Deze waarde is niet mogelijk.", "Dit formulier is gesloten", "Het neemt nu niets aan."] as const),
    "Te veel mensen gebruiken dit formulier op dit moment. Probeer het over een minuut opnieuw.",
    "Wat interesseert u?",
    ...([
      "Dit formulier is niet verzonden",
      "De website waarop het staat, mag het niet verzenden.",
      "Vul het in op zijn eigen pagina",
    ] as const),
  ],
  pl: [
    ...(["Adres e-mail", "wymagane", "Proszę wybrać", "Proszę zostawić to pole puste", "Dziękujemy"] as const),
    "Wysyłamy e-mail. Prosimy go otworzyć i potwierdzić.",
    "Jeśli będziemy potrzebować potwierdzenia, wyślemy e-mail.",
    ...(["Proszę sprawdzić dane", "Proszę wypełnić to pole.", "To nie jest adres e-mail."] as const),
    ...(["Ta wartość nie jest możliwa.", "Formularz jest zamknięty", "W tej chwili nic nie przyjmuje."] as const),
    "Zbyt wiele osób korzysta teraz z formularza. Proszę spróbować za minutę.",
    "Co Państwa interesuje?",
    ...([
      "Formularz nie został wysłany",
      "Strona, na której się znajduje, nie może go wysłać.",
      "Wypełnij go na jego własnej stronie",
    ] as const),
  ],
  sv: [
    ...(["E-postadress", "obligatoriskt", "Välj", "Lämna fältet tomt", "Tack"] as const),
    "Vi skickar ett e-postmeddelande till dig. Öppna det och bekräfta.",
    "Om vi behöver din bekräftelse skickar vi ett e-postmeddelande till dig.",
    ...(["Kontrollera dina uppgifter", "Fyll i fältet.", "Det här är ingen e-postadress."] as const),
    ...(["Värdet är inte möjligt.", "Formuläret är stängt", "Det tar inte emot något just nu."] as const),
    "För många använder formuläret just nu. Försök igen om en minut.",
    "Vad intresserar dig?",
    ...([
      "Formuläret skickades inte",
      "Webbplatsen som det finns på får inte skicka det.",
      "Fyll i det på dess egen sida",
    ] as const),
  ],
  da: [
    ...(["E-mailadresse", "skal udfyldes", "Vælg", "Lad feltet være tomt", "Tak"] as const),
    "Vi sender dig en e-mail. Åbn den og bekræft.",
    "Hvis vi har brug for din bekræftelse, sender vi dig en e-mail.",
    ...(["Kontrollér dine oplysninger", "Udfyld feltet.", "Det er ikke en e-mailadresse."] as const),
    ...(["Værdien er ikke mulig.", "Formularen er lukket", "Den tager ikke imod noget lige nu."] as const),
    "For mange bruger formularen lige nu. Prøv igen om et minut.",
    "Hvad interesserer dig?",
    ...([
      "Formularen blev ikke sendt",
      "Webstedet, som den er på, må ikke sende den.",
      "Udfyld den på dens egen side",
    ] as const),
  ],
  fi: [
    ...(["Sähköpostiosoite", "pakollinen", "Valitse", "Jätä tämä kenttä tyhjäksi", "Kiitos"] as const),
    "Lähetämme sinulle sähköpostin. Avaa se ja vahvista.",
    "Jos tarvitsemme vahvistuksesi, lähetämme sinulle sähköpostin.",
    ...(["Tarkista tietosi", "Täytä tämä kenttä.", "Tämä ei ole sähköpostiosoite."] as const),
    ...(["Arvo ei ole mahdollinen.", "Lomake on suljettu", "Se ei ota nyt mitään vastaan."] as const),
    "Liian moni käyttää lomaketta juuri nyt. Yritä uudelleen minuutin kuluttua.",
    "Mikä sinua kiinnostaa?",
    ...([
      "Lomaketta ei lähetetty",
      "Sivusto, jolla se on, ei saa lähettää sitä.",
      "Täytä se sen omalla sivulla",
    ] as const),
  ],
  cs: [
    ...(["E-mailová adresa", "povinné", "Vyberte", "Toto pole nevyplňujte", "Děkujeme"] as const),
    "Posíláme vám e-mail. Otevřete ho a potvrďte.",
    "Pokud budeme potřebovat vaše potvrzení, pošleme vám e-mail.",
    ...(["Zkontrolujte své údaje", "Vyplňte toto pole.", "Toto není e-mailová adresa."] as const),
    ...(["Tato hodnota není možná.", "Formulář je uzavřen", "Právě nic nepřijímá."] as const),
    "Formulář teď používá příliš mnoho lidí. Zkuste to znovu za minutu.",
    "Co vás zajímá?",
    ...([
      "Formulář nebyl odeslán",
      "Web, na kterém je, ho nesmí odeslat.",
      "Vyplnit ho na jeho vlastní stránce",
    ] as const),
  ],
  uk: [
    ...(["Електронна адреса", "обов’язково", "Виберіть", "Залиште це поле порожнім", "Дякуємо"] as const),
    "Ми надсилаємо вам лист. Відкрийте його та підтвердьте.",
    "Якщо нам потрібне ваше підтвердження, ми надішлемо вам лист.",
    ...(["Перевірте введені дані", "Заповніть це поле.", "Це не електронна адреса."] as const),
    ...(["Це значення неможливе.", "Форму закрито", "Зараз вона нічого не приймає."] as const),
    "Формою зараз користується забагато людей. Спробуйте ще раз за хвилину.",
    "Що вас цікавить?",
    ...([
      "Форму не надіслано",
      "Сайту, на якому вона розміщена, не дозволено її надсилати.",
      "Заповнити її на її власній сторінці",
    ] as const),
  ],
  ar: [
    ...(["البريد الإلكتروني", "مطلوب", "اختر", "اترك هذا الحقل فارغًا", "شكرًا لك"] as const),
    "سنرسل إليك رسالة. يُرجى فتحها والتأكيد.",
    "إذا احتجنا إلى تأكيدك فسنرسل إليك رسالة.",
    ...(["يُرجى التحقق مما أدخلته", "يُرجى ملء هذا الحقل.", "هذا ليس عنوان بريد إلكتروني."] as const),
    ...(["هذه القيمة غير ممكنة.", "هذا النموذج مغلق", "لا يستقبل شيئًا في الوقت الحالي."] as const),
    "يستخدم هذا النموذج عدد كبير من الأشخاص الآن. يُرجى المحاولة بعد دقيقة.",
    "ما الذي يهمك؟",
    ...(["لم يُرسل هذا النموذج", "لا يُسمح للموقع الذي يعرضه بإرساله.", "املأه في صفحته الخاصة"] as const),
  ],
  ja: [
    ...([
      "メールアドレス",
      "必須",
      "選択してください",
      "この欄は空のままにしてください",
      "ありがとうございます",
    ] as const),
    "確認メールをお送りします。メールを開いて確認してください。",
    "確認が必要な場合は、メールをお送りします。",
    ...(["入力内容を確認してください", "入力してください。", "メールアドレスではありません。"] as const),
    ...(["この値は使えません。", "このフォームは受付を終了しています", "現在は受け付けていません。"] as const),
    "現在アクセスが集中しています。1分後にもう一度お試しください。",
    "興味のある内容",
    ...([
      "このフォームは送信されませんでした",
      "掲載元のサイトからは送信できません。",
      "専用ページで入力する",
    ] as const),
  ],
  zh: [
    ...(["电子邮件地址", "必填", "请选择", "请将此栏留空", "谢谢"] as const),
    "我们会给您发送一封邮件。请打开并确认。",
    "如果需要您的确认，我们会给您发送一封邮件。",
    ...(["请检查您填写的内容", "请填写此项。", "这不是电子邮件地址。"] as const),
    ...(["不能使用此值。", "此表单已关闭", "目前不接受填写。"] as const),
    "目前使用此表单的人太多。请一分钟后再试。",
    "您对什么感兴趣？",
    ...(["此表单未发送", "所在的网站无权发送此表单。", "在表单自己的页面上填写"] as const),
  ],
  "zh-Hant": [
    ...(["電子郵件地址", "必填", "請選擇", "請將此欄留空", "謝謝"] as const),
    "我們會寄給您一封郵件。請打開並確認。",
    "如果需要您的確認，我們會寄給您一封郵件。",
    ...(["請檢查您填寫的內容", "請填寫此項。", "這不是電子郵件地址。"] as const),
    ...(["不能使用此值。", "此表單已關閉", "目前不接受填寫。"] as const),
    "目前使用此表單的人太多。請一分鐘後再試。",
    "您對什麼感興趣？",
    ...(["此表單未送出", "所在的網站無權送出此表單。", "在表單自己的頁面上填寫"] as const),
  ],
};

export function formTextsIn(language: Language): FormTexts {
  return textsOf(ROWS[language]);
}

// About the pages of recipients, in German.
import type { recipientPages as english } from "../en/recipient-pages.ts";

export const recipientPages: typeof english = {
  all: "Alle Seiten",
  frame: (page) => `Vorschau: ${page}`,
  language: "Sprache",
  size: "Breite",
  desktop: "Wie am Bildschirm",
  phone: "Wie am Telefon",
  scheme: "Farben des Empfängers",
  light: "Hell",
  dark: "Dunkel",
  pages: {
    footer: {
      title: "Fußzeile von Marketing-Mails",
      brief: "unter jeder Marketing-Mail",
      text: "Wird ergänzt, wenn Abbestelllink oder Anschrift in der Marketing-Mail fehlen. Transaktionsmails haben keine Fußzeile.",
    },
    unsubscribe: {
      title: "Abbestellen, Einstellungen",
      brief: "unsubscribeUrl, manageUrl",
      text: "Den Link zu öffnen ändert nichts, also bestellt auch kein Scanner etwas ab; das tut erst der Knopf. Mailprogramme bestellen mit einem Klick ab.",
    },
    unsubscribed: {
      title: "Nach dem Abbestellen",
      brief: "mit dem Weg zurück",
      text: "Wer es sich anders überlegt, kommt mit einem Klick zurück.",
    },
    confirmation: {
      title: "Bestätigungsmail",
      brief: "an alle, die neu abonnieren",
      text: "Mit Double-Opt-in bekommt sie, wer neu abonniert. Sieben Tage lang lässt sich bestätigen.",
    },
    confirm: {
      title: "Bestätigen",
      brief: "subscribeUrl in dieser Mail",
      text: "Hierher führt der Link der Bestätigungsmail. Der Knopf bestätigt.",
    },
    subscribed: {
      title: "Nach dem Bestätigen",
      brief: "mit dem Weg hinaus",
      text: "Dasselbe sieht, wer wieder abonniert.",
    },
    gone: {
      title: "Person unbekannt",
      brief: "Link eines gelöschten Kontakts",
      text: "Der Link ist echt, aber der Kontakt wurde gelöscht oder nie bestätigt.",
    },
    broken: {
      title: "Ungültiger Link",
      brief: "unvollständig oder erfunden",
      text: "Der Link stammt nicht von diesem Server, oder unterwegs ging ein Teil verloren.",
    },
  },
  settings: {
    title: "Wovon das abhängt",
    change: "Ändern",
    names: {
      name: "Name",
      language: "Sprache",
      mailLanguage: "Sprache",
      postalAddress: "Postanschrift",
      doubleOptIn: "Double-Opt-in",
      sender: "Absender",
      wording: "Wortlaut",
      brand: "Marke",
      pageFooter: "Fußzeile",
    },
    languageIs: "Die des Kontakts (Daten language oder locale), sonst die des Browsers, sonst die des Arbeitsbereichs.",
    mailLanguageIs: "Die des Kontakts (Daten language oder locale), sonst die des Arbeitsbereichs.",
    noAddress: "Keine. In vielen Ländern ist sie in Marketing-Mails Pflicht.",
    brandHas: { colours: "Farben", font: "Schriften", logo: "Logo" },
    noBrand: "noch keine",
    changeBrand: "Marke ändern",
    noFooter: "keine",
    on: "an",
    off: "aus, es sei denn, ein Aufruf verlangt es",
    noReply: "no-reply@ Ihrer neuesten bestätigten Domain",
    wordingIs: "Unserer, in 17 Sprachen. Er lässt sich nicht ändern.",
  },
};

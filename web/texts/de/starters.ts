// The starters of workflows and their emails, in German.
import type { starters as english } from "../en/starters.ts";

export const starters: typeof english = {
  segment: "Einmal bestellt, seit 60 Tagen still",
  each: {
    welcome: {
      name: "Willkommen",
      text: "Eine Begrüßung nach der Registrierung und drei Tage später ein paar Tipps.",
      mails: {
        hello: {
          name: "Willkommen",
          subject: "Willkommen{% if name %}, {{ name }}{% endif %}",
          body: "Hallo{% if name %} {{ name }}{% endif %},\nschön, dass Sie da sind. Wenn etwas unklar ist, antworten Sie einfach auf diese Mail.",
        },
        tips: {
          name: "Erste Tipps",
          subject: "Drei Dinge für den Anfang",
          body: "Hallo{% if name %} {{ name }}{% endif %},\nhier sind drei Dinge, die den meisten in der ersten Woche gefallen.",
        },
      },
    },
    optIn: {
      name: "Double-Opt-in",
      text: "Fragt, ob die Adresse stimmt; wer innerhalb von sieben Tagen bestätigt, hat abonniert.",
      mails: {
        ask: {
          name: "Bitte bestätigen",
          subject: "Bitte bestätigen Sie Ihre Adresse",
          body: 'Guten Tag,\nSie möchten unsere Neuigkeiten bekommen. <a href="{{ event.confirmUrl ?? "https://example.com/confirm" }}">Ja, bitte senden</a>.\nWaren Sie das nicht, brauchen Sie nichts zu tun.',
        },
        thanks: {
          name: "Abo bestätigt",
          subject: "Ihr Abo ist bestätigt",
          body: "Vielen Dank. Ab jetzt bekommen Sie unsere Neuigkeiten; abbestellen können Sie sie in jeder Mail mit einem Klick.",
        },
      },
    },
    cart: {
      name: "Verlassener Warenkorb",
      text: "Erinnert nach vier Stunden und noch einmal nach zwei Tagen an den vollen Warenkorb, wenn keine Bestellung kommt.",
      mails: {
        remind: {
          name: "Ihr Warenkorb",
          subject: "Ihr Warenkorb wartet",
          body: 'Hallo{% if name %} {{ name }}{% endif %},\nSie haben etwas liegen lassen. <a href="{{ event.cartUrl ?? "https://example.com/cart" }}">Hier geht es weiter</a>.',
        },
        last: {
          name: "Ihr Warenkorb, letzte Erinnerung",
          subject: "Wir heben Ihren Warenkorb bis morgen auf",
          body: 'Hallo{% if name %} {{ name }}{% endif %},\nmorgen leeren wir Ihren Warenkorb. <a href="{{ event.cartUrl ?? "https://example.com/cart" }}">Noch einmal ansehen</a>.',
        },
      },
    },
    trial: {
      name: "Ende der Testphase",
      text: "Sagt drei Tage vor dem Ende einer vierzehntägigen Testphase Bescheid und am Ende, wie es weitergeht.",
      mails: {
        ending: {
          name: "Testphase endet bald",
          subject: "Ihre Testphase endet in drei Tagen",
          body: 'Hallo{% if name %} {{ name }}{% endif %},\nIhre Testphase endet in drei Tagen. <a href="https://example.com/plans">Wählen Sie einen Tarif</a>, und alles bleibt, wie es ist.',
        },
        ended: {
          name: "Testphase ist vorbei",
          subject: "Ihre Testphase ist vorbei",
          body: "Hallo{% if name %} {{ name }}{% endif %},\nIhre Testphase ist vorbei. Ihre Daten bleiben dreißig Tage erhalten, falls Sie wiederkommen.",
        },
      },
    },
    winBack: {
      name: "Rückgewinnung",
      text: "Schreibt Personen, deren letzte Bestellung sechzig Tage her ist. Legt auch das Segment an.",
      mails: {
        miss: {
          name: "Lange nicht gesehen",
          subject: "Wir haben uns lange nicht gesehen",
          body: 'Hallo{% if name %} {{ name }}{% endif %},\nwir haben lange nichts von Ihnen gehört. <a href="https://example.com/new">Sehen Sie, was es Neues gibt</a>.',
        },
      },
    },
    tickets: {
      name: "Mails als Tickets",
      text: "Gibt eingehende Mails an Ihr Ticketsystem weiter und bestätigt den Eingang.",
      mails: {
        received: {
          name: "Ihre Nachricht ist angekommen",
          subject: "Ihre Nachricht ist angekommen",
          body: "Danke für Ihre Nachricht. „{{ event.subject }}“ ist bei uns; wir antworten innerhalb eines Werktags.",
        },
      },
    },
  },
  steps: {
    sendWelcome: "Begrüßen",
    threeDays: "Drei Tage",
    sendTips: "Tipps senden",
    askToConfirm: "Um Bestätigung bitten",
    confirmed: "Bestätigt?",
    subscribe: "Abonnieren",
    sendThanks: "Danken",
    neverConfirmed: "Nie bestätigt",
    ordered: "Bestellt?",
    remindOfCart: "An den Warenkorb erinnern",
    orderedLater: "Inzwischen bestellt?",
    lastCall: "Letzte Erinnerung",
    bought: "Gekauft",
    upgraded: "Tarif gewählt?",
    trialEnds: "Ende ankündigen",
    upgradedLater: "Inzwischen gewählt?",
    trialOver: "Testphase vorbei",
    trialEnded: "Ende mitteilen",
    paying: "Zahlt",
    missYou: "Wieder melden",
    isBack: "Zurückgekehrt",
    cameBack: "Zurück?",
    stayedAway: "Weggeblieben",
    isSpam: "Ist es Spam?",
    junk: "Spam",
    openTicket: "Ticket anlegen",
    weHaveIt: "Eingang bestätigen",
  },
};

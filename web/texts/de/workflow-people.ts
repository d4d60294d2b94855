// People in a workflow, and the test run, in German.
import type * as english from "../en/workflow-people.ts";

export const trial: typeof english.trial = {
  open: "Testen",
  with: "Test mit",
  choose: "Person wählen",
  at: (name) => `Bei „${name}“:`,
  nothingIsSent: "Es wird nichts gesendet.",
  end: "Test beenden",
  failed: (reason) => `Es schlägt fehl: ${reason}`,
  obstacles: {
    disabled: "Er ist aus, also startet niemand.",
    not_member: "Die Person ist nicht in dem Segment, das der Zeitplan startet.",
    entered_before: "Die Person war schon darin und darf nur einmal eintreten.",
    still_inside: "Die Person ist gerade darin und darf erst danach wieder eintreten.",
    key_running: "Ein Durchlauf dieser Person mit demselben Wert ist unterwegs.",
    key_failed: "Der Wert, der Durchläufe unterscheidet, lässt sich nicht schnell genug berechnen.",
    too_often: "Er wurde für diese Person innerhalb einer Stunde zu oft gestartet.",
    no_contact: "Das Ereignis gehört zu niemandem.",
  },
  faulty: "Mit Fehlern lässt er sich nicht testen.",
  start: "Start von Hand",
  last: (name, when) => `${name}, ${when}`,
  edited: (name) => `${name}, geänderte Daten`,
  without: (name) => `${name}, bisher keines`,
  dataOf: (name) => `Daten von „${name}“`,
  data: "Ereignisdaten",
  dataHelp:
    'JSON, wie ein Ereignis es mitbringt. { "value": 1, "persistent": false } wird nicht bei der Person gespeichert.',
  useLast: "Letztes Ereignis verwenden",
  useData: "Damit testen",
};

export const pastCheck: typeof english.pastCheck = {
  open: "An den letzten 30 Tagen prüfen",
  title: "Was hätten die letzten 30 Tage gestartet?",
  events: (shown, name) => `${shown} Ereignisse „${name}“`,
  people: (shown) => `von ${shown} Personen`,
  start: (shown) => `${shown} Starts`,
  entering: {
    never: "Jede Person startet einmal.",
    "after-end": "Jedes Ereignis startet seine Person, die jeweils nur einmal darin ist.",
    always: "Jedes Ereignis startet seine Person.",
  },
  none: "In dieser Zeit kam kein solches Ereignis.",
  notEvent: "Kein Ereignis startet diesen Ablauf.",
  close: "Schließen",
};

export const people: typeof english.people = {
  statuses: {
    RUNNING: "unterwegs",
    WAITING: "wartet",
    COMPLETED: "abgeschlossen",
    EXITED: "ausgestiegen",
    FAILED: "fehlgeschlagen",
    CANCELLED: "abgebrochen",
  },
  heads: { person: "Person", at: "Bei", since: "Gestartet", until: "Beendet", goesOn: "Weiter am", state: "Status" },
  none: "Hier ist niemand.",
  more: "Mehr",
  showTrace: (email) => `Der Weg von ${email}`,
  stop: "Für diese Person beenden",
  stopped: (email) => `Für ${email} beendet.`,
  waitsFor: (name) => `wartet auf ${name}`,
  person: "Die Person",
  mail: "Die Mail",
  back: "Zurück zum Schritt",
  of: (state, step) => `${state}: ${step}`,
  start: "Jemanden starten",
  startTitle: "Jemanden von Hand starten",
  startedOne: (name) => `${name} ist darin.`,
  startOff: "Er ist aus: Schalten Sie ihn zuerst ein.",
  stepStates: {
    WAITING: "wartet",
    COMPLETED: "erledigt",
    SKIPPED: "übersprungen",
    FAILED: "fehlgeschlagen",
    CANCELLED: "abgebrochen",
  },
};

export const unstarted: typeof english.unstarted = {
  title: "Ereignisse, die nichts gestartet haben",
  none: "Soweit bekannt, hat jedes Ereignis etwas gestartet.",
  of: (shown, count) =>
    count === 1 ? "1 Ereignis hat nichts gestartet." : `${shown} Ereignisse haben nichts gestartet.`,
  nobody: "niemand",
  reasons: {
    entered_before: "war schon einmal darin",
    still_inside: "war noch darin",
    key_running: "ein Durchlauf mit demselben Wert war unterwegs",
    key_failed: "der Wert ließ sich nicht schnell genug berechnen",
    too_often: "innerhalb einer Stunde zu oft gestartet",
    no_contact: "das Ereignis gehört zu niemandem",
  },
  mend: "Soll jedes Ereignis starten, stellen Sie den Auslöser auf „jedes Mal“.",
  more: "Mehr",
};

export const version: typeof english.version = {
  title: "Versionen, mit denen Personen gestartet sind",
  text: "Wer gestartet ist, bleibt bei seiner Version.",
  none: "Noch ist niemand gestartet.",
  name: (version) => `Version ${version}`,
  current: "der jetzige Stand",
  inside: (shown) => `${shown} darin`,
  draw: "Wieder zeichnen",
  drawn: (version) => `Version ${version} ist geladen. Speichern Sie, um sie zu behalten.`,
  close: "Schließen",
};

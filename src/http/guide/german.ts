// German words for the search of the guide, which is written in English.

/** How German words, or parts of a compound, begin, with their meaning. Umlauts are written out. */
const WORDS = `
  accept: annehm; access: zugang zugriff; account: konto; activity: bewegung; address: adresse adressen; again: erneut wieder; alerts: alarm;
  api: schnittstell; attachment: anhaeng angehaeng anhang; automation: automatisier; back: zurueck; backup: sicherung sicherungskopie datensicherung;
  batch: gebuend stapel; birthday: geburtstag; blacklist: schwarz; blocked: blockier; bounce: ruecklaeuf unzustellbar; button: schaltflaech;
  call: anruf aufruf; campaign: kampagn; cancel: abbrech abgebroch; certificate: zertifikat; change: anpass aender geaender umbenenn;
  character: zeichen; check: pruef; click: klick; clock: uhr; colour: farb; command: befehl; concurrent: gleichzeitig; condition: bedingung;
  configuration: konfigur; confirm: bestaetig; connection: verbind; consent: einwillig zustimmung; contact: abonnent kontakt kunde; content: inhalt;
  copy: kopie; cost: kosten; count: zaehl; create: anlegen anlege erstell erzeug; customfield: eigenschaft merkmal; customize: gestalt;
  darkmode: dunkel; data: daten; database: datenbank; day: tage; delay: verzoeger; delete: geloesch loesch; deliver: liefer zustell;
  deliverability spamfolder: zustellbarkeit; delivered: ausgeliefer zugestell; difference: unterschied; disk: laufwerk speicherplatz festplatte;
  display: darstell; disposable: wegwerf; down: ausfall; duplicate: doppelt dublett; duration: dauer; email: nachricht mail;
  embed: einbau einbett eingebett einbind; empty: leer; encryption: verschluessel; environment: umgebung; erase: endgueltig; error: fehler;
  event: ereignis; every: jed taeglich; expire: ablauf; expired: abgelauf; export: exportier; failed: fehlgeschlag; feedback: rueckmeld;
  field: feld felder; file: datei; first: erst; folder: ordner; footer: fusszeile; forgot: vergess; form: formular; forward: weiterleit; full: voll;
  full access: vollzugriff; gdpr: dsgvo; gdpr personal data privacy: datenschutz; group: gruppe; group list: verteiler; guide: leitfaden;
  header: kopf kopfzeil; high: hoch; history timeline: verlauf; hour: stunde; how many: wieviel; html: quelltext; image: bild; import: importier;
  improve: verbesser; inbound: eingehend; install: installier installation; interface: oberflaeche; invite: eingelad einlad; invoice: rechnung;
  key: schluessel; keyboard: tastatur; land: land; language: sprach sprache deutsch; later: spaet; least: mindest; leave: ausstieg;
  limit: begrenz obergrenz; link: verweis; local: lokal; log: protokoll; login: anmeld angemeld eingelog einlog; login password: zugangsdaten;
  loop: schleife; lost: verlor; mailbox: postfach; manage: verwalt; marketing: werbung; maximum: hoechst maximal; measure: mess;
  member: mitarbeit mitglied; memory: speicher; merge: zusammenfuehr; migrate: migrier umzug umzieh umstieg wechsel; missing: fehlt;
  monitoring: ueberwach; move: verschieb; name: vorname nachname anred; new: neu; node: knoten; notify: benachrichtig; number: zahl anzahl;
  off: abschalt ausschalt deaktivier; old: alt; open: geoeffnet oeffn; operate: betrieb; order: reihenfolge bestell; own: eigen; page: seite;
  password: kennwort passwort; pause: unterbrech; performance: leistung; permission: berechtig rechte; personal: personenbezogen; picture: foto;
  placeholders: platzhalter; plan: tarif; preview: vorschau; product: produkt; proof: beweis nachweis; provider: anbieter; publish: veroeffentlich;
  queue: warteschlang wartend; rate speed: geschwindig; reachable: erreichbar; read: lesen lese; ready: bereit; reason: grund; receive: empfang;
  received: bekomm angekomm erhalt; recipient: empfaeng; refused: ablehn abgelehn; reminder: erinner; renew: erneuer; repeat: wiederhol;
  reply: antwort; report: bericht; requirements: anforderung; restore: wiederherstell; restrict: einschraenk; retention: aufbewahr frist; role: rolle;
  rollback: zurueckroll; rule: regel; schedule: plan; scheduled: geplant; search: such volltext; second: zweit; secret: geheim geheimnis;
  security: sicher; send: schick verschick versend versand send; sender from: absender; sent: gesendet; server: rechner server; service: dienst;
  settings: einstell; setup: einricht eingericht; several: mehrere; share: teil; shop: laden; shortcuts: kuerzel; show: anzeig; sign: signier;
  signature: signatur; signup form: anmeldeformular; size: gross groess; slow: langsam; small: klein; sort: vorsortier; space: platz;
  statistics: auswert statistik; status: zustand; stop: stopp anhalt; stuck: haeng; subject: betreff; suppress: sperr; suppressed blocked: gesperr;
  suppression list: sperrlist; table: tabell; target: ziel; template: vorlag; test: test; throttle: drossel; throughput: durchsatz;
  time: uhrzeit zeit; timezone: zeitzon; topic: thema; topics: themen; tracking: verfolg; translate: uebersetz; trigger: auslos ausloes;
  umlauts encoding: umlaut; undo: rueckgaeng; unsubscribe: abgemeld abmeld abbestell austrag widerruf kuendig; upgrade update: aktualisier;
  upload: hochlad hochgelad; usage: nutzung; user: benutz nutzer; variables: variabl; verify: verifizier; view: ansicht; wait: warte;
  warmup: aufwaerm; warning: warnung; way: ausgang; week: woche woechentlich; welcome: willkomm begruess; work: funktionier klapp;
  workspace: arbeitsbereich`;

const MEANINGS: readonly { readonly begins: string; readonly means: string }[] = WORDS.split(";")
  .map((entry) => entry.trim().split(": "))
  .flatMap(([means = "", words = ""]) => words.split(" ").map((begins) => ({ begins, means })))
  .toSorted((one, other) => other.begins.length - one.begins.length);

const SPELLING: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };
/** Endings, and the letters that join the parts of a compound. */
const BETWEEN = /^(?:ier)?(?:ungs?|ungen|lich|ten|te|en|er|em|es|et|st|e|n|s|t)?/;
const SHORTEST_FIRST_PART = 4;

/** The English meaning of a German word, part by part; null if it is not German, or unknown. */
export function inEnglish(word: string): string | null {
  const written = word.replace(/[äöüß]/g, (letter) => SPELLING[letter] ?? letter);
  return partsOf(written) ?? withEnglishPart(written);
}

function partsOf(word: string): string | null {
  const part = MEANINGS.find(({ begins }) => word.startsWith(begins));
  if (!part) return null;
  const rest = word.slice(part.begins.length).replace(BETWEEN, "");
  return rest === "" ? part.means : `${part.means} ${partsOf(rest) ?? rest}`;
}

/** Many compounds begin with an English word: `Domainprüfung`. */
function withEnglishPart(word: string): string | null {
  for (let at = SHORTEST_FIRST_PART; at < word.length - SHORTEST_FIRST_PART; at++) {
    const parts = partsOf(word.slice(at));
    if (parts !== null) return `${word.slice(0, at)} ${parts}`;
  }
  return null;
}

// Meanings of reports, in German, by the server's code. The English texts come from the server.
import type { ReportWords } from "../server-words.ts";

const decimal = (share = "") => share.replace(".", ",");

const evidence = ({ days, receivers, messages, share }: Record<string, string>) =>
  `Von ${messages === "1" ? "1 Mail" : `${messages} Mails`} Ihrer Server und bekannter Dienste haben ${decimal(share)} % bestanden (${days === "1" ? "1 Tag" : `${days} Tage`}, ${receivers} Empfänger).`;

const sourceName = (source = "") =>
  source.replace(/^this server by /, "dieser Server über ").replace(/^this server/, "dieser Server");

export const reportWords: ReportWords = {
  no_reports: () =>
    "Noch hat kein Bericht von Mails dieser Domain erzählt. Empfänger schicken Berichte einmal am Tag, ab dem Tag, nachdem der DMARC-Eintrag darum bittet.",
  failing: (values) =>
    `Noch nicht: Mails von ${sourceName(values["source"]).replace(/^dieser/, "diesem")} bestehen nicht. ${evidence(values)}`,
  too_early: (values) =>
    `Das lässt sich noch nicht sagen: Nötig sind Berichte von ${values["least"]} Tagen. ${evidence(values)}`,
  too_few: (values) => `Das sind zu wenige Mails: Nötig sind ${values["least"]}. ${evidence(values)}`,
  may_quarantine: (values) => `Sie können auf p=quarantine gehen. ${evidence(values)}`,
  may_reject: (values) => `Sie können auf p=reject gehen. ${evidence(values)}`,
  keep: (values) =>
    `Bleiben Sie vorerst bei p=quarantine: Für p=reject sind ${values["least"]} % nötig. ${evidence(values)}`,
  strict: (values) => `p=reject gilt, und keiner Ihrer Mails steht das im Weg. ${evidence(values)}`,
  own_fails: () =>
    "Die Signatur dieses Servers kommt nicht unversehrt an. Prüfen Sie den DKIM-Eintrag oben, und ob das Relay Mails verändert.",
  service_signs_as: ({ source, signedAs, domain }) =>
    `${source} sendet in Ihrem Namen, signiert aber als ${signedAs}. Wenn Sie den Dienst nutzen, richten Sie dort DKIM für ${domain} ein. Wenn nicht, hält ihn eine strengere Richtlinie auf.`,
  service_unsigned: ({ source, domain }) =>
    `${source} sendet in Ihrem Namen ohne Ihre Signatur. Wenn Sie den Dienst nutzen, richten Sie dort DKIM für ${domain} ein. Wenn nicht, hält ihn eine strengere Richtlinie auf.`,
  forwarded_changed: () =>
    "Weiterleitungen und Mailinglisten haben Ihre Mails verändert, sodass die Signatur nicht mehr passt. Das ist üblich und schadet nicht.",
  nobody_knows: () =>
    "Niemand kennt diesen Server. Wenn er Ihnen gehört, lassen Sie ihn mit DKIM signieren oder über Posthorn senden. Wenn nicht, hält ihn eine strengere Richtlinie auf.",
  none: () => "In der Mail ist kein Bericht.",
  unpacking: () =>
    "Die Datei lässt sich nicht entpacken: Sie ist abgeschnitten, verschlüsselt oder ein Archiv mit mehr als zehn Dateien.",
  bomb: () => "Die Datei entpackt sich auf mehr als das 200-Fache ihrer Größe.",
  large: () => "Der Bericht ist größer als 32 MB oder enthält mehr, als je in einem Bericht steht.",
  markup: () => "Die Datei ist kein wohlgeformtes XML oder hat einen Dokumenttyp.",
  json: () => "Die Datei ist kein JSON.",
  fields: () =>
    "Etwas, das jeder Bericht hat, fehlt oder ist unmöglich: eine Organisation, eine Nummer, eine Zeit, eine Adresse, eine Anzahl.",
  time: () => "Das Lesen hat zu lange gedauert.",
};

// The workspace's own host for links, in German.
import type { linkHost as English } from "../en/link-host.ts";

export const linkHost: typeof English = {
  title: "Host der Links",
  text: (host) => `Links, Seiten, Formulare und Bilder Ihrer Mails liegen unter ${host}.`,
  why: "Mit einem eigenen Host nennen Ihre Mails niemand anderen.",
  set: "Host setzen",
  change: "Ändern",
  check: "Jetzt prüfen",
  checked: "geprüft",
  states: {
    WAITING: "führt noch nicht hierher",
    CERTIFICATE: "wartet auf das Zertifikat",
    USED: "in Gebrauch",
    FAILING: "führt nicht mehr hierher",
    FORMER: "ehemalig",
  },
  records: "Im DNS anzulegen",
  record: (type) => `${type}-Eintrag`,
  orProof: (type) =>
    `${type}-Eintrag, nur wenn der Host unter keiner bestätigten Absenderdomain dieses Arbeitsbereichs liegt`,
  name: "Name",
  value: "Wert",
  former: "Diese bedienen Links verschickter Mails, solange sie hierher führen:",
  setTitle: "Host der Links",
  host: "Hostname",
  hostHelp: "Am besten unter einer Ihrer Absenderdomains. Danach legen Sie den DNS-Eintrag an.",
  save: "Speichern",
  remove: {
    action: "Entfernen",
    title: (host) => `${host} entfernen?`,
    text: "Links neuer Mails nennen dann den Host des Servers. Verschickte Links gehen, solange der Host hierher führt.",
  },
  problems: {
    proof_missing: ({ host, name, value }) =>
      `${host} liegt unter keiner bestätigten Absenderdomain dieses Arbeitsbereichs. Bestätigen Sie eine solche Domain, oder legen Sie unter ${name} einen TXT-Eintrag mit dem Wert ${value} an.`,
    no_address: ({ host, target }) => `${host} hat keine Adresse im DNS. Lassen Sie ihn auf ${target} zeigen.`,
    elsewhere: ({ host, found, target }) =>
      `${host} führt zu ${found} und erreicht diesen Server nicht: ${target} ist das Ziel.`,
    not_answering: ({ host, reason }) => `Dieser Server ist unter ${host} nicht zu erreichen: ${reason}`,
    certificate_missing: ({ host }) => `Das Zertifikat dieses Servers gilt nicht für ${host}.`,
    certificate_waits: ({ host }) => `Das Zertifikat für ${host} ist unterwegs.`,
    certificate_refused: ({ host, reason }) => `Für ${host} gibt es noch kein Zertifikat: ${reason}`,
    taken: ({ host }) => `${host} wird auf diesem Server anderswo benutzt.`,
  },
};

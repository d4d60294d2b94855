// Faults of DNS records, in German, by the server's code. The English texts come from the server.
import type { DnsProblems } from "../server-words.ts";

const UNTIL = "SES sucht selbst bis zu 72 Stunden lang nach dem DKIM-Eintrag.";

export const dnsProblems: DnsProblems = {
  none: ({ name }) => `Unter ${name} gibt es keinen solchen Eintrag.`,
  alias: ({ name, alias }) => `Unter ${name} steht ein CNAME auf ${alias}, und dort ist der Eintrag nicht zu finden.`,
  doubled_name: ({ doubled, short }) =>
    `Der Eintrag steht unter ${doubled}: Der DNS-Anbieter hängt die Domain selbst an. Geben Sie als Namen nur ${short} ein.`,
  dkim_several: ({ count, name }) => `Unter ${name} stehen ${count} DKIM-Einträge; nur unserer darf dort stehen.`,
  dkim_other_key: ({ found, key }) =>
    `Der Eintrag enthält nicht unseren Schlüssel: gefunden ${found}, erwartet p=${key}.`,
  dkim_bad_tag: ({ tag, found, expected }) =>
    `Der Eintrag enthält unseren Schlüssel, aber ${tag}= ist ${found}. Richtig ist ${expected}, oder lassen Sie ${tag}= weg.`,
  dmarc_several: ({ count, name }) => `Unter ${name} stehen ${count} DMARC-Einträge; Empfänger beachten dann keinen.`,
  dmarc_no_policy: () =>
    "Dem Eintrag fehlt p=. Das bedeutet p=none, aber ältere Empfänger erwarten, dass es ausdrücklich dasteht.",
  dmarc_bad_policy: ({ name, found }) =>
    `Die Richtlinie p= unter ${name} ist ${found}; erlaubt sind none, quarantine und reject.`,
  dmarc_no_reports: ({ address }) =>
    `Der Eintrag bittet niemanden um Berichte (rua=). Mit rua=mailto:${address} sagen Empfänger, wie viele Ihrer Mails bestehen und wer sonst in Ihrem Namen sendet.`,
  dmarc_reports_elsewhere: ({ found, address }) =>
    `Die Berichte gehen an ${found}. Damit sie auch hier zu lesen sind, ergänzen Sie mailto:${address}.`,
  tls_reports_none: ({ name }) =>
    `Unter ${name} gibt es diesen Eintrag nicht. Legen Sie ihn an, wenn Sie wissen möchten, wann andere Server Mails an Sie nicht verschlüsseln können.`,
  tls_reports_several: ({ count, name }) =>
    `Unter ${name} gibt es ${count} solche Einträge; Absender beachten dann keinen.`,
  tls_reports_elsewhere: ({ found, address }) =>
    `TLS-Berichte gehen an ${found}. Damit sie auch hier zu lesen sind, ergänzen Sie mailto:${address}.`,
  permission_none: ({ home, name }) =>
    `Unter ${name} gibt es diesen Eintrag nicht. Er gehört in das DNS von ${home}; als *._report._dmarc.${home} gilt einer für alle Domains.`,
  permission_not_needed: ({ home }) => `Der Eintrag ist nicht nötig: ${home} gehört derselben Organisation.`,
  bimi_none: () => "Es gibt keinen BIMI-Eintrag, deshalb zeigen Postfach-Anbieter kein Logo neben Mails.",
  bimi_bad: ({ found }) => `Der BIMI-Eintrag ${found} ist ungültig: l= und a= müssen https-Adressen sein.`,
  bimi_policy: () =>
    "Es gibt einen BIMI-Eintrag, aber Postfach-Anbieter zeigen das Logo nur, wenn die DMARC-Richtlinie quarantine oder reject ist.",
  mta_sts_none: () =>
    "Es gibt keinen MTA-STS-Eintrag, deshalb dürfen andere Server Mails an diese Domain unverschlüsselt schicken.",
  mta_sts_bad: ({ found }) =>
    `Der MTA-STS-Eintrag ${found} ist ungültig: Ein Name hat einen, mit einer id aus Buchstaben und Ziffern.`,
  mta_sts_no_policy: ({ url }) =>
    `Es gibt einen MTA-STS-Eintrag, aber unter ${url} keine gültige Richtlinie. Damit zählt er nicht.`,
  mta_sts_mode: ({ mode, hosts }) => `Die MTA-STS-Richtlinie hat den Modus ${mode} und gilt für ${hosts}.`,
  dane_none: ({ name }) =>
    `Der nächste Server hat unter ${name} keinen TLSA-Eintrag. Er weist sich nur mit seinem Zertifikat aus.`,
  dane_there: ({ count, name }) =>
    `Der nächste Server hat unter ${name} TLSA-Einträge (${count}). Sie zählen, wenn seine DNS-Zone signiert ist; das wird hier nicht geprüft.`,
  mx_none_bounces: ({ name }) => `Unter ${name} gibt es keinen MX-Eintrag. Ohne ihn kommen keine Rückläufer an.`,
  mx_none_inbound: ({ name }) =>
    `Unter ${name} gibt es keinen MX-Eintrag. Legen Sie ihn nur an, wenn Mails an ${name} hier ankommen sollen.`,
  mx_refuses: ({ name }) => `Der MX-Eintrag unter ${name} besagt, dass die Domain keine Mails annimmt (RFC 7505).`,
  mx_no_address: ({ host }) => `Der Host ${host} des MX-Eintrags hat keine Adresse.`,
  mx_elsewhere_bounces: ({ name, found, host, subdomain }) =>
    `Mails an ${name} gehen an ${found} statt an ${host}, so kommen keine Rückläufer an. Wenn unter ${name} jemand Mails empfängt, lassen Sie den Eintrag, wie er ist, und verwenden Sie eine andere Return-Path-Domain, etwa ${subdomain}.`,
  mx_elsewhere_inbound: ({ name, found, host, subdomain }) =>
    `Mails an ${name} gehen an ${found}: Lassen Sie das so. Sollen auch Mails bei ${host} ankommen, fügen Sie hier eine Subdomain wie ${subdomain} hinzu und veröffentlichen Sie deren Einträge.`,
  spf_none: ({ name }) => `Unter ${name} gibt es keinen TXT-Eintrag, der mit v=spf1 beginnt.`,
  spf_several: ({ count, name }) =>
    `Unter ${name} stehen ${count} SPF-Einträge, damit sind alle ungültig. Fassen Sie sie zu einem zusammen.`,
  spf_placeholder: ({ found }) =>
    `Der Eintrag ${found} enthält einen Platzhalter. Ersetzen Sie ihn durch das, was Ihr Relay verlangt.`,
  spf_everybody: ({ found }) => `Mit dem Eintrag ${found} darf jeder senden. Lassen Sie ihn mit ~all enden.`,
  spf_nobody: ({ found }) => `Mit dem Eintrag ${found} darf niemand senden.`,
  spf_not_ours: ({ found, term }) =>
    `Der Eintrag ${found} erlaubt die Server nicht, die Ihre Mails senden. Ergänzen Sie ${term}.`,
  spf_merged_lookups: ({ found, term, most }) =>
    `Der Eintrag ${found} erlaubt die Server nicht, die Ihre Mails senden. Mit ${term} bräuchte er mehr als ${most} DNS-Abfragen und wäre damit ungültig: Entfernen Sie ein include, das nicht mehr gebraucht wird, und ergänzen Sie dann unseres.`,
  spf_bad_term: ({ name, term }) => `Der SPF-Eintrag unter ${name} ist wegen ${term} ungültig.`,
  spf_lookups: ({ most }) =>
    `Der Eintrag braucht mehr als ${most} DNS-Abfragen und ist damit ungültig. Entfernen Sie einige include.`,
  spf_include_none: ({ name }) =>
    `Der Eintrag enthält include:${name}, aber dort gibt es keinen SPF-Eintrag. Damit ist er ungültig: Entfernen Sie das include.`,
  spf_include_several: ({ name, count }) =>
    `Der Eintrag enthält include:${name}, aber dort stehen ${count} SPF-Einträge. Damit ist er ungültig: Entfernen Sie das include.`,
  verified_elsewhere: () => "Die Domain ist in einem anderen Arbeitsbereich bestätigt.",
  service_waits: ({ service }) => `${service} wird gefragt, sobald der DKIM-Eintrag gefunden ist.`,
  ses_added: () => `Die Domain wurde gerade bei SES angelegt. ${UNTIL}`,
  ses_again: () => `SES hatte die Suche aufgegeben und wurde gebeten, erneut zu prüfen. ${UNTIL}`,
  ses_looks: () => `SES hat die Domain noch nicht bestätigt. ${UNTIL}`,
  ses_not_ours: () => "SES kennt die Domain mit fremden DKIM-Einstellungen und hat sie nicht bestätigt.",
  ses_unknown: () => "SES kennt die Domain nicht. Eine Prüfung der Domain legt sie dort an.",
  way_refuses: ({ reply }) => `Er nimmt keine Mails dieser Domain an: ${reply}`,
};

export const instead = (name: string) => `Das ist nicht so wichtig: Empfänger prüfen ${name}.`;

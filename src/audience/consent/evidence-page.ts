// The evidence of one person as a printable page that has no script and loads nothing.
import { SANS } from "../../base/fonts.ts";
import type { EvidenceFile } from "./evidence.ts";
import type { WordLanguage } from "./words.ts";

export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

type EvidencePage = {
  readonly language: WordLanguage;
  readonly workspace: string;
  readonly email: string;
  readonly exportedAt: string;
  readonly publicKey: string;
  readonly evidence: EvidenceFile;
};

const TEXTS = {
  en: {
    title: "Proof of consent",
    about: (email: string, workspace: string) => `What ${email} agreed to in the workspace ${workspace}`,
    made: (at: string) => `Made on ${at}`,
    none: "The ledger has no row about this person.",
    columns: { number: "Row", at: "When (UTC)", text: "What happened", proof: "What proves it" },
    ...{ address: "Address", browser: "Browser", mail: "Email", digest: "SHA-256" },
    wordings: "What they agreed to",
    proof: "How it is proven",
    chain:
      "Each row is chained by SHA-256 to the row before it in the workspace, and the end of the chain is signed with the Ed25519 key of this installation. The evidence file (JSON) has all that it takes to verify this without access to the server.",
    heads: (number: number, at: string) => `Row ${number}, signed on ${at}`,
    key: "Public key",
  },
  de: {
    title: "Nachweis der Einwilligung",
    about: (email: string, workspace: string) => `Worin ${email} im Arbeitsbereich ${workspace} eingewilligt hat`,
    made: (at: string) => `Erstellt am ${at}`,
    none: "Das Verzeichnis hat keine Zeile über diese Person.",
    columns: { number: "Zeile", at: "Wann (UTC)", text: "Was geschah", proof: "Was es belegt" },
    ...{ address: "Adresse", browser: "Browser", mail: "E-Mail", digest: "SHA-256" },
    wordings: "Wortlaut der Einwilligung",
    proof: "Wie das bewiesen ist",
    chain:
      "Jede Zeile ist durch SHA-256 mit der Zeile davor im Arbeitsbereich verkettet, und das Ende der Kette ist mit dem Ed25519-Schlüssel dieser Installation signiert. Die Nachweisdatei (JSON) enthält alles, um das ohne Zugang zum Server zu prüfen.",
    heads: (number: number, at: string) => `Zeile ${number}, signiert am ${at}`,
    key: "Öffentlicher Schlüssel",
  },
} as const;

export function evidencePage({ language, workspace, email, exportedAt, publicKey, evidence }: EvidencePage): string {
  const t = TEXTS[language];
  const { columns } = t;
  const rows = evidence.rows.map((row) => {
    const facts: readonly (readonly [string, string | null])[] = [
      [t.address, row.address],
      ["IP", row.ip],
      [t.browser, row.userAgent],
      [t.mail, row.emailId],
      [t.digest, row.digest],
    ];
    const proofs = facts.flatMap(([name, value]) => (value === null ? [] : `<dt>${name}</dt><dd>${text(value)}</dd>`));
    return `<tr><td>${row.number ?? ""}</td><td>${time(row.at)}</td><td>${text(row.text)}</td><td><dl>${proofs.join("")}</dl></td></tr>`;
  });
  const head = `<tr>${Object.values(columns)
    .map((name) => `<th scope="col">${name}</th>`)
    .join("")}</tr>`;
  const wordings = evidence.wordings.map(
    ({ digest, text: wording }) => `<blockquote>${text(wording)}</blockquote><p class="code">SHA-256 ${digest}</p>`,
  );
  const heads = evidence.proof.map(
    ({ head: { number, at, hash } }) => `<dt>${t.heads(number, time(at))}</dt><dd class="code">${hash}</dd>`,
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${t.title}: ${text(email)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${t.title}</h1>
<p>${t.about(`<b>${text(email)}</b>`, `<b>${text(workspace)}</b>`)}. ${t.made(`${time(exportedAt)} UTC`)}.</p>
${rows.length === 0 ? `<p>${t.none}</p>` : `<table><thead>${head}</thead><tbody>${rows.join("\n")}</tbody></table>`}
${wordings.length === 0 ? "" : `<h2>${t.wordings}</h2>${wordings.join("\n")}`}
<h2>${t.proof}</h2>
<p>${t.chain}</p>
<dl class="heads">${heads.join("\n")}<dt>${t.key}</dt><dd class="code">${publicKey}</dd></dl>
</body>
</html>
`;
}

const STYLE = `
body { font: 15px/1.5 ${SANS}; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff }
h1 { font-size: 1.5rem; line-height: 1.25 } h2 { font-size: 1.1rem; margin-top: 2rem }
table { width: 100%; border-collapse: collapse }
th, td { padding: .5rem; text-align: start; vertical-align: top; border-bottom: 1px solid #ccc; overflow-wrap: anywhere }
thead th { border-bottom: 2px solid #1a1a1a; white-space: nowrap } tr { break-inside: avoid }
td:first-child, td:nth-child(2) { white-space: nowrap; font-variant-numeric: tabular-nums }
dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: 0 .75rem; font-size: .875rem }
dt { color: #555 } dd { margin: 0; overflow-wrap: anywhere }
dl.heads { display: block } blockquote { margin: 1rem 0 0; padding-inline-start: 1rem; border-inline-start: 3px solid #ccc; white-space: pre-line }
.code { font: .8125rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
@media (max-width: 40rem) { thead { display: none } tr, td { display: block } td { border: 0; padding: .125rem 0 } tr { padding: .75rem 0; border-bottom: 1px solid #ccc } }
@media print { body { margin: 0; max-width: none; font-size: 11px } }`;

function text(value: string): string {
  return Bun.escapeHTML(value);
}

/** `2026-03-01 09:00:00` */
function time(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`;
}

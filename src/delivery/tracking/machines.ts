// Whether a person opened a mail or followed a link, or a machine that looks at mail before the recipient does.

/** Proxies that fetch pictures for a mailbox, scanners that follow links, makers of previews: by the names they go by. */
const KNOWN = new RegExp(
  [
    "GoogleImageProxy|YahooMailProxy|Google-Safety",
    "barracuda|proofpoint|mimecast|messagelabs|symantec|sophos|trendmicro|trend micro|fireeye|ironport|cisco|forcepoint|websense",
    "bitdefender|kaspersky|zscaler|checkpoint|cloudmark|hornetsecurity|vipre|safelinks|urldefense|virustotal|mailscanner",
    // A maker of telephones is called Cubot.
    "(?<!\\bcu)bot\\b|crawler|spider|scanner|link ?check|headless|facebookexternalhit|whatsapp|preview|phantomjs",
  ].join("|"),
  "i",
);

/** The whole User-Agent of a mailbox that fetches every picture when the mail arrives. */
const PREFETCHING = "Mozilla/5.0";

/** `method` and `userAgent` (null = none was sent) of the request. People do not send HEAD. */
export function isMachine(method: string, userAgent: string | null): boolean {
  return method === "HEAD" || userAgent?.trim() === PREFETCHING || KNOWN.test(userAgent ?? "");
}

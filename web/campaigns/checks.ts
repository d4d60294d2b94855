// What is looked at before a campaign is sent: each with whether it is fine, and where it is mended.
import type { Previewed } from "../writing/preview/asked.ts";
import type { AudienceNumbers } from "./audience-calls.ts";
import type { campaigns } from "../texts/en/campaigns.ts";

type Texts = (typeof campaigns)["check"];

type ImageFault = Previewed["images"][number]["faults"][number];

export type Place = "write" | "audience" | "domains" | "workspace";
export type Check = {
  readonly id: string;
  readonly is: "bad" | "warn" | "fine";
  readonly title: string;
  readonly more: string;
  readonly mend?: Place;
  /** People of whom this is true: who has no value under this key. */
  readonly lacking?: string;
};

export type Lacking = { readonly name: string; readonly people: number };

export type Looked = {
  readonly t: Texts;
  readonly number: (value: number) => string;
  /** Of the campaign. */
  readonly name: string;
  readonly subject: string;
  readonly ownText: boolean;
  readonly domain: string;
  readonly isVerified: boolean;
  /** Only by somebody's word. */
  readonly isForced: boolean;
  readonly hasAddress: boolean;
  /** Null: nobody is chosen. */
  readonly audience: AudienceNumbers | null;
  /** Null: the text cannot be read. */
  readonly preview: Previewed | null;
  readonly lacking: readonly Lacking[];
};

/** As Gmail counts. */
const KILOBYTE = 1_024;
const SHOWN_CHARS = 40;

/** What is to be mended comes first. */
export function checksOf(looked: Looked): readonly Check[] {
  const all = [
    audienceCheck(looked),
    domainCheck(looked),
    subjectCheck(looked),
    ...(looked.preview ? found(looked, looked.preview) : [unreadable(looked)]),
    ...looked.lacking.map((one) => lackingCheck(looked, one)),
    ...addressCheck(looked),
    unsubscribeCheck(looked),
    textCheck(looked),
  ];
  return (["bad", "warn", "fine"] as const).flatMap((is) => all.filter((check) => check.is === is));
}

function audienceCheck({ t, audience, number }: Looked): Check {
  const at = { id: "audience", mend: "audience" } as const;
  if (audience === null) return { ...at, is: "bad", title: t.noAudience, more: t.noAudienceMore };
  if (audience.willReceive === 0) return { ...at, is: "bad", title: t.nobody, more: t.nobodyMore };
  return { id: "audience", is: "fine", title: t.reaches(audience.willReceive, number(audience.willReceive)), more: "" };
}

function domainCheck({ t, domain, isVerified, isForced }: Looked): Check {
  const mend = "domains";
  if (domain === "") return { id: "domain", is: "bad", title: t.noSender, more: t.noSenderMore };
  if (isForced) return { id: "domain", is: "warn", title: t.forcedDomain(domain), more: t.forcedDomainMore, mend };
  if (isVerified) return { id: "domain", is: "fine", title: t.domain(domain), more: t.domainMore };
  return { id: "domain", is: "bad", title: t.noDomain(domain), more: t.noDomainMore, mend };
}

/** Counted as an inbox shows it, for somebody of whom nothing is known. */
function subjectCheck({ t, name, subject, preview }: Looked): Check {
  const at = { id: "subject", mend: "write" } as const;
  if (subject.trim() === "") return { ...at, is: "bad", title: t.subject, more: "" };
  if (subject.trim() === name.trim()) return { ...at, is: "warn", title: t.isName, more: t.isNameMore };
  const chars = [...(preview?.subject ?? subject).trim()].length;
  if (chars === 0) return { ...at, is: "warn", title: t.noSubject, more: t.noSubjectMore };
  return { id: "subject", is: "fine", title: t.isSubject(chars), more: chars > SHOWN_CHARS ? t.isLong : "" };
}

function unreadable({ t }: Looked): Check {
  return { id: "text", is: "bad", title: t.unreadable, more: "", mend: "write" };
}

/** What the server found in the mail. */
function found(looked: Looked, preview: Previewed): readonly Check[] {
  return [...linkChecks(looked, preview), ...imageChecks(looked, preview), sizeCheck(looked, preview)];
}

function linkChecks({ t }: Looked, { links }: Previewed): readonly Check[] {
  const wrong = links.flatMap(({ text, href, faults }, at): Check[] => {
    const [fault] = faults;
    const name = text.trim() || href;
    const check = { id: `link ${at}`, mend: "write" } as const;
    if (fault === undefined) return [];
    if (fault === "HTTP") return [{ ...check, is: "warn", title: t.http(name), more: t.httpMore }];
    const title = fault === "NO_TARGET" ? t.link(name) : t.badLink(name);
    return [{ ...check, is: "bad", title, more: fault === "NO_TARGET" ? t.linkMore : href }];
  });
  if (wrong.length > 0) return wrong;
  return [{ id: "links", is: "fine", title: links.length === 0 ? t.noLinks : t.links(links.length), more: "" }];
}

/** Faults of images besides the words that they lack; a picture without an address is seen by nobody. */
const IMAGE_FAULTS = { NO_SOURCE: "bad", NOT_A_URL: "bad", HTTP: "warn", DATA_URL: "warn" } as const;

function imageChecks({ t }: Looked, { images }: Previewed): readonly Check[] {
  const count = (fault: ImageFault) => images.filter(({ faults }) => faults.includes(fault)).length;
  const wrong = (["NO_SOURCE", "NOT_A_URL", "HTTP", "DATA_URL"] as const).flatMap((fault): Check[] => {
    const [title, more] = [t.image[fault](count(fault)), t.imageMore[fault]];
    if (count(fault) === 0) return [];
    return [{ id: `images ${fault}`, is: IMAGE_FAULTS[fault], title, more, mend: "write" }];
  });
  const silent = count("NO_ALT");
  if (silent > 0)
    return [...wrong, { id: "images", is: "warn", title: t.noAlt(silent), more: t.noAltMore, mend: "write" }];
  return images.length === 0 ? [] : [...wrong, { id: "images", is: "fine", title: t.images(images.length), more: "" }];
}

function sizeCheck({ t, number }: Looked, { bytes, clippedAtBytes, isClipped }: Previewed): Check {
  const [size, most] = [bytes, clippedAtBytes].map((some) => number(Math.ceil(some / KILOBYTE))) as [string, string];
  const title = t.bytes(size, most);
  if (isClipped) return { id: "bytes", is: "warn", title, more: t.clipped, mend: "write" };
  return { id: "bytes", is: "fine", title, more: t.whole };
}

function lackingCheck({ t, number }: Looked, { name, people }: Lacking): Check {
  const title = t.missing(people, number(people), name);
  return { id: `lacks ${name}`, is: "warn", title, more: t.missingMore, mend: "write", lacking: name };
}

function addressCheck({ t, hasAddress }: Looked): readonly Check[] {
  if (hasAddress) return [];
  return [{ id: "address", is: "warn", title: t.noAddress, more: t.noAddressMore, mend: "workspace" }];
}

function unsubscribeCheck({ t }: Looked): Check {
  return { id: "unsubscribe", is: "fine", title: t.unsubscribe, more: t.unsubscribeMore };
}

function textCheck({ t, ownText }: Looked): Check {
  return { id: "plain", is: "fine", title: ownText ? t.ownText : t.text, more: "" };
}

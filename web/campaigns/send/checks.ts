// The checks before a campaign is sent, each with its result and where to fix it.
import type { PreviewAnswer } from "../../writing/preview/use-preview.ts";
import type { AudienceNumbers } from "../audience/audience-calls.ts";
import type { campaigns } from "../../texts/en/campaigns.ts";

type CheckTexts = (typeof campaigns)["check"];

type ImageFault = PreviewAnswer["images"][number]["faults"][number];

export type FixLocation = "write" | "audience" | "domains" | "workspace";
export type CampaignCheck = {
  readonly id: string;
  readonly is: "bad" | "warn" | "fine";
  readonly title: string;
  readonly more: string;
  readonly mend?: FixLocation;
  /** The data key whose value people lack; it opens the list of these people. */
  readonly lacking?: string;
};

export type MissingValue = { readonly name: string; readonly people: number };

export type CheckInput = {
  readonly t: CheckTexts;
  readonly number: (value: number) => string;
  /** The campaign's name: it is the subject until one is written. */
  readonly name: string;
  readonly subject: string;
  readonly ownText: boolean;
  readonly domain: string;
  readonly isVerified: boolean;
  /** Verified by an operator without DNS. */
  readonly isForced: boolean;
  readonly hasAddress: boolean;
  /** Null: no audience is chosen. */
  readonly audience: AudienceNumbers | null;
  /** Null: the server cannot render the text. */
  readonly preview: PreviewAnswer | null;
  readonly lacking: readonly MissingValue[];
  /** Images of the visual editor without alternative text or "decorative". */
  readonly undescribed: number;
};

/** Gmail, whose limit is checked, counts a kilobyte as 1,024 bytes. */
const KILOBYTE = 1_024;
const SHOWN_CHARS = 40;

/** The results of all checks, problems first. */
export function checksOf(input: CheckInput): readonly CampaignCheck[] {
  const all = [
    audienceCheck(input),
    domainCheck(input),
    subjectCheck(input),
    ...(input.preview ? contentChecks(input, input.preview) : [unreadable(input)]),
    ...input.lacking.map((one) => missingValuesCheck(input, one)),
    ...addressCheck(input),
    unsubscribeCheck(input),
    textCheck(input),
  ];
  return (["bad", "warn", "fine"] as const).flatMap((is) => all.filter((check) => check.is === is));
}

function audienceCheck({ t, audience, number }: CheckInput): CampaignCheck {
  const at = { id: "audience", mend: "audience" } as const;
  if (audience === null) return { ...at, is: "bad", title: t.noAudience, more: t.noAudienceMore };
  if (audience.willReceive === 0) return { ...at, is: "bad", title: t.nobody, more: t.nobodyMore };
  return { id: "audience", is: "fine", title: t.reaches(audience.willReceive, number(audience.willReceive)), more: "" };
}

function domainCheck({ t, domain, isVerified, isForced }: CheckInput): CampaignCheck {
  const mend = "domains";
  if (domain === "") return { id: "domain", is: "bad", title: t.noSender, more: t.noSenderMore };
  if (isForced) return { id: "domain", is: "warn", title: t.forcedDomain(domain), more: t.forcedDomainMore, mend };
  if (isVerified) return { id: "domain", is: "fine", title: t.domain(domain), more: t.domainMore };
  return { id: "domain", is: "bad", title: t.noDomain(domain), more: t.noDomainMore, mend };
}

/** Counts the characters of the subject as an inbox shows it, rendered for a person without data. */
function subjectCheck({ t, name, subject, preview }: CheckInput): CampaignCheck {
  const at = { id: "subject", mend: "write" } as const;
  if (subject.trim() === "") return { ...at, is: "bad", title: t.subject, more: "" };
  if (subject.trim() === name.trim()) return { ...at, is: "warn", title: t.isName, more: t.isNameMore };
  const chars = [...(preview?.subject ?? subject).trim()].length;
  if (chars === 0) return { ...at, is: "warn", title: t.noSubject, more: t.noSubjectMore };
  return { id: "subject", is: "fine", title: t.isSubject(chars), more: chars > SHOWN_CHARS ? t.isLong : "" };
}

function unreadable({ t }: CheckInput): CampaignCheck {
  return { id: "text", is: "bad", title: t.unreadable, more: "", mend: "write" };
}

/** The checks of links, images and size, from the preview. */
function contentChecks(input: CheckInput, preview: PreviewAnswer): readonly CampaignCheck[] {
  return [...linkChecks(input, preview), ...imageChecks(input, preview), sizeCheck(input, preview)];
}

function linkChecks({ t }: CheckInput, { links }: PreviewAnswer): readonly CampaignCheck[] {
  const wrong = links.flatMap(({ text, href, faults }, at): CampaignCheck[] => {
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

/** Image problems besides missing alt texts. An image without a URL is invisible. */
const IMAGE_FAULTS = { NO_SOURCE: "bad", NOT_A_URL: "bad", HTTP: "warn", DATA_URL: "warn" } as const;

function imageChecks({ t, undescribed }: CheckInput, { images }: PreviewAnswer): readonly CampaignCheck[] {
  const count = (fault: ImageFault) => images.filter(({ faults }) => faults.includes(fault)).length;
  const wrong = (["NO_SOURCE", "NOT_A_URL", "HTTP", "DATA_URL"] as const).flatMap((fault): CampaignCheck[] => {
    const [title, more] = [t.image[fault](count(fault)), t.imageMore[fault]];
    if (count(fault) === 0) return [];
    return [{ id: `images ${fault}`, is: IMAGE_FAULTS[fault], title, more, mend: "write" }];
  });
  const silent = Math.max(count("NO_ALT"), undescribed);
  if (silent > 0)
    return [...wrong, { id: "images", is: "warn", title: t.noAlt(silent), more: t.noAltMore, mend: "write" }];
  if (images.length === 0) return [];
  const decorative = images.filter(({ alt }) => alt === "").length;
  const title = decorative < images.length ? t.images(images.length - decorative) : "";
  const more = decorative > 0 ? t.decorative(decorative) : "";
  return [...wrong, { id: "images", is: "fine", title: title || more, more: title ? more : "" }];
}

function sizeCheck({ t, number }: CheckInput, { bytes, clippedAtBytes, isClipped }: PreviewAnswer): CampaignCheck {
  const [size, most] = [bytes, clippedAtBytes].map((some) => number(Math.ceil(some / KILOBYTE))) as [string, string];
  const title = t.bytes(size, most);
  if (isClipped) return { id: "bytes", is: "warn", title, more: t.clipped, mend: "write" };
  return { id: "bytes", is: "fine", title, more: t.whole };
}

function missingValuesCheck({ t, number }: CheckInput, { name, people }: MissingValue): CampaignCheck {
  const title = t.missing(people, number(people), name);
  return { id: `lacks ${name}`, is: "warn", title, more: t.missingMore, mend: "write", lacking: name };
}

function addressCheck({ t, hasAddress }: CheckInput): readonly CampaignCheck[] {
  if (hasAddress) return [];
  return [{ id: "address", is: "warn", title: t.noAddress, more: t.noAddressMore, mend: "workspace" }];
}

function unsubscribeCheck({ t }: CheckInput): CampaignCheck {
  return { id: "unsubscribe", is: "fine", title: t.unsubscribe, more: t.unsubscribeMore };
}

function textCheck({ t, ownText }: CheckInput): CampaignCheck {
  return { id: "plain", is: "fine", title: ownText ? t.ownText : t.text, more: "" };
}

// The records of other products, in our terms: each source answers pages of them, one part after the other.
import type { ConsentStatus } from "../../audience/csv/consent.ts";
import type { SourceAccount, SourceCalls } from "./calls.ts";
import { textOf, type AnswerFields } from "./fields.ts";

/** `id`: at the product. */
type SourceItem = { readonly id: string; readonly name: string; readonly description?: string };

/** `default`: for those who have said nothing. */
export type SourceTopic = SourceItem & {
  readonly kind: "topic";
  readonly default: "in" | "out";
  readonly visible?: boolean;
};

/** Without a condition, the members are a list. */
export type SourceSegment = SourceItem & { readonly kind: "segment"; readonly condition?: unknown };

/** Columns by which an import knows proof of consent. */
export const PROOF_COLUMNS = ["optin_time", "optin_ip", "confirm_time", "confirm_ip", "joined_at"] as const;

/**
 * `standing`: `pending` of those who have said neither yes nor no. `topics`: by the topic's id. `proof`: when and from
 * where the person agreed; "" = the product does not say it.
 */
export type SourcePerson = {
  readonly kind: "person";
  readonly email: string;
  readonly standing: ConsentStatus;
  readonly data: AnswerFields;
  readonly topics?: Readonly<Record<string, "in" | "out">>;
  readonly proof: { readonly [Column in (typeof PROOF_COLUMNS)[number]]?: string };
};

/** `segment`: its id. */
export type SourceMember = { readonly kind: "member"; readonly segment: string; readonly email: string };

/** `left`: what has no counterpart in our language and stays as it is. */
export type SourceTemplate = SourceItem & {
  readonly kind: "template";
  readonly alias?: string;
  readonly fields: AnswerFields;
  readonly left?: readonly string[];
};

/** `scope`: as the reason implies, unless given. A subscription that is renewed lifts all but `manual`. */
export type SourceSuppression = {
  readonly kind: "suppression";
  readonly email: string;
  readonly reason: "bounce" | "complaint" | "manual" | "import";
  readonly scope?: "marketing";
};

/** Something that does not come. */
export type SourceGap = {
  readonly kind: "gap";
  readonly what: RecordGroup;
  readonly why: string;
  readonly example: string;
};

export type SourceRecord =
  SourceTopic | SourceSegment | SourcePerson | SourceMember | SourceTemplate | SourceSuppression | SourceGap;

/** As reports call them. */
export const RECORD_GROUPS = ["people", "topics", "segments", "members", "templates", "suppressions"] as const;
export type RecordGroup = (typeof RECORD_GROUPS)[number];

/** `next`: where the next page begins; null = it was the last. `total`: of the part, if the product says it. */
export type SourcePage = {
  readonly records: readonly SourceRecord[];
  readonly next: string | null;
  readonly total?: number | undefined;
};

/** `page`: "" is the first. */
export type SourcePart = {
  readonly name: string;
  readonly page: (calls: SourceCalls, at: string) => Promise<SourcePage>;
};

export type MoveSource = Pick<SourceAccount, "title" | "keyHint" | "headers"> & {
  /** Null = each installation has its own. @throws Error for a key that cannot be one */
  readonly baseUrl: (key: string) => string | null;
  /** Suppressions come first, so that no person who is on them is subscribed. */
  readonly parts: readonly SourcePart[];
};

export function namedOf({ id, name, description }: AnswerFields): Required<SourceItem> {
  return { id: textOf(id), name: textOf(name), description: textOf(description) };
}

/** A segment whose members are a list. */
export function segmentOf(item: AnswerFields): SourceSegment[] {
  return [{ kind: "segment", ...namedOf(item) }];
}

export function membersOf(segments: readonly string[], email: string): SourceMember[] {
  return segments.map((segment) => ({ kind: "member", segment, email }));
}

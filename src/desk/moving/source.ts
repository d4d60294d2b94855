// What other products have, in our words: each source answers pages of these records, one part after the other.
import { STANDINGS, type ConsentStanding } from "../../audience/csv/consent.ts";
import type { SourceAccount, SourceCalls } from "./calls.ts";

/** `id`: at the product. `default`: for those who have said nothing. */
export type SourceTopic = {
  readonly kind: "topic";
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly default: "in" | "out";
  readonly visible?: boolean;
};

/** Without a condition, the members are a list. */
export type SourceSegment = {
  readonly kind: "segment";
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly condition?: unknown;
};

/** When and from where the person agreed or left, as the product says it; "" = it does not. */
export type SourceProof = {
  readonly optInAt?: string;
  readonly optInIp?: string;
  readonly confirmedAt?: string;
  readonly confirmedIp?: string;
  readonly addedAt?: string;
  readonly unsubscribedAt?: string;
};

/** `standing`: `pending` of those who have said neither yes nor no. `topics`: by the topic's id. */
export type SourcePerson = {
  readonly kind: "person";
  readonly email: string;
  readonly standing: ConsentStanding;
  readonly data: Readonly<Record<string, unknown>>;
  readonly topics?: Readonly<Record<string, "in" | "out">>;
  readonly proof?: SourceProof;
};

/** `segment`: its id. */
export type SourceMember = { readonly kind: "member"; readonly segment: string; readonly email: string };

/** `left`: what has no counterpart in our language and stays as it is. */
export type SourceTemplate = {
  readonly kind: "template";
  readonly id: string;
  readonly alias?: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly left: readonly string[];
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
  /** Suppressions come first, so that nobody is subscribed who is on them. */
  readonly parts: readonly SourcePart[];
};

/** The worst of the states that a person has in several places; `pending` if there are none. */
export function worstOf(standings: readonly ConsentStanding[]): ConsentStanding {
  return STANDINGS.findLast((one) => standings.includes(one)) ?? "pending";
}

/** The list that a place of `pageThrough` is in; "" = it is in none. */
export function listIn(at: string): string {
  return at.includes(" ") ? at.slice(0, at.indexOf(" ")) : "";
}

/** Goes through the pages of several lists, one list after the other. `page`: of the list with this id. */
export async function pageThrough(
  ids: readonly string[],
  at: string,
  page: (id: string, at: string) => Promise<SourcePage>,
): Promise<SourcePage> {
  const [id = ids[0], from = ""] = at === "" ? [] : at.split(" ");
  if (id === undefined) return { records: [], next: null };
  const { records, next } = await page(id, from);
  const following = ids[ids.indexOf(id) + 1];
  return { records, next: next !== null ? `${id} ${next}` : following === undefined ? null : `${following} ` };
}

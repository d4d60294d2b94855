// The preview of "merge all with the same mailbox": the number of groups, the contacts that cannot be merged, and the
// first three groups in full.
import { contactsNumbered } from "../../../programs/campaigns/audience-queries.ts";
import type { Variables } from "../../../audience/contacts/data.ts";
import type { Contact } from "../../../audience/contacts/queries.ts";
import type { Reader, Store } from "../../../store/store.ts";
import { dataChanges, lostValues, type ValueLoss } from "../../people/merging/data.ts";
import { dismissals, foundBy, judge, type MergeVerdict, type MergeRefusal } from "./merge-all.ts";
import * as queries from "./merging-queries.ts";
import { searchOf } from "./queries.ts";

const GROUPS_A_WINDOW = 500;
const MOST_SAMPLES = 3;

export type MergePreview = {
  readonly searchId: string;
  readonly groups: number;
  /** The contacts that are merged into others. */
  readonly contacts: number;
  /** Groups with both subscribed and unsubscribed contacts. */
  readonly unsubscribing: number;
  readonly refused: Readonly<Record<MergeRefusal, number>>;
  readonly samples: readonly MergeSample[];
};

type MergeSample = {
  readonly into: Contact;
  readonly from: readonly Contact[];
  readonly subscribed: boolean;
  /** The data that the remaining contact gets from the others. */
  readonly added: Variables;
  readonly lost: readonly ValueLoss[];
};

/** @throws AppError CONFLICT without a finished search */
export async function previewMergeAll(store: Store, workspace: number): Promise<MergePreview> {
  const searchId = foundBy(await store.read((reader) => searchOf(reader, workspace)));
  const last = await store.read((reader) => queries.lastGroup(reader, workspace));
  const counts = { groups: 0, contacts: 0, unsubscribing: 0, refused: { pending: 0, dismissed: 0 } };
  const first: (readonly number[])[] = [];
  for (let after = 0; after < last; after += GROUPS_A_WINDOW) {
    const stretch = { after, upTo: after + GROUPS_A_WINDOW };
    const judged = await store.read((reader) => judgedIn(reader, workspace, stretch), { longFor: workspace });
    for (const { those, refusal } of judged) {
      if (refusal !== null) {
        counts.refused[refusal]++;
        continue;
      }
      counts.groups++;
      counts.contacts += those.length - 1;
      if (new Set(those.map(({ subscribed }) => subscribed)).size > 1) counts.unsubscribing++;
      if (first.length < MOST_SAMPLES) first.push(those.map(({ seq }) => seq));
    }
  }
  return { searchId, ...counts, samples: await store.read((reader) => samplesOf(reader, first)) };
}

type GroupRange = Parameters<typeof queries.membersOf>[2];

async function judgedIn(
  reader: Reader,
  workspace: number,
  stretch: GroupRange,
): Promise<MergeVerdict<queries.DuplicateMember>[]> {
  const members = await queries.membersOf(reader, workspace, stretch);
  const dismissed = await dismissals(
    reader,
    members.map(({ seq }) => seq),
  );
  const groups = [...Map.groupBy(members, ({ number }) => number).values()];
  return groups.flatMap((group) => judge(group, dismissed) ?? []);
}

async function samplesOf(reader: Reader, groups: readonly (readonly number[])[]): Promise<MergeSample[]> {
  const contacts = new Map((await contactsNumbered(reader, groups.flat())).map((one) => [one.seq, one]));
  return groups.flatMap((seqs) => {
    const [into, ...from] = seqs.flatMap((seq) => contacts.get(seq) ?? []);
    return into ? sampleOf(into, from) : [];
  });
}

function sampleOf(into: Contact, from: readonly Contact[]): MergeSample {
  const all = [into, ...from];
  const added = dataChanges(all, { rule: "keep", values: {} });
  const subscribed = all.every((one) => one.subscribed);
  return { into, from, subscribed, added, lost: lostValues(from, { ...into.data, ...added }) };
}

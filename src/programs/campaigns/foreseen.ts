// The number of people that an unsent campaign would reach now: counted for a limited time, and estimated from a sample
// if that is not enough.
import type { Clock } from "../../base/clock.ts";
import { keptCount } from "../../audience/contacts/count-queries.ts";
import { lastContact, nthContact, type Range } from "../../audience/contacts/search/selection-queries.ts";
import { AppError } from "../../base/errors.ts";
import type { Reader, Store } from "../../store/store.ts";
import { acceptAudience, audienceOf } from "./audience.ts";
import { countReached, reachedByDomain, type Audience } from "./audience-queries.ts";
import type { TopicalAudience } from "./fields.ts";

/** For all campaigns of an answer together. */
const BUDGET_MS = 300;
const CONTACTS_A_READ = 20_000;

export type RecipientEstimate = { readonly totalRecipients: number; readonly totalIsEstimate: boolean };
const NOBODY: RecipientEstimate = { totalRecipients: 0, totalIsEstimate: false };

type ForecastGround = { readonly store: Store; readonly clock: Clock };

/**
 * One reach for each of these audiences. One that cannot be chosen has no people; a single audience may come back in
 * the form in which it is kept.
 */
export async function foresee(
  ground: ForecastGround,
  workspace: number,
  inputs: readonly TopicalAudience[],
  contactsARead = CONTACTS_A_READ,
): Promise<(input: TopicalAudience) => RecipientEstimate> {
  const endMs = ground.clock.monotonicMs() + BUDGET_MS;
  const known = new Map<string, RecipientEstimate>();
  for (const input of inputs) {
    const name = audienceKey(input);
    if (!known.has(name))
      known.set(name, await counted(ground, await audienceIn(ground, workspace, input), { endMs, contactsARead }));
  }
  const only = known.size === 1 ? known.values().next().value : undefined;
  return (input) => known.get(audienceKey(input)) ?? only ?? NOBODY;
}

/** The people of an audience, by the domains of their addresses; also within a limited time. */
export async function countByDomain(
  ground: ForecastGround,
  workspace: number,
  input: TopicalAudience,
  contactsARead = CONTACTS_A_READ,
): Promise<{ readonly byDomain: ReadonlyMap<string, number>; readonly isEstimate: boolean }> {
  const byDomain = new Map<string, number>();
  const audience = await audienceIn(ground, workspace, input);
  if (audience === null) return { byDomain, isEstimate: false };
  const endMs = ground.clock.monotonicMs() + BUDGET_MS;
  const factor = await goThrough(
    ground,
    workspace,
    { endMs, contactsARead },
    {
      read: (reader, range) => reachedByDomain(reader, audience, range),
      add: (found) => found.forEach(({ domain, people }) => byDomain.set(domain, (byDomain.get(domain) ?? 0) + people)),
    },
  );
  const estimated = [...byDomain].map(([domain, people]) => [domain, Math.round(people * (factor ?? 1))] as const);
  return { byDomain: new Map(estimated), isEstimate: factor !== null };
}

/** Two campaigns with the same audience go to the same people. */
function audienceKey({ audienceType, segmentId, audienceCondition, topic }: TopicalAudience): string {
  return JSON.stringify([audienceType, segmentId, audienceCondition, topic]);
}

/** Null if a segment or condition is not chosen, or would be refused. */
async function audienceIn(
  { store, clock }: ForecastGround,
  workspace: number,
  input: TopicalAudience,
): Promise<Audience | null> {
  try {
    return await store.read(async (reader) => {
      const { audience } = await acceptAudience(reader, workspace, input);
      return audienceOf(reader, workspace, { ...audience, topic: input.topic ?? null }, clock.nowMs());
    });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

type ReadBudget = { readonly endMs: number; readonly contactsARead: number };

async function counted(
  ground: ForecastGround,
  audience: Audience | null,
  pace: ReadBudget,
): Promise<RecipientEstimate> {
  if (audience === null) return NOBODY;
  let people = 0;
  const factor = await goThrough(ground, audience.workspace, pace, {
    read: (reader, range) => countReached(reader, audience, range),
    add: (reached) => (people += reached),
  });
  return { totalRecipients: Math.round(people * (factor ?? 1)), totalIsEstimate: factor !== null };
}

type StretchCount<Found> = {
  readonly read: (reader: Reader, range: Range) => Promise<Found>;
  readonly add: (found: Found) => unknown;
};

/**
 * Reads a workspace's contacts piece by piece until the time is over. Null = all were read; else the factor by which
 * there are more.
 */
async function goThrough<Found>(
  { store, clock }: ForecastGround,
  workspace: number,
  { endMs, contactsARead }: ReadBudget,
  { read, add }: StretchCount<Found>,
): Promise<number | null> {
  const last = await store.read((reader) => lastContact(reader, workspace));
  let [after, looked] = [0, 0];
  while (after < last) {
    if (looked > 0 && clock.monotonicMs() > endMs)
      return (await store.read((reader) => keptCount(reader, workspace, null))) / looked;
    const range = { after, upTo: last };
    const [end, found] = await store.read(
      async (reader) => {
        const upTo = (await nthContact(reader, workspace, range, contactsARead)) ?? last;
        return [upTo, await read(reader, { ...range, upTo })] as const;
      },
      { longFor: workspace },
    );
    add(found);
    [after, looked] = [end, looked + contactsARead];
  }
  return null;
}

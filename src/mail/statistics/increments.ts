// The states of mails, as increments and as sums of them.
import type { CountName } from "../../tenant/events/catalog.ts";

export type CountSums = Readonly<Record<CountName, number>>;

/** The groups into which mails are divided, besides their origin. */
export const GROUP_KINDS = ["template", "campaign", "provider", "tag", "hop"] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

export function isGroupKind(name: string): name is GroupKind {
  return (GROUP_KINDS as readonly string[]).includes(name);
}

export type Increment = {
  readonly workspace: number;
  /** `2026-03-01T09:15`: the quarter of an hour in which it happened. */
  readonly quarter: string;
  readonly sourceType: string;
  /** The sender domain. */
  readonly domain: string;
  readonly what: CountName;
  /** Public ids; null = none. */
  readonly template: string | null;
  readonly campaign: string | null;
  /** The provider of the recipient's mailbox. */
  readonly provider: string;
  /** JSON array; null = none. */
  readonly tags: string | null;
  /** The number of the mail server that took or refused it; null = none. */
  readonly hop: string | null;
  readonly times: number;
};

/** Equal increments become one. */
export function merged(increments: readonly Increment[]): Increment[] {
  const alike = new Map<string, Increment>();
  for (const increment of increments) {
    const key = JSON.stringify({ ...increment, times: 0 });
    alike.set(key, { ...increment, times: increment.times + (alike.get(key)?.times ?? 0) });
  }
  return [...alike.values()];
}

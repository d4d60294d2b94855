// The record of a warm-up, for the interface.
import { t } from "elysia";
import { ifUpdatedAtShape } from "../../tenant/access/saving-shape.ts";
import { DAY_MS, iso } from "../../base/clock.ts";
import { countShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { optional, wholeNumber } from "../../http/schemas.ts";
import { PROVIDER_NAMES, PROVIDERS } from "../../mail/statistics/providers.ts";
import type { Reader } from "../../store/store.ts";
import { allowedOn, DEFAULT_PLAN, doneAtMs, lengthOf, MOST_A_DAY, MOST_DAYS, type WarmupPlan } from "./plan.ts";
import { sentToday, waitingOf, warmupOf, type Warmup } from "./queries.ts";
import { hasHistory } from "./warmup.ts";

const daysShape = t.Array(wholeNumber(1, MOST_A_DAY), { minItems: 1, maxItems: MOST_DAYS });
const providersShape = t.Object(Object.fromEntries(PROVIDERS.map(({ name }) => [name, optional(daysShape)])), {
  additionalProperties: false,
});

export const planShape = t.Object(
  {
    days: { ...daysShape, description: "Emails to each mailbox provider, from the first day on." },
    providers: optional(providersShape, "Providers with days of their own."),
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { title: "WarmupPlan", examples: [{ days: [50, 50, 100, 100, 200, 200] }] },
);

export function planOf({ days, providers }: typeof planShape.static): WarmupPlan {
  const own = Object.entries(providers ?? {}).flatMap(([name, theirs]) => (theirs ? [[name, theirs] as const] : []));
  return { days, providers: Object.fromEntries(own) };
}

const providerShape = t.Object({
  provider: oneOf(...PROVIDER_NAMES),
  allowed: { ...countShape, description: "On this day of the plan." },
  sent: { ...countShape, description: "On this day, transactional email included." },
  waiting: countShape,
  doneAt: {
    ...nullable(timeShape),
    description: "When the last of those that wait will have left; null = none waits, or nothing leaves.",
  },
});

export const warmupShape = t.Object(
  {
    state: t.Union(
      (["NONE", "PLANNED", "RUNNING", "PAUSED", "HALTED", "DONE", "SKIPPED"] as const).map((state) => t.Literal(state)),
      {
        description:
          "PLANNED: it begins with the first marketing email. NONE: the domain has a history, or warm-ups are switched off. HALTED: it stopped by itself, for `reason`.",
      },
    ),
    reason: {
      ...nullable(t.String()),
      description: "HALTED: what was too high. SKIPPED: what the person who ended it said.",
    },
    day: { ...nullable(countShape), description: "Of the plan, from 1. A day counts once email has left on it." },
    dayEndsAt: nullable(timeShape),
    plan: t.Object({ days: t.Array(countShape), providers: t.Record(t.String(), t.Array(countShape)) }),
    today: t.Array(providerShape, { description: "Providers that got email today, or for which some waits." }),
    doneAt: { ...nullable(timeShape), description: "When the last email that waits will have left." },
    startedAt: nullable(timeShape),
    updatedAt: {
      ...nullable(timeShape),
      description: "When its plan was saved. Days that begin leave it as it is. null = it has not begun.",
    },
  },
  { title: "Warmup" },
);

export type WarmupRecord = typeof warmupShape.static;

export const skipShape = t.Object(
  {
    reason: optional(
      t.String({ minLength: 1, maxLength: 500 }),
      "Such as that the domain has sent as much elsewhere. It is in the audit log.",
    ),
  },
  { examples: [{ reason: "It has sent 20,000 emails a day elsewhere." }] },
);

const MOST_COUNTED = 50_000;

/** A sender domain or a way out. */
export type WarmupTarget = { readonly workspace: number; readonly domain: number } | { readonly way: string };

/** `isWanted`: new domains get a warm-up. A way out has one only if a person starts it. */
export async function warmupRecord(
  reader: Reader,
  of: WarmupTarget,
  { nowMs, isWanted }: { readonly nowMs: number; readonly isWanted: boolean },
): Promise<WarmupRecord> {
  const warmup = await warmupOf(reader, of);
  if (warmup === null) {
    const isNone = "way" in of || !isWanted || (await hasHistory(reader, of, nowMs));
    return { ...NOT_BEGUN, state: isNone ? "NONE" : "PLANNED", plan: planRecord(DEFAULT_PLAN) };
  }
  const { state, reason, day, dayBeganAt, plan, startedAt, plannedAt } = warmup;
  const isOver = state === "DONE" || state === "SKIPPED";
  const today = isOver ? [] : await todayOf(reader, warmup, nowMs);
  return {
    state,
    reason,
    day: Math.min(day, lengthOf(plan)),
    dayEndsAt: dayBeganAt === null || isOver ? null : iso(Date.parse(dayBeganAt) + DAY_MS),
    plan: planRecord(plan),
    today,
    doneAt:
      today
        .flatMap(({ doneAt }) => doneAt ?? [])
        .toSorted()
        .at(-1) ?? null,
    startedAt,
    updatedAt: plannedAt,
  };
}

const NOT_BEGUN = {
  reason: null,
  day: null,
  dayEndsAt: null,
  today: [],
  doneAt: null,
  startedAt: null,
  updatedAt: null,
};

function planRecord({ days, providers }: WarmupPlan): WarmupRecord["plan"] {
  const own = Object.entries(providers).map(([name, theirs]): [string, number[]] => [name, [...theirs]]);
  return { days: [...days], providers: Object.fromEntries(own) };
}

async function todayOf(reader: Reader, warmup: Warmup, nowMs: number): Promise<WarmupRecord["today"]> {
  const { plan, day, state } = warmup;
  const sent = new Map((await sentToday(reader, warmup.seq)).map((one) => [one.mailbox, one.sent]));
  const waiting = new Map(
    (await waitingOf(reader, warmup.domain, MOST_COUNTED)).map((one) => [one.mailbox, one.count]),
  );
  return PROVIDERS.flatMap(({ name: provider }) => {
    const [has, waits] = [sent.get(provider) ?? 0, waiting.get(provider) ?? 0];
    const allowed = allowedOn(plan, provider, day);
    if (allowed === null || has + waits === 0) return [];
    const ends =
      state === "RUNNING" && waits > 0 ? iso(doneAtMs({ ...warmup, sent: has }, provider, waits, nowMs)) : null;
    return [{ provider, allowed, sent: has, waiting: waits, doneAt: ends }];
  });
}

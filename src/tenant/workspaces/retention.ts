// How many days a workspace keeps its data: at most as many as the installation. 0 = forever.
import type { Config } from "../../base/config.ts";
import { invalidFields } from "../../base/errors.ts";
import type { Retention } from "./queries.ts";

export type Days = Config["retention"];
export const DAYS = ["mailDays", "bodyDays", "eventDays", "inboundDays", "attemptDays", "recipientDays"] as const;

/** Bounce and complaint rates look at a month of mails and events. */
export const LEAST_DAYS: Readonly<Days> = {
  mailDays: 31,
  bodyDays: 1,
  eventDays: 31,
  inboundDays: 1,
  attemptDays: 1,
  recipientDays: 31,
};
export const MOST_DAYS = 36_500;

/** The days that count for a workspace: its own where they are lower. A mail's content never outlives its record. */
export function daysOf(installation: Days, own: Retention): Days {
  const days = lowest(installation, own);
  return { ...days, bodyDays: lower(days.bodyDays, days.mailDays) };
}

function lowest(installation: Days, own: Retention): Days {
  return {
    mailDays: lower(installation.mailDays, own.mailDays ?? 0),
    bodyDays: lower(installation.bodyDays, own.bodyDays ?? 0),
    eventDays: lower(installation.eventDays, own.eventDays ?? 0),
    inboundDays: lower(installation.inboundDays, own.inboundDays ?? 0),
    attemptDays: lower(installation.attemptDays, own.attemptDays ?? 0),
    recipientDays: lower(installation.recipientDays, own.recipientDays ?? 0),
  };
}

function lower(one: number, other: number): number {
  if (one === 0 || other === 0) return one + other;
  return Math.min(one, other);
}

/** Undefined leaves a workspace's days as they are, null makes them those of the installation. */
export type RetentionInput = { readonly [Kind in keyof Days]?: number | null | undefined };

/** @throws AppError VALIDATION_ERROR naming all that exceed the installation's */
export function changedRetention(before: Retention, input: RetentionInput, installation: Days): Retention {
  const tooLong = DAYS.filter((kind) => installation[kind] > 0 && (input[kind] ?? 0) > installation[kind]);
  const errors = tooLong.map((kind) => ({
    field: `retention.${kind}`,
    message: `This server keeps them for ${installation[kind]} days; a workspace may set fewer.`,
    code: "too_big",
  }));
  if (errors.length > 0) throw invalidFields(errors);
  return {
    mailDays: given(input.mailDays, before.mailDays),
    bodyDays: given(input.bodyDays, before.bodyDays),
    eventDays: given(input.eventDays, before.eventDays),
    inboundDays: given(input.inboundDays, before.inboundDays),
    attemptDays: given(input.attemptDays, before.attemptDays),
    recipientDays: given(input.recipientDays, before.recipientDays),
  };
}

function given(value: number | null | undefined, before: number | null): number | null {
  return value === undefined ? before : value;
}

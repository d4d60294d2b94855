// Workflows in files: steps have names instead of ids, and each lists its next steps.
import { createWithSteps } from "../../programs/workflows/definition/create-with-steps.ts";
import { replaceWorkflow } from "../../programs/workflows/definition/replace.ts";
import { creationShape } from "../../programs/workflows/definition/shape.ts";
import { findWithSteps, removeWorkflow, type WorkflowWithSteps } from "../../programs/workflows/definition/workflow.ts";
import { maskedHeaders } from "../../programs/webhooks/sending/url.ts";
import type { Fields, FileTerms, KeptKind } from "./kind.ts";
import { freeName, inCondition, plainName, type Names } from "./names.ts";
import type { Tx } from "../../store/store.ts";

export const WORKFLOWS: KeptKind = {
  permission: "workflows.write",
  fields: {
    name: undefined,
    description: null,
    enabled: false,
    trigger: undefined,
    reentry: "never",
    entryKey: null,
    steps: {},
  },
  shape: creationShape,
  read: (reader, workspace, id) => findWithSteps(reader, workspace, id),
  create: async (tx, terms, _, input) => {
    const { caller } = terms;
    const bare = { ...input, enabled: false, steps: [], transitions: null, by: caller.by };
    const { id } = await createWithSteps(tx, caller.workspace, bare);
    await replace(tx, terms, id, input);
    return id;
  },
  change: replace,
  remove: (tx, { caller }, id) => removeWorkflow(tx, caller.workspace, id),
  withNames: (fields, names) => drawnWithNames(fields as unknown as WorkflowWithSteps, names),
  withIds: ({ trigger, steps, ...fields }, names) => {
    const { type = "EVENT", next: first, segment, ...config } = objectIn(trigger);
    const scheduled = segment === undefined ? {} : { segmentId: names.idOf("segments", String(segment)) };
    return {
      ...fields,
      triggerType: type,
      triggerConfig: { ...config, ...scheduled },
      steps: stepsIn(steps).map(([ref, { next: _, ...step }]) => ({
        name: ref,
        ...step,
        ref,
        config: configWithIds(step["type"], objectIn(step["config"]), names),
      })),
      transitions: arrowsIn(first, steps),
    };
  },
  masked: ({ steps, ...fields }) => ({
    ...fields,
    steps: Object.fromEntries(stepsIn(steps).map(([key, step]) => [key, maskedStep(step)])),
  }),
  placed: (field, { trigger, steps }) => {
    const [place, at, ...rest] = field.split(".");
    if (place === "steps" && at)
      return ["steps", stepsIn(steps)[Number(at)]?.[0], ...rest].join(".").replace(/\.templateId$/, ".template");
    if (place === "transitions" && at) {
      const from = arrowsIn(objectIn(trigger)["next"], steps)[Number(at)]?.fromStepId ?? "trigger";
      return from === "trigger" ? "trigger.next" : `steps.${from}.next`;
    }
    return field
      .replace(/^triggerConfig\.segmentId$/, "trigger.segment")
      .replace(/^triggerConfig/, "trigger")
      .replace(/^triggerType$/, "trigger.type")
      .replace(/^eventName$/, "trigger.eventName");
  },
};

/** In files: the branch for all other outcomes. */
const ANY_BRANCH = "*";

type Arrow = { readonly fromStepId: string; readonly toStepId: string; readonly condition: { branch: string } | null };

/** `first`: the step after the trigger. */
function arrowsIn(first: unknown, steps: unknown): Arrow[] {
  const leaving = [["trigger", first] as const, ...stepsIn(steps).map(([key, { next }]) => [key, next] as const)];
  return leaving.flatMap(([fromStepId, next]) => {
    if (next === undefined || next === null) return [];
    const ways = typeof next === "object" ? Object.entries(next) : [[ANY_BRANCH, next] as const];
    return ways.map(([branch, to]) => {
      return { fromStepId, toStepId: to as string, condition: branch === ANY_BRANCH ? null : { branch } };
    });
  });
}

/** Steps that keep their names and types stay, with the people at them and their places on the canvas. */
async function replace(tx: Tx, { caller, onEnabled, webhookAllow }: FileTerms, id: string, input: Fields) {
  const { workspace, by } = caller;
  const stored = (await findWithSteps(tx, workspace, id)).steps;
  const own = new Map(keysOf(stored).map((key, at) => [`${stored[at]?.type} ${key}`, stored[at]]));
  const { steps, transitions, ...fields } = input as {
    readonly steps: readonly { readonly ref: string; readonly type: string }[];
    readonly transitions: readonly Arrow[];
  };
  const known = new Map(
    steps.flatMap(({ ref, type }) => own.get(`${type} ${ref}`) ?? []).map((step) => [step.id, step]),
  );
  const idOf = new Map(steps.map(({ ref, type }) => [ref, own.get(`${type} ${ref}`)?.id ?? ref]));
  const refOf = (ref: string) => idOf.get(ref) ?? ref;
  await replaceWorkflow(tx, { workspace, id, onEnabled, webhookAllow }, {
    ...fields,
    by,
    steps: steps.map((step) => {
      const ref = refOf(step.ref);
      return { ...step, ref, position: known.get(ref)?.position ?? null };
    }),
    transitions: transitions.map((one) => {
      return { ...one, fromStepId: refOf(one.fromStepId), toStepId: refOf(one.toStepId) };
    }),
  } as never);
}

/** The unique name of each step, in plain words. */
function keysOf(steps: readonly { readonly name: string; readonly type: string }[]): string[] {
  const taken = new Set(["trigger"]);
  return steps.map(({ name, type }) => {
    if (type === "TRIGGER") return "trigger";
    const key = freeName(plainName(name), taken);
    taken.add(key);
    return key;
  });
}

function drawnWithNames({ steps, transitions, trigger, ...fields }: WorkflowWithSteps, names: Names): Fields {
  const keys = keysOf(steps);
  const keyOf = new Map(steps.map(({ id }, at) => [id, keys[at] as string]));
  const nextOf = (from: string) => {
    const ways = transitions.filter((one) => one.from === from);
    const [only] = ways;
    if (!only) return {};
    const named = ways.map(({ branch, to }) => [branch ?? ANY_BRANCH, keyOf.get(to)]);
    return { next: ways.length === 1 && only.branch === null ? keyOf.get(only.to) : Object.fromEntries(named) };
  };
  const first = steps.find(({ type }) => type === "TRIGGER")?.id ?? "";
  const { segmentId, ...config } = trigger.config as Fields;
  const scheduled = segmentId === undefined ? {} : { segment: names.nameOf("segments", String(segmentId)) };
  const drawn = steps.flatMap(({ id, type, name, config: own }) => {
    if (type === "TRIGGER") return [];
    return [
      [keyOf.get(id), { type, name, config: configWithNames(type, own as Fields, names), ...nextOf(id) }] as const,
    ];
  });
  return {
    ...fields,
    trigger: { type: trigger.type, ...config, ...scheduled, ...nextOf(first) },
    steps: Object.fromEntries(drawn),
  };
}

function configWithNames(type: unknown, config: Fields, names: Names): Fields {
  const { templateId, condition, ...rest } = config;
  if (type === "CONDITION" && condition !== undefined)
    return { ...config, condition: inCondition(condition, (id) => names.nameOf("segments", id)) };
  if (type !== "SEND_EMAIL") return config;
  return { template: inReference(String(templateId), (id) => names.nameOf("templates", id)), ...rest };
}

function configWithIds(type: unknown, config: Fields, names: Names): Fields {
  const { template, ...rest } = config;
  if (type === "CONDITION" && "condition" in config)
    return { ...config, condition: inCondition(config["condition"], (name) => names.idOf("segments", name)) };
  if (type !== "SEND_EMAIL" || typeof template !== "string") return config;
  return { ...rest, templateId: inReference(template, (name) => names.idOf("templates", name)) };
}

/** `receipt@3` is its version 3. */
function inReference(reference: string, other: (named: string) => string): string {
  const [named = "", ...version] = reference.split("@");
  return [other(named), ...version].join("@");
}

function maskedStep(step: Fields): Fields {
  const config = objectIn(step["config"]);
  if (step["type"] !== "WEBHOOK" || typeof config["headers"] !== "object") return step;
  return {
    ...step,
    config: { ...config, headers: maskedHeaders(objectIn(config["headers"]) as Record<string, string>) },
  };
}

export function stepCountOf(fields: Fields | null | undefined): number {
  return stepsIn(fields?.["steps"]).length;
}

function stepsIn(steps: unknown): [key: string, step: Fields][] {
  return Object.entries(objectIn(steps)).map(([key, step]) => [key, objectIn(step)]);
}

/** Other faults are found when the API's shapes are checked. */
function objectIn(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

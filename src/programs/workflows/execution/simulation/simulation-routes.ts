// /workflows/{id}/simulate and simulate-past: the steps that would be taken, and those that would have been.
import { t } from "elysia";
import { DAY_MS, iso } from "../../../../base/clock.ts";
import type { Variables } from "../../../../audience/contacts/data.ts";
import { renderedTexts, type RenderResult, type RenderedPart } from "../../../../content/rendering/parts.ts";
import type { Renderer } from "../../../../content/rendering/renderer.ts";
import { AppError, refuse } from "../../../../base/errors.ts";
import { countShape, oneOf, timeShape } from "../../../../http/answer-shapes.ts";
import { addressShape, dataShape, idInputShape, optional, wholeNumber } from "../../../../http/schemas.ts";
import type { Reader } from "../../../../store/store.ts";
import type { Access } from "../../../../tenant/access/auth.ts";
import { queryPost, route, routes } from "../../../../tenant/access/route-table.ts";
import { REENTRIES, type Definition } from "../../definition/definition.ts";
import { readDraft } from "../../definition/draft.ts";
import { allowsReentry, readEntering } from "../../definition/reentry.ts";
import { drawing, entryKeyShape } from "../../definition/shape.ts";
import { eventNameShape, triggerConfigShape, triggerTypeShape } from "../../definition/steps/step-shape.ts";
import { maySeeHeaders } from "../../definition/steps/masked-headers.ts";
import { findWithSteps, findWorkflow } from "../../definition/workflow.ts";
import { UnfitRequest } from "../../../webhooks/sending/call.ts";
import { maskedHeaders } from "../../../webhooks/sending/url.ts";
import { requestOf } from "../../webhook/request.ts";
import type { MailPlan } from "../steps/mail-step.ts";
import { eventsSince } from "../queries.ts";
import { MAX_CHARS, partsOf, walk, type Obstacle, type SimulationPlan, type SimulationWalk } from "./simulation.ts";
import { simulationShape } from "./simulation-shape.ts";
import { SAID } from "../unstarted/unstarted.ts";

type Simulation = typeof simulationShape.static;

type SimulationStepResult = {
  readonly status: "COMPLETED" | "SKIPPED" | "FAILED";
  readonly output: Variables;
  readonly end?: { readonly status: "EXITED" | "FAILED"; readonly reason: string };
};

const TOO_LARGE = "The simulation ends here: its emails and webhooks are too large, or take too long to render.";

/** Ends early with FAILED if texts take too long to render, or are too large to show. */
export function simulationOf(
  { contact, event, obstacle, steps: walked, isCut }: SimulationWalk,
  { parts }: RenderResult,
  mayReadHeaders: boolean,
): Simulation {
  const steps: Simulation["steps"] = [];
  const begun = { contact, event, obstacle: obstacle && saidOf(obstacle), obstacleReason: obstacle, steps };
  const rendered = parts.values();
  let chars = 0;
  for (const { step, at, plan, part } of walked) {
    const seen = part ? rendered.next().value : undefined;
    if (chars > MAX_CHARS || (part && !seen)) return { ...begun, status: "FAILED", reason: TOO_LARGE };
    const { status, output, end } = stepResult(plan, seen, mayReadHeaders);
    steps.push({ stepId: step.id, name: step.name, type: step.type, at, status, output });
    chars += JSON.stringify(output).length;
    if (end) return { ...begun, ...end };
  }
  return isCut ? { ...begun, status: "FAILED", reason: TOO_LARGE } : { ...begun, status: "COMPLETED", reason: null };
}

function saidOf(obstacle: Obstacle): string {
  if (obstacle === "disabled") return "The workflow is disabled.";
  return obstacle === "not_member" ? "The contact is not in the segment that the schedule starts." : SAID[obstacle];
}

function stepResult(
  plan: SimulationPlan,
  rendered: RenderedPart | undefined,
  mayReadHeaders: boolean,
): SimulationStepResult {
  if (plan.kind === "done") return { status: plan.skipped ? "SKIPPED" : "COMPLETED", output: plan.output };
  if (plan.kind === "exit") return { status: "COMPLETED", output: {}, end: { status: "EXITED", reason: plan.reason } };
  if (plan.kind === "fail") return failed(plan.reason);
  return plan.kind === "mail" ? shownMail(plan, rendered) : shownCall(plan, rendered, mayReadHeaders);
}

function shownMail({ content, to }: MailPlan, rendered: RenderedPart | undefined): SimulationStepResult {
  const { kind: _, missing: __, findings: ___, ...mail } = rendered as RenderedPart & { readonly kind: "mail" };
  const output = { templateId: content.templateId, mail: { from: content.from.address, to, ...mail } };
  return { status: "COMPLETED", output };
}

/** The request; no host is looked up, and nothing is sent. */
function shownCall(
  { config, payload }: SimulationPlan & { readonly kind: "call" },
  rendered: RenderedPart | undefined,
  mayReadHeaders: boolean,
): SimulationStepResult {
  try {
    const { url, method, headers, body } = requestOf(config, payload, renderedTexts(rendered));
    return {
      status: "COMPLETED",
      output: { request: { url: url.href, method, headers: mayReadHeaders ? headers : maskedHeaders(headers), body } },
    };
  } catch (error) {
    if (!(error instanceof UnfitRequest)) throw error;
    if (config.onFailure === "stop") return failed(error.message);
    return { status: "FAILED", output: { reason: error.message } };
  }
}

function failed(reason: string): SimulationStepResult {
  return { status: "FAILED", output: { reason }, end: { status: "FAILED", reason } };
}

const simulationInput = t.Object(
  {
    contactId: optional(idInputShape, "Either this,"),
    email: optional(addressShape, "or the contact's address."),
    event: optional(
      dataShape,
      "The data of the event that starts it. Unless given, that of the contact's last event of this name.",
    ),
    branches: optional(t.Record(t.String(), oneOf("event", "timeout"))),
    events: optional(t.Record(t.String(), dataShape), "What the event of each wait brings, by step id."),
    reentry: optional(oneOf(...REENTRIES), "In place of its own."),
    entryKey: optional(entryKeyShape, "In place of its own."),
    triggerType: optional(triggerTypeShape, "In place of its own, with `triggerConfig`."),
    triggerConfig: optional(triggerConfigShape),
    steps: optional(drawing.steps, "Steps in place of its own, as `PUT /workflows/{id}` takes them."),
    transitions: optional(drawing.transitions),
  },
  { examples: [{ contactId: "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f", event: { plan: "pro" } }] },
);

type SimulationBody = typeof simulationInput.static;

function inputIn({ event, branches, events, reentry, entryKey, triggerType, triggerConfig, ...asked }: SimulationBody) {
  const who = { contactId: asked.contactId ?? null, email: asked.email ?? null };
  const entering = { reentry: reentry ?? null, ...(entryKey === undefined ? {} : { entryKey }) };
  const trigger = { triggerType: triggerType ?? null, triggerConfig: triggerConfig ?? null };
  return { who, event: event ?? null, branches: branches ?? {}, events: events ?? {}, entering, trigger };
}

type SimulationOptions = {
  readonly workspace: number;
  readonly workflow: string;
  readonly webhookAllow: readonly string[];
};

/** @throws AppError VALIDATION_ERROR if the draft could not be saved */
async function draftIn(
  reader: Reader,
  terms: SimulationOptions,
  { steps, transitions }: SimulationBody,
): Promise<Definition | null> {
  if (!steps) return null;
  const { steps: stored } = await findWithSteps(reader, terms.workspace, terms.workflow);
  const { faults, ...draft } = await readDraft(reader, { ...terms, stored }, { steps, transitions: transitions ?? [] });
  refuse(faults);
  return draft;
}

/** For all mails and webhooks of a simulation. */
const RENDERING_MS = 500;

export function simulationRoutes(access: Access, renderer: Renderer, webhookAllow: readonly string[]) {
  const { store, clock } = access;
  return routes(access, [
    route(
      "POST",
      "/workflows/:id/simulate",
      {
        name: "simulateWorkflow",
        summary: "Simulate a workflow for one contact",
        answers: { 200: simulationShape },
        permission: "read",
        body: simulationInput,
        refuses: ["WORKFLOW_NOT_FOUND", "CONTACT_NOT_FOUND"],
        harmless: true,
        description:
          "What is not saved yet is tried with `steps` and `transitions`. `branches` says, by step id, how each wait ends: `event` or `timeout`. Emails and webhooks are shown rendered.",
      },
      async ({ params, body, caller }) => {
        const { workspace } = caller;
        const walked = await store.read(async (reader) => {
          const draft = await draftIn(reader, { workspace, workflow: params.id, webhookAllow }, body);
          return walk(reader, clock, { workspace, workflow: params.id }, { ...inputIn(body), draft });
        });
        const rendered = await renderer.render(workspace, partsOf(walked), { limitMs: RENDERING_MS });
        return simulationOf(walked, rendered, maySeeHeaders(caller));
      },
    ),
    queryPost(
      "/workflows/:id/simulate-past",
      {
        name: "simulatePast",
        summary: "Count the contacts that past events would have started",
        answers: {
          200: t.Object(
            {
              since: timeShape,
              events: countShape,
              contacts: countShape,
              wouldEnter: countShape,
              isLowerBound: t.Boolean({
                description: "There are more than the latest 200,000 events, which were counted.",
              }),
            },
            { title: "WorkflowPast" },
          ),
        },
        permission: "read",
        body: t.Object(
          {
            days: wholeNumber(1, 365),
            eventName: optional(eventNameShape, "In place of the event that starts it."),
            reentry: optional(oneOf(...REENTRIES), "In place of its own."),
            allowReentry: optional(t.Boolean(), "As in `POST /workflows`."),
          },
          { examples: [{ days: 30 }] },
        ),
        refuses: ["WORKFLOW_NOT_FOUND", "WORKFLOW_STATE"],
        harmless: true,
        description:
          "With `reentry: never` each contact counts once, otherwise every event. What `after-end` or an `entryKey` would have kept out while an execution was running cannot be told, and is counted.",
      },
      async (reader, { params, body, caller: { workspace } }) => {
        const { trigger, ...own } = await findWorkflow(reader, workspace, params.id);
        const eventName = body.eventName ?? (trigger.type === "EVENT" ? trigger.config.eventName : null);
        if (eventName === null) throw new AppError("WORKFLOW_STATE", "No event starts this workflow.");
        const since = iso(clock.nowMs() - body.days * DAY_MS);
        const { isLowerBound, ...counts } = await eventsSince(reader, workspace, eventName, since);
        const { reentry } = readEntering({ ...body, entryKey: null }, own);
        return { since, ...counts, wouldEnter: allowsReentry(reentry) ? counts.events : counts.contacts, isLowerBound };
      },
      "long",
    ),
  ]);
}

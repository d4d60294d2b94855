// Creates a workflow from a starter, with its templates and, for some, a segment.
import type { Schemas } from "../../calls/schemas.ts";
import type { starters } from "../../texts/en/starters.ts";

type StarterWords = typeof starters;
export type StarterId = keyof StarterWords["each"];
type NewTemplate = Schemas["CreateTemplateRequest"];
type NewSegment = Schemas["CreateSegmentRequest"];

/** Creates the parts of a starter; each returns the id that steps use. */
export type CreateHelpers = {
  readonly template: (body: NewTemplate) => Promise<string>;
  /** Returns its slug. */
  readonly segment: (body: NewSegment) => Promise<string>;
};

type Mails = Readonly<Record<string, { readonly name: string; readonly subject: string; readonly body: string }>>;
type Build = (templateOf: (mail: string) => string, slug: string, words: StarterWords) => NewWorkflowInput;
export type StarterStep = {
  readonly ref: string;
  readonly type: string;
  readonly name: string;
  readonly config: object;
};
type NewWorkflowInput = {
  readonly eventName: string;
  readonly reentry?: NonNullable<Schemas["CreateWorkflowRequest"]["reentry"]>;
  readonly steps: readonly StarterStep[];
  /** `from`, `to`, and the branch. */
  readonly transitions: readonly (readonly [from: string, to: string, branch?: string])[];
};

export type Starter = {
  readonly id: StarterId;
  /** The type of its emails: transactional only if people wait for them or must know. */
  readonly kind: NewTemplate["type"];
  /** The condition of its segment, if it needs one. */
  readonly segment?: NewSegment["condition"];
  /** A form can start it. */
  readonly isForSignUps?: true;
  readonly build: Build;
};

export function mailsOf({ id }: Pick<Starter, "id">, words: StarterWords): Mails {
  return words.each[id].mails;
}

/** `greeting`: the Liquid path of the name for greetings. */
type Creator = {
  readonly name: string;
  readonly from: string | null;
  readonly greeting: string;
  /** The event of the chosen form; null = the starter's own event. */
  readonly startedBy: string | null;
};

/** Creates the templates and the segment of a starter; returns the workflow to create, turned off. */
export async function createFrom(
  starter: Starter,
  words: StarterWords,
  { name, from, greeting, startedBy }: Creator,
  making: CreateHelpers,
): Promise<Schemas["CreateWorkflowRequest"]> {
  const own = words.each[starter.id];
  const slug = starter.segment
    ? await making.segment({ name: words.segment, trackMembership: true, condition: starter.segment })
    : "";
  const templates = new Map<string, string>();
  for (const [key, { name: called, subject, body }] of Object.entries<Mails[string]>(own.mails))
    templates.set(
      key,
      await making.template({
        name: called,
        subject: greetedBy(greeting, subject),
        body: emailBody(greetedBy(greeting, body)),
        type: starter.kind,
        from,
      }),
    );
  const { steps, transitions, ...trigger } = starter.build((key) => templates.get(key) ?? "", slug, words);
  return {
    name,
    description: own.text,
    ...trigger,
    ...(startedBy !== null && starter.isForSignUps ? { eventName: startedBy } : {}),
    steps: steps as unknown as NonNullable<Schemas["CreateWorkflowRequest"]["steps"]>,
    transitions: transitions.map(([fromStepId, toStepId, branch]) => ({
      fromStepId,
      toStepId,
      condition: branch === undefined ? null : { branch },
    })),
  };
}

/** The starters' texts use `name` for the greeting. */
function greetedBy(path: string, text: string): string {
  return text.replace(/(\{\{|\{% if) name\b/g, (_, before: string) => `${before} ${path}`);
}

/** A complete, simple email body. */
function emailBody(paragraphs: string): string {
  const lines = paragraphs.split("\n").map((line) => `    <p>${line}</p>`);
  return `<!doctype html>
<html>
  <body style="margin: 0; padding: 32px; font: 16px/26px -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif; color: #1d1b16">
${lines.join("\n")}
  </body>
</html>
`;
}

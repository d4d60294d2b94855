// Six workflows to begin with. Each makes the templates that it sends, one a segment as well; all of it can be changed
// afterwards.
import type { components } from "../api.gen.ts";
import type { starters } from "../texts/en/starters.ts";

type Schemas = components["schemas"];
type Words = typeof starters;
export type StarterId = keyof Words["each"];
type NewTemplate = Schemas["CreateTemplateRequest"];
type NewSegment = Schemas["CreateSegmentRequest"];

/** Where the parts of a starter are made; each answers what steps call it by. */
export type Making = {
  readonly template: (body: NewTemplate) => Promise<string>;
  /** Answers its slug. */
  readonly segment: (body: NewSegment) => Promise<string>;
};

type Mails = Readonly<Record<string, { readonly name: string; readonly subject: string; readonly body: string }>>;
type Build = (templateOf: (mail: string) => string, slug: string, words: Words) => Built;
export type StarterStep = {
  readonly ref: string;
  readonly type: string;
  readonly name: string;
  readonly config: object;
};
type Built = {
  readonly eventName: string;
  readonly reentry?: NonNullable<Schemas["CreateWorkflowRequest"]["reentry"]>;
  readonly steps: readonly StarterStep[];
  /** `from`, `to`, and the branch. */
  readonly ways: readonly (readonly [from: string, to: string, branch?: string])[];
};

export type Starter = {
  readonly id: StarterId;
  readonly kind: NewTemplate["type"];
  /** Its condition; most need none. */
  readonly segment?: NewSegment["condition"];
  readonly build: Build;
};

export function mailsOf({ id }: Pick<Starter, "id">, words: Words): Mails {
  return words.each[id].mails;
}

type Begin = { readonly name: string; readonly from: string | null };

/** Makes what the workflow needs; answers what is to be created. It is off. */
export async function beginWith(
  starter: Starter,
  words: Words,
  { name, from }: Begin,
  making: Making,
): Promise<Schemas["CreateWorkflowRequest"]> {
  const own = words.each[starter.id];
  const slug = starter.segment
    ? await making.segment({ name: words.segment, trackMembership: true, condition: starter.segment })
    : "";
  const templates = new Map<string, string>();
  for (const [key, { name: called, subject, body }] of Object.entries<Mails[string]>(own.mails))
    templates.set(key, await making.template({ name: called, subject, body: letter(body), type: starter.kind, from }));
  const { steps, ways, ...trigger } = starter.build((key) => templates.get(key) ?? "", slug, words);
  return {
    name,
    description: own.text,
    ...trigger,
    steps: steps as unknown as NonNullable<Schemas["CreateWorkflowRequest"]["steps"]>,
    transitions: ways.map(([fromStepId, toStepId, branch]) => ({
      fromStepId,
      toStepId,
      condition: branch === undefined ? null : { branch },
    })),
  };
}

/** Complete, and plain enough to be looked at in every program. */
function letter(paragraphs: string): string {
  const lines = paragraphs.split("\n").map((line) => `    <p>${line}</p>`);
  return `<!doctype html>
<html>
  <body style="margin: 0; padding: 32px; font: 16px/26px sans-serif; color: #1d1b16">
${lines.join("\n")}
  </body>
</html>
`;
}

// /preview and /templates/{id}/preview: the content that a mail would have, without sending one.
import { t } from "elysia";
import { invalidField, readAll } from "../../base/errors.ts";
import { countShape, nullable, oneOf } from "../../http/answer-shapes.ts";
import { dataShape, idInputShape, optional, preheaderShape, subjectOrNoneShape } from "../../http/schemas.ts";
import { alsoSpelt, SPELLINGS } from "../../http/body/spellings.ts";
import { templateTypeShape } from "../templates/record.ts";
import { MAX_SOURCE_CHARS } from "../templates/liquid/render.ts";
import { findTemplate } from "../templates/template.ts";
import { readSource } from "../templates/written.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import type { MailDraft } from "./draft.ts";
import { CLIPPED_AT_BYTES, IMAGE_FAULTS, LINK_FAULTS, MOST_FOUND } from "./findings.ts";
import type { RenderPart, RenderedPart } from "./parts.ts";
import { draftOf, saidBy, type PreviewOptions, type PreviewContent } from "./preview.ts";
import type { Renderer } from "./renderer.ts";

const data = optional(dataShape, "Variables, as in `sendEmail`. Nothing is stored.");
const ofTemplateShape = t.Object(
  { data, contactId: optional(idInputShape, "The contact whose data is used in addition to `data`.") },
  { examples: [{ data: { name: "Ada", order: { number: 4711 } } }] },
);

const source = t.String({ maxLength: MAX_SOURCE_CHARS });
const unsavedShape = t.Object(
  {
    kind: templateTypeShape,
    subject: optional(subjectOrNoneShape),
    preheader: optional(preheaderShape),
    body: alsoSpelt(optional(source, "HTML."), SPELLINGS.body),
    text: optional(source, "Made from the HTML unless given; an empty text means no text part."),
    contactId: optional(idInputShape, "The recipient, whose data is used."),
    eventId: optional(
      idInputShape,
      "Its data is `event`, as in emails of workflows; its contact is the recipient unless `contactId` names one.",
    ),
    data,
  },
  {
    examples: [
      {
        kind: "MARKETING",
        subject: "{{ name ?? 'Hello' }}, it is spring",
        body: "<h1>It is spring</h1><p><a href='https://example.com'>See what is new</a></p>",
        data: { name: "Ada" },
      },
    ],
  },
);

const said = {
  subject: t.String(),
  html: t.String(),
  text: t.String({ description: "Empty if the email would have no text part." }),
  missing: t.Array(t.String(), { description: "Variables without a value or a default, as paths." }),
};
const previewShape = t.Object(said);
const inspectedShape = t.Object(
  {
    ...said,
    bytes: { ...countShape, description: "Of the HTML, without what tracking adds." },
    clippedAtBytes: { ...countShape, description: "Gmail shows no more of an email." },
    isClipped: t.Boolean(),
    links: t.Array(
      t.Object({
        href: t.String(),
        text: t.String(),
        faults: t.Array(oneOf(...LINK_FAULTS), {
          description: "NO_TARGET: it leads nowhere. NOT_A_URL: no scheme or no host. HTTP: not encrypted.",
        }),
      }),
      { description: `In their order, the first ${MOST_FOUND}.` },
    ),
    images: t.Array(
      t.Object({
        src: t.String(),
        alt: nullable(t.String()),
        faults: t.Array(oneOf(...IMAGE_FAULTS), {
          description:
            "As for links. DATA_URL: many mail programs do not show it. NO_ALT: there are no words in its place.",
        }),
      }),
      { description: `In their order, the first ${MOST_FOUND}.` },
    ),
    placeholders: t.Array(
      t.Object({
        written: t.String(),
        meant: nullable(t.String({ description: "Null: there is nothing like it here." })),
      }),
      { description: "Placeholders of other services, and links to unsubscribe that lead nowhere." },
    ),
  },
  { title: "Preview" },
);

export function previewRoutes(access: Access, renderer: Renderer, options: PreviewOptions) {
  const rendered = async (workspace: number, part: RenderPart & { readonly kind: "mail" }) => {
    const { parts, excess } = await renderer.render(workspace, [part]);
    if (excess) throw invalidField(excess.field, excess.reason, "over_budget");
    const { kind, ...shown } = parts[0] as RenderedPart & { readonly kind: "mail" };
    return shown;
  };
  return routes(access, [
    route(
      "POST",
      "/templates/:id/preview",
      {
        name: "previewTemplate",
        summary: "Render a template",
        answers: { 200: previewShape },
        permission: "read",
        body: ofTemplateShape,
        harmless: true,
        refuses: ["TEMPLATE_NOT_FOUND", "CONTACT_NOT_FOUND", "WORKSPACE_NOT_FOUND"],
        description:
          "Rendered like the email itself, with the footer of marketing email. The links in it have no effect.",
      },
      async ({ params, body, caller }) => {
        const recipient = { contactId: body.contactId ?? null, eventId: null, data: body.data ?? {} };
        const draft = await access.store.read(async (reader): Promise<MailDraft> => {
          const template = await findTemplate(reader, caller.workspace, params.id);
          return draftOf(reader, caller, { said: saidBy(template), recipient }, options);
        });
        const { findings, ...shown } = await rendered(caller.workspace, { kind: "mail", draft });
        return shown;
      },
    ),
    route(
      "POST",
      "/preview",
      {
        name: "preview",
        summary: "Render what is not saved yet, and look for faults in it",
        answers: { 200: inspectedShape },
        permission: "read",
        body: unsavedShape,
        harmless: true,
        refuses: ["CONTACT_NOT_FOUND", "EVENT_NOT_FOUND", "WORKSPACE_NOT_FOUND"],
        description:
          "Rendered like the email itself. What does not parse is refused with its line and column. Nothing is stored or sent.",
      },
      async ({ body, caller }) => {
        const recipient = { contactId: body.contactId ?? null, eventId: body.eventId ?? null, data: body.data ?? {} };
        const about = { said: checkedSaid(body), recipient };
        const draft = await access.store.read((reader) => draftOf(reader, caller, about, options));
        const { findings, ...shown } = await rendered(caller.workspace, { kind: "mail", draft, inspected: true });
        return { ...shown, ...findings, clippedAtBytes: CLIPPED_AT_BYTES };
      },
    ),
  ]);
}

/** @throws AppError VALIDATION_ERROR with line and column of syntax errors, for all fields together */
function checkedSaid({ kind, subject, preheader, body, text }: typeof unsavedShape.static): PreviewContent {
  const read = readAll({
    subject: () => readSource("subject", subject ?? ""),
    preheader: () => readSource("preheader", preheader ?? null),
    html: () => readSource("body", body ?? ""),
    text: () => readSource("text", text ?? null),
  });
  return { ...read, kind, from: { address: "", name: null } };
}

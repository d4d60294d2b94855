// Templates in Resend's fields: sent mail changes when one is published, and each has an alias or none.
import { findTemplate, templatesBeside } from "../../../content/templates/template.ts";
import type { Template } from "../../../content/templates/queries.ts";
import { invalidField } from "../../../base/errors.ts";
import { ignoredIn, nameIgnored, objectIn, type JsonFields, type FieldSupport } from "../fields.ts";
import type { CompatCall, CompatRequest } from "../own-calls.ts";
import { deletion, type CallDeps } from "./call.ts";
import { oneReply } from "./fields.ts";
import { listOf, pieceBeside, pieceIn } from "./lists.ts";
import { fallbacksIn, fallbacksOf, liquidFrom } from "./placeholders.ts";

const FIELDS: FieldSupport = {
  taken: ["name", "subject", "html", "text", "alias", "from", "reply_to", "variables"],
  refused: {},
};

/** The body for our call. `before`: the template before a change, whose fallbacks stay unless new ones are given. */
function templateFrom({ body, set }: CompatRequest, before: Template | null): JsonFields {
  const given = objectIn("request", body);
  nameIgnored(set.headers, ignoredIn(given, FIELDS));
  const isOther = given["variables"] != null;
  const kept = before ? fallbacksOf([before.subject, before.body, before.text]) : new Map();
  const fallbacks = isOther ? fallbacksIn(given["variables"]) : kept;
  // New fallbacks are written into the existing texts.
  const liquidOf = (field: string, was: string | null | undefined) =>
    liquidFrom(field, given[field] ?? (isOther ? was : undefined), fallbacks);
  return {
    name: given["name"],
    subject: liquidOf("subject", before?.subject),
    body: liquidOf("html", before?.body),
    text: given["text"] === null ? null : (liquidOf("text", before?.text) ?? undefined),
    alias: given["alias"],
    from: given["from"],
    replyTo: oneReply(given["reply_to"]),
  };
}

type TemplateSummary = Pick<Template, "id" | "name" | "alias" | "createdAt" | "updatedAt" | "publishedAt">;

/** Each change is published, and so is the template. */
function summaryOf({ id, name, alias, createdAt, updatedAt, publishedAt }: TemplateSummary) {
  const times = { created_at: createdAt, updated_at: updatedAt, published_at: publishedAt ?? updatedAt };
  return { id, name, alias, status: "published", ...times };
}

function resendTemplate(template: Template) {
  const { subject, body, text, fromAddress, fromName, replyTo, isChanged, createdAt, updatedAt } = template;
  const times = { created_at: createdAt, updated_at: updatedAt };
  const variables = [...fallbacksOf([subject, body, text])].map(([key, fallback]) => ({
    ...{ key, type: typeof fallback === "number" ? "number" : "string", fallback_value: fallback },
    ...times,
  }));
  return {
    ...summaryOf(template),
    subject,
    html: body,
    text,
    from: fromAddress !== null && fromName !== null ? `${fromName} <${fromAddress}>` : fromAddress,
    reply_to: replyTo === null ? null : [replyTo],
    variables: variables.length === 0 ? null : variables,
    has_unpublished_versions: isChanged,
  };
}

export function templateCalls({ ours, store }: CallDeps): readonly CompatCall[] {
  const requestedTemplate = ({ caller, params }: CompatRequest) =>
    store.read((reader) => findTemplate(reader, caller.workspace, params["id"] ?? ""));
  const done = (own: "publishTemplate" | "duplicateTemplate") => async (asked: CompatRequest) => {
    const { id } = await ours.ask(own, asked, { params: asked.params });
    return { object: "template", id };
  };
  return [
    {
      method: "POST",
      path: "/templates",
      own: "createTemplate",
      work: async (asked) => {
        const body = templateFrom(asked, null);
        if (body["subject"] == null)
          throw invalidField(
            "subject",
            "Posthorn's templates have a subject: an email can have another one.",
            "required",
          );
        const made = { ...body, type: "TRANSACTIONAL", publishManually: true };
        const { id } = await ours.ask("createTemplate", asked, { body: made });
        return { object: "template", id };
      },
    },
    {
      method: "GET",
      path: "/templates",
      own: "listTemplates",
      work: async ({ caller: { workspace }, request }) => {
        const seqOf = (id: string) => store.read(async (reader) => (await findTemplate(reader, workspace, id)).seq);
        const { items, hasMore } = await pieceBeside(pieceIn(request), seqOf, (than, isNewer, limit) =>
          store.read((reader) => templatesBeside(reader, workspace, { than, isNewer }, limit)),
        );
        return listOf(items.map(summaryOf), hasMore);
      },
    },
    {
      method: "GET",
      path: "/templates/:id",
      own: "getTemplate",
      work: async (asked) => ({ object: "template", ...resendTemplate(await requestedTemplate(asked)) }),
    },
    {
      method: "PATCH",
      path: "/templates/:id",
      own: "updateTemplate",
      work: async (asked) => {
        const body = templateFrom(asked, await requestedTemplate(asked));
        const { id } = await ours.ask("updateTemplate", asked, { params: asked.params, body });
        return { object: "template", id };
      },
    },
    { method: "POST", path: "/templates/:id/publish", own: "publishTemplate", work: done("publishTemplate") },
    { method: "POST", path: "/templates/:id/duplicate", own: "duplicateTemplate", work: done("duplicateTemplate") },
    deletion(ours, { object: "template", path: "/templates/:id", own: "deleteTemplate" }, requestedTemplate),
  ];
}

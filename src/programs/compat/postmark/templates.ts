// Templates as Postmark shows them. Their ids are ours, which its calls take.
import { countTemplates, type Template } from "../../../content/templates/queries.ts";
import { templatesOnPage } from "../../../content/templates/template.ts";
import type { Reader } from "../../../store/store.ts";

export type PostmarkPage = { readonly count: number; readonly offset: number };

function summaryOf({ id, name, alias }: Template) {
  return { Active: true, TemplateId: id, Name: name, Alias: alias, TemplateType: "Standard", LayoutTemplate: null };
}

export function templateRecord(template: Template) {
  const { subject, body, text } = template;
  return { ...summaryOf(template), Subject: subject, HtmlBody: body, TextBody: text };
}

export async function templatesIn(reader: Reader, workspace: number, { count, offset }: PostmarkPage) {
  const filter = { workspace, type: null, search: null };
  const found = await templatesOnPage(reader, filter, count, offset);
  return { TotalCount: await countTemplates(reader, filter), Templates: found.map(summaryOf) };
}

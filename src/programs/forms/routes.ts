// /forms: sign-up forms, their HTML, their former wordings and their statistics.
import { t } from "elysia";
import { DAY_MS, isDay } from "../../base/clock.ts";
import { content } from "../../http/answers.ts";
import { countShape, oneOf, pageShapeOf, timeShape } from "../../http/answer-shapes.ts";
import { pageShape, parameter } from "../../http/schemas.ts";
import { invalidParameter } from "../../base/errors.ts";
import { LANGUAGES } from "../../base/languages/language.ts";
import { lookOf } from "../../content/pages/look.ts";
import { findBrand } from "../../content/templates/brand/brand.ts";
import { nameOutside } from "../../tenant/workspaces/name.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { get, queryPost, page, patch, post, remove, routes } from "../../tenant/access/route-table.ts";
import { countsOf, sumsOf } from "./count-queries.ts";
import { dayOf, inSeries } from "./counts.ts";
import { changeForm, formAfter, createForm, EMPTY, findForm, MOST_FORMS, removeForm } from "./form.ts";
import { formHtml } from "./html.ts";
import { topicsFor } from "./opening.ts";
import { formPage } from "./page.ts";
import { countForms, formsPage, wordingsOf } from "./queries.ts";
import {
  changeShape,
  countsShape,
  creationShape,
  formRecord,
  formShape,
  listedShape,
  NO_COUNTS,
  previewShape,
} from "./record.ts";
import type { LocalizedText } from "./text.ts";

const found = ["FORM_NOT_FOUND"] as const;
const refuses = ["CONFLICT", "SEGMENT_NOT_FOUND", "SEGMENT_NOT_STATIC"] as const;
const LISTED_DAYS = 30;
const MOST_DAYS = 400;

const wordingShape = t.Object({
  version: countShape,
  wording: t.Unsafe<LocalizedText>(t.Record(t.String(), t.String())),
  besides: t.Unsafe<LocalizedText>(
    t.Record(t.String(), t.String(), { description: "What people got besides the topics that they ticked." }),
  ),
  createdAt: timeShape,
});
const dayShape = t.String({ examples: ["2026-03-01"] });
const statisticsShape = t.Object(
  {
    ...countsShape.properties,
    days: t.Array(t.Object({ day: dayShape, ...countsShape.properties })),
    sites: t.Array(
      t.Object({
        site: t.String({ description: "Empty: the hosted page, a program, or a page that does not say." }),
        ...countsShape.properties,
      }),
    ),
  },
  { title: "FormStatistics" },
);
const languageParameter = { language: parameter(oneOf(...LANGUAGES), "The workspace's unless given.") };

export function formRoutes(access: Access, bases: LinkBases) {
  const formOriginOf = ({ workspaceId, workspace }: Caller) => ({ workspaceId, baseUrl: bases.of(workspace) });
  return routes(access, [
    page(
      "/forms",
      {
        name: "listForms",
        summary: "List forms, newest first",
        answers: { 200: pageShapeOf(listedShape) },
        permission: "read",
        query: t.Object(pageShape),
      },
      async (reader, { caller: { workspace, workspaceId } }) => ({
        total: () => countForms(reader, workspace),
        items: async (...piece) => {
          const since = dayOf(access.clock.nowMs() - (LISTED_DAYS - 1) * DAY_MS);
          const sums = new Map((await sumsOf(reader, workspace, since)).map(({ form, ...counts }) => [form, counts]));
          return (await formsPage(reader, workspace, ...piece)).map((form) => ({
            ...formRecord(form, { workspaceId, baseUrl: bases.of(workspace) }),
            counts: sums.get(form.seq) ?? NO_COUNTS,
          }));
        },
      }),
    ),
    post(
      "/forms",
      {
        name: "createForm",
        summary: "Create a form",
        answers: { 201: formShape },
        permission: "campaigns.write",
        body: creationShape,
        refuses,
        description: `It can be opened at its \`url\` at once. A workspace has up to ${MOST_FORMS}.`,
      },
      async (tx, { body, caller }) => formRecord(await createForm(tx, caller, body), formOriginOf(caller)),
    ),
    queryPost(
      "/forms/preview",
      {
        name: "previewForm",
        summary: "See the page of a form that is not saved",
        answers: { 200: t.Object({ html: t.String() }) },
        permission: "read",
        body: previewShape,
        refuses: ["SEGMENT_NOT_FOUND", "SEGMENT_NOT_STATIC"],
        harmless: true,
      },
      async (reader, { body: { language, ...input }, caller: { workspace } }) => {
        const { settings } = await formAfter(reader, workspace, EMPTY, input);
        const own = await ownWorkspace(reader, workspace);
        const { language: otherwise } = own;
        const { brand } = await findBrand(reader, workspace);
        const name = await nameOutside(reader, own, { brandName: brand.fromName, host: bases.hostOf(workspace) });
        const topics = await topicsFor(reader, workspace, settings);
        const shown = {
          settings,
          topics,
          language: language ?? otherwise,
          otherwise,
          look: lookOf(brand),
          workspaceName: name,
        };
        return { html: formPage({ ...shown, action: "#", token: "" }) };
      },
    ),
    get(
      "/forms/:id",
      {
        name: "getForm",
        summary: "Get a form",
        answers: { 200: formShape },
        permission: "read",
        refuses: found,
      },
      async (reader, { params, caller: { workspace, workspaceId } }) =>
        formRecord(await findForm(reader, workspace, params.id), { workspaceId, baseUrl: bases.of(workspace) }),
    ),
    patch(
      "/forms/:id",
      {
        name: "updateForm",
        summary: "Change a form",
        answers: { 200: formShape },
        permission: "campaigns.write",
        body: changeShape,
        refuses: [...found, ...refuses],
        description:
          "Fields that are not named stay as they are; null empties one. Another `key` is another address: pages that show the form have to be changed too.",
      },
      async (tx, { params, body, caller }) =>
        formRecord(await changeForm(tx, caller, params.id, body), formOriginOf(caller)),
    ),
    remove(
      "/forms/:id",
      {
        name: "deleteForm",
        summary: "Delete a form",
        answers: { 204: null },
        permission: "campaigns.write",
        refuses: found,
        description:
          "Its page is closed, and who has not confirmed yet is not subscribed by it any more. What its consent said stays: consents name it.",
      },
      (tx, { params, caller }) => removeForm(tx, caller.workspace, params.id),
    ),
    get(
      "/forms/:id/html",
      {
        name: "getFormHtml",
        summary: "Get the HTML of a form, for a page of yours",
        answers: { 200: content("text/html") },
        permission: "read",
        query: t.Object(languageParameter),
        refuses: found,
        description:
          "It works without its script. The script answers on the page, and works so that people need not confirm who the form does not ask.",
      },
      async (reader, { params, query, caller: { workspace }, set }) => {
        const { key, settings } = await findForm(reader, workspace, params.id);
        const { language: otherwise } = await ownWorkspace(reader, workspace);
        set.headers["content-type"] = "text/html; charset=utf-8";
        const topics = await topicsFor(reader, workspace, settings);
        const drawn = { settings, topics, language: query.language ?? otherwise, otherwise };
        const base = bases.of(workspace);
        const form = formHtml({ ...drawn, action: `${base}/f/${key}`, token: null });
        return `${form}\n<script src="${base}/f/form.js" defer></script>\n`;
      },
    ),
    get(
      "/forms/:id/wordings",
      {
        name: "listFormWordings",
        summary: "List what the consent of a form has said, newest first",
        answers: { 200: t.Object({ wordings: t.Array(wordingShape) }, { title: "FormWordings" }) },
        permission: "read",
        refuses: found,
        description: "Of a form that was deleted as well.",
      },
      async (reader, { params, caller: { workspace } }) => {
        const wordings = await wordingsOf(reader, workspace, params.id);
        if (wordings.length === 0) await findForm(reader, workspace, params.id);
        return { wordings };
      },
    ),
    get(
      "/forms/:id/statistics",
      {
        name: "getFormStatistics",
        summary: "Count how often a form was seen, sent and confirmed",
        answers: { 200: statisticsShape },
        permission: "read",
        query: t.Object({
          since: parameter(t.String({ maxLength: 10 }), "A day; thirty days up to `until` unless given."),
          until: parameter(t.String({ maxLength: 10 }), "A day; today unless given."),
        }),
        refuses: found,
        description:
          "Days are in UTC. There are no cookies: nobody is told apart. An embedded form counts as seen by its script.",
      },
      async (reader, { params, query, caller: { workspace } }) => {
        const { seq } = await findForm(reader, workspace, params.id);
        const days = daysFrom(query, access.clock.nowMs());
        return inSeries(await countsOf(reader, seq, days[0] as string, days.at(-1) as string), days);
      },
    ),
  ]);
}

/** @throws AppError INVALID_PARAMETERS */
function daysFrom({ since, until }: { readonly since?: string | null; readonly until?: string | null }, nowMs: number) {
  const last = dayIn("until", until) ?? Date.parse(dayOf(nowMs));
  const first = dayIn("since", since) ?? last - (LISTED_DAYS - 1) * DAY_MS;
  if (first > last || last - first >= MOST_DAYS * DAY_MS)
    throw invalidParameter("since", `It has to be before until, by less than ${MOST_DAYS} days.`);
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, index) => dayOf(first + index * DAY_MS));
}

function dayIn(name: string, text?: string | null): number | null {
  if (!text) return null;
  if (!isDay(text)) throw invalidParameter(name, "This is not a day: 2026-12-25.", "invalid_date");
  return Date.parse(text);
}

// API calls for templates.
import { queryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { compact } from "../base/compact.ts";
import { call } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { queries } from "../calls/queries.ts";
import { keyOf } from "../calls/query.ts";
import { savedOver } from "../saving/saved-over.ts";
import { allPages, PAGE_SIZE as ALL_AT_ONCE } from "../settings/all-pages.ts";
import { changeOf, contentOf, type Content } from "../writing/content.ts";
import { useAutosave } from "../writing/saving/autosave.ts";
import type { TemplatesSearch } from "./search.ts";

export type Template = Schemas["Template"];
export type TemplateChange = Schemas["UpdateTemplateRequest"];

const PAGE_SIZE = 50;

export function useTemplates({ search, type }: TemplatesSearch) {
  const list = useInfiniteQuery({
    queryKey: ["templates", "list", search, type],
    queryFn: ({ pageParam }) => {
      const from = pageParam === null ? { limit: PAGE_SIZE } : { cursor: pageParam };
      return call("GET /templates", { ...from, ...compact({ search, type }) });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  return { ...list, all: list.data?.pages.flatMap(({ data }) => data), total: list.data?.pages[0]?.total ?? 0 };
}

/** All templates, newest first. */
export const allTemplatesQuery = () => allPages((page) => call("GET /templates", { page, pageSize: ALL_AT_ONCE }));

export function loadTemplate(id: string): Promise<Template> {
  return call("GET /templates/{id}", { id });
}

export const templateQuery = (id: string) =>
  queryOptions({ queryKey: keyOf("GET /templates/{id}", { id }), queryFn: () => loadTemplate(id) });

/** Refetches lists with this template. */
async function changed(template: Template): Promise<Template> {
  queries.setQueryData(templateQuery(template.id).queryKey, template);
  void queries.invalidateQueries({ queryKey: ["templates", "list"] });
  void queries.invalidateQueries({ queryKey: ["templates", "versions", template.id] });
  return template;
}

/** `ifUpdatedAt`: null overwrites any version. */
const changeTemplate = (
  id: string,
  body: TemplateChange,
  ifUpdatedAt: string | null,
  signal: AbortSignal | null = null,
) => call("PATCH /templates/{id}", { id, body: { ...body, ifUpdatedAt }, signal }).then(changed);

/**
 * `seen`: the template as the form was opened. The content has its own autosave, so only changed fields of `mine` are
 * compared.
 */
export const changeSeenTemplate = (seen: Template, mine: TemplateChange) =>
  savedOver({
    seen,
    mine,
    send: (ifUpdatedAt) => changeTemplate(seen.id, mine, ifUpdatedAt),
    load: async () => changed(await loadTemplate(seen.id)),
    compares: "mine",
  });

export const usePublish = (id: string, flush: () => Promise<void>, done: () => void) =>
  useMutation({
    mutationFn: () => flush().then(() => call("POST /templates/{id}/publish", { id }).then(changed)),
    onSuccess: done,
  });

export const createTemplate = (body: Schemas["CreateTemplateRequest"]) =>
  call("POST /templates", { body }).then(changed);

export const useCreate = (done: (template: Template) => void) =>
  useMutation({ mutationFn: createTemplate, onSuccess: done, meta: { inForm: true } });

export const useDuplicate = (done: (template: Template) => void) =>
  useMutation({
    mutationFn: (id: string) => call("POST /templates/{id}/duplicate", { id }).then(changed),
    onSuccess: done,
  });

export const useDelete = (done: (template: Template) => void) =>
  useMutation({
    mutationFn: ({ id }: Template) => call("DELETE /templates/{id}", { id }),
    onSuccess: (_, template) => {
      queries.removeQueries({ queryKey: templateQuery(template.id).queryKey });
      void queries.invalidateQueries({ queryKey: ["templates", "list"] });
      done(template);
    },
    meta: { inForm: true },
  });

export const useTemplateAutosave = (template: Template) =>
  useAutosave<Content, Template>({
    row: template,
    valueOf: contentOf,
    save: (value, ifUpdatedAt, signal) => changeTemplate(template.id, changeOf(value), ifUpdatedAt ?? null, signal),
    load: () => loadTemplate(template.id),
  });

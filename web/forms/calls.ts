// API calls for forms.
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { queries } from "../calls/queries.ts";
import { query } from "../calls/query.ts";
import { save } from "../saving/save.ts";
import type { RecipientLanguage } from "../calls/workspace.ts";

export type SignUpForm = Schemas["Form"];
export type ListedForm = Schemas["ListedForm"];
export type FormField = SignUpForm["fields"][number];
export type FormChange = Schemas["UpdateFormRequest"];
export type FormStatistics = Schemas["FormStatistics"];

/** The most forms that a workspace can have. */
const ALL = 100;

export const formsQuery = query("GET /forms", { pageSize: ALL }, { ends: true, select: ({ data }) => data });

export const formQuery = (id: string) => query("GET /forms/{id}", { id }, { ends: true });

export const statisticsQuery = (id: string) => query("GET /forms/{id}/statistics", { id }, { ends: true });

export const wordingsQuery = (id: string) =>
  query("GET /forms/{id}/wordings", { id }, { ends: true, select: ({ wordings }) => wordings });

export const htmlQuery = (id: string, language: RecipientLanguage) =>
  queryOptions({
    queryKey: ["forms", "html", id, language],
    queryFn: ({ signal }) => call("GET /forms/{id}/html", { id, language, parseAs: "text", signal }),
    placeholderData: keepPreviousData,
  });

export const previewQuery = (draft: FormChange & { readonly name: string }, language: RecipientLanguage) =>
  queryOptions({
    queryKey: ["form preview", draft, language],
    queryFn: async ({ signal }) => (await call("POST /forms/preview", { body: { ...draft, language }, signal })).html,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });

export function changed(): void {
  void queries.invalidateQueries({ queryKey: ["forms"] });
}

export function useCreate(done: (form: SignUpForm) => void) {
  return useMutation({
    mutationFn: (body: Schemas["CreateFormRequest"]) => call("POST /forms", { body }),
    onSuccess: (form) => {
      changed();
      done(form);
    },
    meta: { inForm: true },
  });
}

/** `seen`: the form when its editor was opened. `isMine` false = another user's version was kept. */
export function useChange(seen: SignUpForm, done: (form: SignUpForm, isMine: boolean) => void = () => undefined) {
  const { id } = seen;
  return useMutation({
    mutationFn: (mine: FormChange) => save("PATCH /forms/{id}", { id }, { seen, mine }),
    onSuccess: ({ row: form, isMine }) => {
      queries.setQueryData(formQuery(id).queryKey, form);
      changed();
      done(form, isMine);
    },
    meta: { inForm: true },
  });
}

export function useDelete(done: () => void) {
  return useMutation({
    mutationFn: (id: string) => call("DELETE /forms/{id}", { id }),
    onSuccess: () => {
      done();
      changed();
    },
  });
}

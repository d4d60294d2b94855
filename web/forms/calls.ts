// API calls for forms.
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../api.ts";
import type { Schemas } from "../schemas.ts";
import { queries } from "../queries.ts";
import { savedOver } from "../saving/saved-over.ts";
import type { RecipientLanguage } from "../workspace/settings.ts";

export type SignUpForm = Schemas["Form"];
export type ListedForm = Schemas["ListedForm"];
export type FormField = SignUpForm["fields"][number];
export type FormChange = Schemas["UpdateFormRequest"];
export type FormStatistics = Schemas["FormStatistics"];

/** As many as there can be. */
const ALL = 100;

export const formsQuery = queryOptions({
  queryKey: ["forms", "all"],
  queryFn: async ({ signal }) => (await call("GET /forms", { pageSize: ALL, signal })).data,
});

export const formQuery = (id: string) =>
  queryOptions({
    queryKey: ["forms", "one", id],
    queryFn: ({ signal }) => call("GET /forms/{id}", { id, signal }),
  });

export const statisticsQuery = (id: string) =>
  queryOptions({
    queryKey: ["forms", "statistics", id],
    queryFn: ({ signal }) => call("GET /forms/{id}/statistics", { id, signal }),
  });

export const wordingsQuery = (id: string) =>
  queryOptions({
    queryKey: ["forms", "wordings", id],
    queryFn: async ({ signal }) => (await call("GET /forms/{id}/wordings", { id, signal })).wordings,
  });

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

/** `seen`: as its editor was opened. `isMine`: else what somebody else had saved was taken. */
export function useChange(seen: SignUpForm, done: (form: SignUpForm, isMine: boolean) => void = () => undefined) {
  const { id } = seen;
  return useMutation({
    mutationFn: (mine: FormChange) =>
      savedOver({
        seen,
        mine,
        send: (ifUpdatedAt) => call("PATCH /forms/{id}", { id, body: { ...mine, ifUpdatedAt } }),
        load: () => call("GET /forms/{id}", { id }),
      }),
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

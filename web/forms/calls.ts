// API calls for forms.
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../api.ts";
import type { Schemas } from "../schemas.ts";
import { queries } from "../queries.ts";
import { savedOver } from "../saving/saved-over.ts";
import type { RecipientLanguage } from "../workspace/settings.ts";

export type SignUpForm = Schemas["Form"];
export type ListedForm = Schemas["ListedForm"];
export type FormField = SignUpForm["fields"][number];
export type FormChange = Schemas["UpdateFormRequest"];
export type FormStatistics = Schemas["FormStatistics"];

const byId = (id: string) => ({ params: { path: { id } } });
/** As many as there can be. */
const ALL = { params: { query: { pageSize: 100 } } };

export const formsQuery = queryOptions({
  queryKey: ["forms", "all"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/forms", { ...ALL, signal }))).data,
});

export const formQuery = (id: string) =>
  queryOptions({
    queryKey: ["forms", "one", id],
    queryFn: ({ signal }) => unwrap(api.GET("/forms/{id}", { ...byId(id), signal })),
  });

export const statisticsQuery = (id: string) =>
  queryOptions({
    queryKey: ["forms", "statistics", id],
    queryFn: ({ signal }) => unwrap(api.GET("/forms/{id}/statistics", { ...byId(id), signal })),
  });

export const wordingsQuery = (id: string) =>
  queryOptions({
    queryKey: ["forms", "wordings", id],
    queryFn: async ({ signal }) => (await unwrap(api.GET("/forms/{id}/wordings", { ...byId(id), signal }))).wordings,
  });

export const htmlQuery = (id: string, language: RecipientLanguage) =>
  queryOptions({
    queryKey: ["forms", "html", id, language],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/forms/{id}/html", {
          params: { path: { id }, query: { language } },
          parseAs: "text",
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const previewQuery = (draft: FormChange & { readonly name: string }, language: RecipientLanguage) =>
  queryOptions({
    queryKey: ["form preview", draft, language],
    queryFn: async ({ signal }) =>
      (await unwrap(api.POST("/forms/preview", { body: { ...draft, language }, signal }))).html,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });

export function changed(): void {
  void queries.invalidateQueries({ queryKey: ["forms"] });
}

export function useCreate(done: (form: SignUpForm) => void) {
  return useMutation({
    mutationFn: (body: Schemas["CreateFormRequest"]) => unwrap(api.POST("/forms", { body })),
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
        send: (ifUpdatedAt) => unwrap(api.PATCH("/forms/{id}", { ...byId(id), body: { ...mine, ifUpdatedAt } })),
        load: () => unwrap(api.GET("/forms/{id}", byId(id))),
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
    mutationFn: (id: string) => unwrap(api.DELETE("/forms/{id}", byId(id))),
    onSuccess: () => {
      done();
      changed();
    },
  });
}

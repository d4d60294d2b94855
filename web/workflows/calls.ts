// API calls for workflows. Counts are polled, because single steps send no notices.
import { keepPreviousData, queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { compact } from "../base/compact.ts";
import { call } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { queries } from "../calls/queries.ts";
import { keyOf, pages, query, usePages } from "../calls/query.ts";
import { isSavedSince, savedOver } from "../saving/saved-over.ts";
import type { bodyOf, Workflow } from "./drawing.ts";
import type { StateAtStep, StateInWorkflow } from "./search.ts";

export type ListedWorkflow = Schemas["Workflow"];
export type Execution = Schemas["WorkflowExecution"];
export type WorkflowCounts = Schemas["WorkflowCounts"];
export type StepCounts = Schemas["WorkflowStepCounts"];
export type Tally = Schemas["WorkflowTallies"]["workflows"][number];
export type WorkflowVersion = Schemas["WorkflowVersions"]["versions"][number];
export type WorkflowChange = Schemas["UpdateWorkflowRequest"];

const PAGE_SIZE = 50;
const POLL_MS = 10_000;

export function useWorkflows(search: string | undefined) {
  const settings = { placeholderData: keepPreviousData };
  const list = usePages(pages("GET /workflows", { pageSize: PAGE_SIZE, ...compact({ search }) }, settings));
  return { ...list, total: list.first?.total ?? 0 };
}

/** The counts of the visible workflows; null while loading. */
export function useTallies(ids: readonly string[]): ReadonlyMap<string, Tally> | null {
  const { data } = useQuery({
    queryKey: ["workflows", "tallies", ids],
    queryFn: async () => {
      const pages = Array.from({ length: Math.ceil(ids.length / PAGE_SIZE) }, (_, at) =>
        ids.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE),
      );
      const answers = await Promise.all(pages.map((page) => call("GET /workflows/counts", { ids: page })));
      return answers.flatMap(({ workflows }) => workflows);
    },
    enabled: ids.length > 0,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  return data ? new Map(data.map((tally) => [tally.workflowId, tally])) : null;
}

export const workflowQuery = (id: string) => query("GET /workflows/{id}", { id });

export const useCounts = (id: string) =>
  useQuery(query("GET /workflows/{id}/counts", { id }, { refetchInterval: POLL_MS, throwOnError: false })).data;

export type PeopleOf = {
  readonly stepId?: string | undefined;
  readonly state?: StateAtStep | StateInWorkflow | undefined;
  readonly branch?: string | undefined;
};

export function useExecutions(id: string, { stepId, state, branch }: PeopleOf) {
  const which = compact({ stepId, state, branch });
  return usePages(pages("GET /workflows/{id}/executions", { id, limit: PAGE_SIZE, ...which }));
}

export const useNotStarted = (id: string) =>
  usePages(pages("GET /workflows/{id}/unstarted", { id, limit: PAGE_SIZE }, { throwOnError: false }));

export const useTrace = (id: string, executionId: string | null) =>
  useQuery(
    query(
      "GET /workflows/{id}/executions/{executionId}",
      { id, executionId: executionId ?? "" },
      { enabled: executionId !== null },
    ),
  );

export const useVersions = (id: string) => useQuery(query("GET /workflows/{id}/versions", { id }));

export const loadVersion = (id: string, version: number) =>
  call("GET /workflows/{id}/versions/{version}", { id, version: String(version) });

/** Refetches lists and counts. */
function changed(workflow: Workflow): Workflow {
  queries.setQueryData(workflowQuery(workflow.id).queryKey, workflow);
  for (const route of ["GET /workflows", "GET /workflows/{id}/counts", "GET /workflows/{id}/versions"] as const)
    void queries.invalidateQueries({ queryKey: keyOf(route) });
  return workflow;
}

export const useCreate = (done: (workflow: Workflow) => void) =>
  useMutation({
    mutationFn: (make: () => Promise<Workflow>) => make().then(changed),
    onSuccess: done,
    meta: { inForm: true },
  });

const MOST_LISTED = 100;

/** The workflows that an event starts, among the newest. */
export const startedByQuery = (event: string) =>
  queryOptions({
    queryKey: [...keyOf("GET /workflows"), "started by", event],
    queryFn: async ({ signal }) => {
      const query = { pageSize: MOST_LISTED };
      const { data } = await call("GET /workflows", { ...query, signal });
      return data.filter(
        ({ triggerType, triggerConfig }) => triggerType === "EVENT" && eventIn(triggerConfig) === event,
      );
    },
    throwOnError: false,
  });

function eventIn(config: object): unknown {
  return "eventName" in config ? config.eventName : null;
}

export const createWorkflow = (body: Schemas["CreateWorkflowRequest"]) => call("POST /workflows", { body });

type Replacement = ReturnType<typeof bodyOf> & { readonly ifUpdatedAt: string };
type DrawnSteps = Replacement["steps"];

/** `done` runs before the cache has the answer. */
export const useReplace = (id: string, done: (saved: Workflow & Schemas["Warned"], drawn: DrawnSteps) => void) =>
  useMutation({
    mutationFn: ({ ifUpdatedAt, ...drawn }: Replacement) =>
      call("PUT /workflows/{id}", { id, body: { ...drawn, ifUpdatedAt } }),
    onSuccess: (saved, { steps }) => {
      done(saved, steps);
      changed(saved);
    },
    // The choice between the drawings needs the other version.
    onError: (error) => isSavedSince(error) && void queries.invalidateQueries({ queryKey: workflowQuery(id).queryKey }),
    meta: { inForm: true },
  });

/**
 * `seen`: the workflow as the form was opened. The drawing is saved separately, so only changed fields of `mine` are
 * compared.
 */
export const useChange = (seen: Workflow) =>
  useMutation({
    mutationFn: (mine: WorkflowChange) =>
      savedOver({
        seen,
        mine,
        send: (ifUpdatedAt) =>
          call("PATCH /workflows/{id}", { id: seen.id, body: { ...mine, ifUpdatedAt } }).then(changed),
        load: async () => changed(await call("GET /workflows/{id}", { id: seen.id })),
        compares: "mine",
      }),
  });

export const useDuplicate = (done: (workflow: Workflow) => void) =>
  useMutation({
    mutationFn: (id: string) => call("POST /workflows/{id}/duplicate", { id }).then(changed),
    onSuccess: done,
  });

export const useRemoving = (done: () => void) =>
  useMutation({
    mutationFn: (id: string) => call("DELETE /workflows/{id}", { id }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keyOf("GET /workflows") });
      done();
    },
    meta: { inForm: true },
  });

function peopleChanged(id: string): void {
  void queries.invalidateQueries({ queryKey: keyOf("GET /workflows/{id}/counts", { id }) });
  void queries.invalidateQueries({ queryKey: keyOf("GET /workflows/{id}/executions", { id }) });
  void queries.invalidateQueries({ queryKey: keyOf("GET /workflows/{id}/executions/{executionId}", { id }) });
}

export const useRetry = (id: string, done: (retried: number) => void) =>
  useMutation({
    mutationFn: (stepId: string) => call("POST /workflows/{id}/steps/{stepId}/retry", { id, stepId }),
    onSuccess: ({ retried }) => {
      peopleChanged(id);
      done(retried);
    },
  });

export const useCancelExecution = (id: string) =>
  useMutation({
    mutationFn: (executionId: string) => call("DELETE /workflows/{id}/executions/{executionId}", { id, executionId }),
    onSuccess: () => peopleChanged(id),
  });

export const useStart = (id: string, done: () => void) =>
  useMutation({
    mutationFn: (contactId: string) => call("POST /workflows/{id}/executions", { id, body: { contactId } }),
    onSuccess: () => {
      peopleChanged(id);
      done();
    },
  });

// API calls for saved blocks: named parts of emails, which editors copy.
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { queries } from "../../calls/queries.ts";
import { keyOf, query } from "../../calls/query.ts";
import type { Design } from "../content.ts";

export type Block = components["schemas"]["Block"];
/** The content of a block. */
export type BlockContent = { readonly body: string; readonly design: Design | null };

const MOST = 100;

export const useBlocks = () =>
  useQuery(query("GET /blocks", { pageSize: MOST }, { select: ({ data }) => data, throwOnError: false }));

function changed(): void {
  void queries.invalidateQueries({ queryKey: keyOf("GET /blocks") });
}

export function useSaveBlock(done: () => void) {
  return useMutation({
    mutationFn: ({ name, body, design }: BlockContent & { readonly name: string }) =>
      call("POST /blocks", { body: { name, body, ...(design ? { design } : {}) } }),
    onSuccess: () => {
      changed();
      done();
    },
    meta: { inForm: true },
  });
}

export function useRemoveBlock() {
  return useMutation({
    mutationFn: ({ id }: Block) => call("DELETE /blocks/{id}", { id }),
    onSettled: changed,
  });
}

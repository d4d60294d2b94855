// API calls for the configuration: read, change, confirm, undo.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { queries } from "../../calls/queries.ts";
import { savedOver } from "../../saving/saved-over.ts";
import type { SettingValue } from "./setting-text.ts";

export type ServerSettings = components["schemas"]["Configuration"];

const KEY = ["installation", "configuration"];
/** The interval while the seconds to confirm are shown. */
const OFTEN_MS = 1_000;

/** `everyMs`: the polling interval while no change waits for confirmation; false = no polling. */
export const configurationQuery = (everyMs: number | false = false) =>
  queryOptions({
    queryKey: KEY,
    queryFn: () => call("GET /installation/configuration"),
    refetchInterval: ({ state }) => (state.data?.unconfirmed ? OFTEN_MS : everyMs),
  });

type SettingValues = Readonly<Record<string, SettingValue>>;

/** The settings in the form that a change has. */
function listed({ data, updatedAt, updatedBy }: ServerSettings) {
  return { updatedAt, updatedBy, values: Object.fromEntries(data.map(({ key, value }) => [key, value])) };
}

/** `seen`: the settings as the form was opened. `onDone`: false = the author kept another owner's values. */
export function useChangeSettings(seen: ServerSettings, onDone: (isMine: boolean) => void) {
  return useMutation({
    mutationFn: (values: SettingValues) =>
      savedOver({
        seen: listed(seen),
        mine: { values },
        compares: "mine",
        send: async (ifUpdatedAt) => {
          const saved = await call("PATCH /installation/configuration", {
            body: { values: { ...values }, ifUpdatedAt },
          });
          return listed(saved);
        },
        load: async () => listed(await call("GET /installation/configuration")),
      }),
    onSuccess: async ({ isMine }) => {
      // Domains and senders depend on settings as well.
      await queries.invalidateQueries();
      onDone(isMine);
    },
    meta: { inForm: true },
  });
}

export function useDecide(what: "confirm" | "undo", onDone: () => void) {
  return useMutation({
    mutationFn: () => call(`POST /installation/configuration/${what}`),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ["installation"] }),
  });
}

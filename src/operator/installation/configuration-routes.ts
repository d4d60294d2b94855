// /installation/configuration: every setting, and the changes of owners.
import type { Ground } from "../../ground/ground.ts";
import { settingsOf } from "../../base/config/settings.ts";
import { AppError } from "../../base/errors.ts";
import { restUntil } from "../../base/jobs/due.ts";
import { CONFIRM_WITHIN_MS, confirmUnconfirmed, undoUnconfirmed } from "../../ground/settings/keep.ts";
import { keptSettings } from "../../ground/settings/queries.ts";
import { personOnly, type Access } from "../../tenant/access/auth.ts";
import { get, route, routes } from "../../tenant/access/route-table.ts";
import type { WayStates } from "../../sending/open-ways/open-ways.ts";
import type { Reader } from "../../store/store.ts";
import { changeConfiguration, lastSaved } from "./change-configuration.ts";
import { configurationChangeShape, configurationShape, type ConfigurationRecord } from "./configuration-record.ts";
import type { TrySettings } from "./try-settings.ts";

const PATH = "/installation/configuration";
const OWNERS = { key: "person", permission: "installation", answers: { 200: configurationShape } } as const;
const CHANGING = { ...OWNERS, proof: true } as const;

type ConfigurationOptions = {
  /** Each tries the new settings before they are kept. */
  readonly tries: readonly TrySettings[];
  readonly outgoing: Pick<WayStates, "step">;
};

export function configurationRoutes(access: Access, ground: Ground, { tries, outgoing }: ConfigurationOptions) {
  const { settings, store, clock } = ground;
  const record = async (reader: Reader): Promise<ConfigurationRecord> => {
    const rows = await keptSettings(reader);
    const { updatedAt = null, updatedBy = null } = lastSaved(rows) ?? {};
    const keys = rows.filter(({ confirmUntil }) => confirmUntil !== null).map(({ key }) => key);
    const restMs = Math.min(
      CONFIRM_WITHIN_MS,
      ...rows.map(({ confirmUntil }) => restUntil(confirmUntil, clock.nowMs())),
    );
    return {
      data: settingsOf(settings.config, settings.origins) as ConfigurationRecord["data"],
      ...{ updatedAt, updatedBy },
      unconfirmed: keys.length === 0 ? null : { keys, seconds: Math.ceil(restMs / 1000) },
      problems: [...settings.problems],
    };
  };
  /** Once this process has followed the change: mail accepted after the answer leaves by the way that is set. */
  const followed = async (): Promise<ConfigurationRecord> => {
    await outgoing.step();
    return store.read(record);
  };
  return routes(
    access,
    [
      get(
        PATH,
        {
          name: "getConfiguration",
          summary: "See every setting of this server, and where it is set",
          ...OWNERS,
          description:
            "For owners: the keys of the configuration, and those of each way after them. On several nodes, the settings are those of the node that answers.",
        },
        record,
      ),
      route(
        "PATCH",
        PATH,
        {
          name: "updateConfiguration",
          summary: "Change settings of this server",
          ...CHANGING,
          body: configurationChangeShape,
          refuses: ["CONFLICT"],
          description:
            "Checked as a whole, by the rules of the file; what can be tried is tried before. If a value is wrong, nothing changes. All nodes follow within seconds, and no restart is needed. The file and the environment win over what is kept here.",
        },
        async ({ body, caller }) => {
          await changeConfiguration(ground, { ...body, caller, tries });
          return followed();
        },
      ),
      route(
        "POST",
        `${PATH}/confirm`,
        {
          name: "confirmConfiguration",
          summary: "Confirm changed settings",
          ...OWNERS,
          refuses: ["CONFLICT"],
          description: "What could lock its owner out goes back after a minute unless this call confirms it.",
        },
        async ({ caller }) => {
          await store.write(async (tx) => {
            if ((await confirmUnconfirmed(tx)) === 0) throw nothingWaits();
            await caller.note?.(tx, null);
          });
          return followed();
        },
      ),
      route(
        "POST",
        `${PATH}/undo`,
        {
          name: "undoConfiguration",
          summary: "Take changed settings back",
          ...OWNERS,
          refuses: ["CONFLICT"],
          description: "Those that wait to be confirmed.",
        },
        async ({ caller }) => {
          await store.write(async (tx) => {
            if ((await undoUnconfirmed(tx)).length === 0) throw nothingWaits();
            await caller.note?.(tx, null);
          });
          return followed();
        },
      ),
    ],
    personOnly,
  );
}

function nothingWaits(): AppError {
  return new AppError("CONFLICT", "No setting waits to be confirmed: it went back, or an owner has decided already.", {
    reason: "nothing_unconfirmed",
  });
}

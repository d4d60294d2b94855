// `posthorn settings`: what owners have set in the interface, and how to drop it where it keeps them out.
import { knownKeys } from "../../../base/config/paths.ts";
import { isHiddenKey } from "../../../base/config/settings.ts";
import { dropSettings } from "../../../ground/settings/keep.ts";
import { keptSettings, type KeptSetting } from "../../../ground/settings/queries.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { misused } from "../arguments.ts";
import { inStore, type CliGround } from "../beside.ts";
import { printList, printOne } from "../print.ts";
import { JSON_OPTION, type Verb, type VerbCall } from "../verb.ts";

const RESET: Verb = {
  name: "settings reset",
  argument: "[KEY]",
  summary: "Drops what owners have set for a key, or with --all for every key; the file or the default counts then",
  notes: ["The server may be running or not: a running one follows within a minute."],
  options: { all: { help: "Every key" }, ...JSON_OPTION },
  run: reset,
};

export const SETTINGS_VERBS: readonly Verb[] = [
  {
    name: "settings list",
    summary: "Lists what owners have set in the interface, and whether it is used",
    options: JSON_OPTION,
    run: list,
  },
  RESET,
];

async function list(call: VerbCall): Promise<void> {
  const settings = await inStore(call, async ({ store, kept }) => {
    const rows = (await store.read(keptSettings)).filter(({ value }) => value !== null);
    return rows.map((row) => ({ ...recordOf(row), problem: problemOf(kept, row) }));
  });
  printList(
    call,
    settings,
    ({ key, value, savedAt, problem }) => ({
      ...{ key, value: typeof value === "string" ? value : JSON.stringify(value), "saved at": savedAt },
      "not used, because it": problem ?? "",
    }),
    "Owners have set nothing in the interface.",
  );
}

function recordOf({ key, value, updatedAt }: KeptSetting) {
  return { key, value: isHiddenKey(key) ? "(secret)" : (JSON.parse(value as string) as unknown), savedAt: updatedAt };
}

function problemOf({ problems }: CliGround["kept"], { key }: KeptSetting): string | null {
  return problems.find((one) => one.key === key)?.message ?? null;
}

async function reset(call: VerbCall): Promise<void> {
  const { argument } = call;
  if ((argument === "") !== call.flag("all")) throw misused(RESET, "takes a key or --all, one of the two");
  const dropped = await inStore(call, ({ store }) =>
    store.write(async (tx) => {
      const keys = (await dropSettings(tx, argument === "" ? null : argument, COMMAND_LINE)).map(({ key }) => key);
      if (keys.length > 0) await noteAct(tx, { by: COMMAND_LINE, action: "settings reset", reason: keys.join(", ") });
      return keys;
    }),
  );
  if (dropped.length === 0 && argument !== "" && !knownKeys().some(({ path }) => path === argument))
    throw new Error(`There is no key ${argument}, and nothing is kept for it. See: posthorn settings list.`);
  printOne(call, { dropped }, () =>
    dropped.length === 0 ? "Nothing was set there." : `Dropped: ${dropped.join(", ")}.`,
  );
}

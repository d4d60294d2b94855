// `posthorn workspace export` and `import`: a whole workspace as one file (docs/moving/leaving.md).
import { createReadStream } from "node:fs";
import { isThere } from "../../../base/private-files.ts";
import { writeWhole } from "../../../operator/backup/place.ts";
import { arrive, type ArrivalReport, type ArrivedWorkspace } from "../../../operator/leaving/arrival.ts";
import { leaving } from "../../../operator/leaving/departure.ts";
import { stopped } from "../../../operator/leaving/move.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import type { Tx } from "../../../store/store.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { findWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { misused } from "../arguments.ts";
import { inNewStore, inStore, secretsOf } from "../beside.ts";
import { printOne } from "../print.ts";
import { grouped } from "../progress.ts";
import { momentOf } from "../queue/queue.ts";
import { secretIn } from "../stores/backup.ts";
import { JSON_OPTION, type Option, type Verb, type VerbCall } from "../verb.ts";
import { showingRows } from "./row-progress.ts";

const PASSPHRASE = "secrets-passphrase-file";

function passphraseOption(help: string): Record<string, Option> {
  return { [PASSPHRASE]: { value: "FILE", help } };
}

export const WORKSPACE_EXPORT: Verb = {
  name: "workspace export",
  argument: "ID|NAME",
  summary: "Writes a workspace with all that it has to one file; the server may be running",
  notes: [
    "The file holds people, consent, templates, campaigns, workflows with the people inside, forms, events and emails, as lines of",
    "JSON in a tar archive. Keep it safe: it is not encrypted. Keys, users and sender domains' DKIM keys stay here.",
  ],
  options: {
    to: { value: "FILE", help: "The file to write; it must not exist yet", needed: true },
    since: { value: "AGE", help: "Events and emails of the last days only, such as 90d (default: all that are kept)" },
    ...passphraseOption("Write webhook secrets and DKIM keys as well, encrypted with the passphrase in this file"),
    move: { help: "Disable the workspace first, so that nothing is sent twice" },
    ...JSON_OPTION,
  },
  run: exportWorkspace,
};

export const WORKSPACE_IMPORT: Verb = {
  name: "workspace import",
  argument: "FILE",
  summary: "Takes in a workspace from a file of workspace export; the server may be running",
  notes: [
    "Until all is in, nobody sees it; if anything is wrong, nothing is left behind. It comes in disabled: its queued email and its",
    "workflows wait for: posthorn workspace enable.",
  ],
  options: {
    name: { value: "NAME", help: "The name it gets here (default: the one that it has)" },
    into: { value: "capture", help: "capture: only where no email leaves, for a copy to try things with" },
    ...passphraseOption("Take in webhook secrets and DKIM keys as well, with the passphrase in this file"),
    ...JSON_OPTION,
  },
  run: importWorkspace,
};

function passphraseOf(call: VerbCall): string | null {
  const file = call.text(PASSPHRASE);
  return file === undefined ? null : secretIn(file);
}

async function exportWorkspace(call: VerbCall): Promise<void> {
  const [file, passphrase] = [call.text("to") ?? "", passphraseOf(call)];
  if (isThere(file)) throw new Error(`${file} exists already. Name another file.`);
  const { id, name, isDisabled } = await inStore(call, async (place) => {
    const { store } = place;
    const secrets = await secretsOf(place);
    const since = momentOf(call, store, WORKSPACE_EXPORT, "since") ?? null;
    if (call.flag("move")) await stopped(store, call.argument);
    const workspace = await store.read((reader) => findWorkspace(reader, call.argument));
    await store.write((tx) =>
      noteAct(tx, { by: COMMAND_LINE, action: "workspace export", workspace: workspace.seq, target: workspace.id }),
    );
    await showingRows(call.io, "rows", (onRows) =>
      writeWhole(leaving({ store, secrets, workspace, since, passphrase, onRows }), file),
    );
    return { ...workspace, isDisabled: workspace.disabledAt !== null };
  });
  printOne(call, { id, name, file, disabled: isDisabled }, () =>
    call.flag("move")
      ? `${file} holds the workspace ${name}. It is disabled here: posthorn workspace delete removes it once it is at work elsewhere.`
      : `${file} holds the workspace ${name}.${isDisabled ? "" : " It goes on sending here: to move it, export it with --move."}`,
  );
}

async function importWorkspace(call: VerbCall): Promise<void> {
  const [file, into, passphrase] = [call.argument, call.text("into"), passphraseOf(call)];
  if (into !== undefined && into !== "capture") throw misused(WORKSPACE_IMPORT, "takes --into capture alone");
  if (!isThere(file)) throw new Error(`There is no file ${file}.`);
  const arrived = await inNewStore(call, async (place) => {
    const { transport } = place.config.delivery;
    if (into === "capture" && transport !== "capture")
      throw new Error(`Email leaves this installation: delivery.transport is ${transport}. Nothing was taken in.`);
    const terms = {
      ...{ store: place.store, secrets: await secretsOf(place), passphrase },
      ...{ name: call.text("name") ?? null, isTrial: into === "capture" },
      note: (tx: Tx, { seq, id }: ArrivedWorkspace) =>
        noteAct(tx, { by: COMMAND_LINE, action: "workspace import", workspace: seq, target: id }),
    };
    return showingRows(call.io, "rows", (onRows) => arrive({ ...terms, onRows }, createReadStream(file)));
  });
  const { seq: _, ...record } = arrived;
  printOne(call, record, () => arrivedText(arrived));
}

function arrivedText({ id, name, counts, emails, executions, hashes }: ArrivalReport): string {
  const lines = [
    `The workspace ${name} (${id}) is here, with ${grouped(counts["contacts"] ?? 0)} contacts. It is disabled:`,
    `${grouped(emails)} queued emails and ${grouped(executions)} executions of workflows wait for: posthorn workspace enable.`,
    "It has no keys and no users yet, and its sender domains are verified anew.",
  ];
  if (hashes > 0)
    lines.push(
      `${grouped(hashes)} suppressions are hashes of erased people, which only an installation with the same secret.key recognizes.`,
    );
  return lines.join("\n");
}

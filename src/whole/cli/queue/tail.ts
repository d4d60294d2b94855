// `posthorn tail`: follows the events of mails by reading the store, beside a running server.
import { AppError } from "../../../base/errors.ts";
import { codeOf } from "../../../sending/delivery/handover-line.ts";
import { Tail } from "../../../operator/operation/tail.ts";
import { mailNumbered, type TailEvent } from "../../../operator/operation/tail-queries.ts";
import { inStore, WORKSPACE_OPTION, workspaceOf, type CliGround } from "../beside.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const TAIL: Verb = {
  name: "tail",
  summary: "Prints what happens to emails, one line per change, until it is interrupted",
  notes: ["It reads the database while the server runs. With --mail it starts with the email's complete history."],
  options: {
    mail: { value: "ID", help: "Only this email" },
    workspace: WORKSPACE_OPTION,
    failed: { help: "Only emails that did not get through: deferred, failed, bounced, complained" },
    addresses: { help: "Show recipients, and the replies of their servers" },
    ...JSON_OPTION,
  },
  run: (call) => inStore(call, (place) => follow(call, place)),
};

const LOOK_EVERY_MS = 500;

async function follow(call: VerbCall, { store }: CliGround): Promise<void> {
  let isOver = false;
  const stopped = call.io.untilStopped(() => {}).then(() => (isOver = true));
  const [workspace, mail] = await store.read(async (reader) => [
    await workspaceOf(call, reader),
    await mailOf(call.text("mail"), (id) => mailNumbered(reader, id)),
  ]);
  const tail = new Tail(store, { workspace, mail, failed: call.flag("failed") });
  do {
    for (const one of await tail.next()) call.io.out(call.flag("json") ? asJson(one, call) : asText(one, call));
    await Promise.race([stopped, Bun.sleep(LOOK_EVERY_MS)]);
  } while (!isOver);
}

/** @throws AppError EMAIL_NOT_FOUND */
async function mailOf(
  id: string | undefined,
  numberOf: (id: string) => Promise<number | null>,
): Promise<number | null> {
  if (id === undefined) return null;
  const mail = await numberOf(id);
  if (mail === null) throw new AppError("EMAIL_NOT_FOUND", `There is no email ${id}.`);
  return mail;
}

/** Replies repeat addresses, so only their codes are shown unless addresses are switched on. */
function fieldsOf({ mail, workspace, attempt, reply, tookMs, to }: TailEvent, call: VerbCall) {
  const code = reply === null ? null : codeOf(reply);
  const common = { mail, workspace, attempt, code, ms: tookMs };
  const all = call.flag("addresses") ? { ...common, to, reply } : common;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function asJson(one: TailEvent, call: VerbCall): string {
  return JSON.stringify({ at: one.at, what: one.what, ...fieldsOf(one, call) });
}

function asText(one: TailEvent, call: VerbCall): string {
  const fields = Object.entries(fieldsOf(one, call)).map(([name, value]) => {
    const text = String(value);
    return `${name}=${/^[\w.@-]+$/.test(text) ? text : JSON.stringify(text)}`;
  });
  return [one.at, one.what.padEnd(10), ...fields].join(" ");
}

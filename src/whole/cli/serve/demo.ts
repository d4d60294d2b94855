// `posthorn demo`: a shop with a year of mail to look at, which leaves nothing behind.
import { systemClock } from "../../../base/clock.ts";
import { secondsIn } from "../../../base/config/kinds.ts";
import { createLog } from "../../../base/log.ts";
import { withPort } from "../../../http/listener.ts";
import { Demo, type DemoOptions } from "../../demo/demo.ts";
import { TEAM, type TeamRole } from "../../demo/people.ts";
import { linkOf } from "../../demo/sign-in-routes.ts";
import { misused } from "../arguments.ts";
import type { Verb, VerbCall } from "../verb.ts";
import { listenFault } from "./serve.ts";

const LEAST_SECONDS = 60;

export const DEMO: Verb = {
  name: "demo",
  summary: "Starts a shop with a year of email to look at; nothing leaves, nothing stays",
  notes: [
    "It prints a link for each of four people who work there. Of the configuration it takes [http], [limits] and [log].",
    "Its data is kept in memory, or in a new folder within --data DIR, and goes away when it stops.",
  ],
  options: {
    "read-only": { help: "Refuse changes: for a demo that strangers look at" },
    "reset-every": { value: "TIME", help: "Begin anew after so long, such as 1h" },
  },
  run: demo,
};

async function demo(call: VerbCall): Promise<void> {
  const { io, flag, configOptions } = call;
  const everyMs = resetMs(call);
  const config = withPort(call.config());
  if (config.http.tls === "acme")
    throw new Error("A demo asks no authority for certificates: set http.cert_file and http.key_file, or use a proxy.");
  const stopped = io.untilStopped(() => io.out("Still stopping. A third signal ends the process at once."));
  const log = createLog({ ...config.log, clock: systemClock, write: (line) => io.out(line) });
  const options: DemoOptions = { log, isReadOnly: flag("read-only"), within: configOptions.dataDir };
  io.out("Making a shop with a year of email, which takes some ten seconds …");
  let current = await Demo.make(config, options);
  try {
    await started(current, config);
    io.out(welcome(config.http.baseUrl));
    while (!(await isOver(stopped, everyMs))) {
      // It answers until the next one can take its place.
      const next = await Demo.make(config, options);
      await current[Symbol.asyncDispose]();
      current = next;
      await started(current, config);
      log.info("the demo has begun anew");
    }
  } finally {
    await current[Symbol.asyncDispose]();
  }
}

/** Null = never. @throws UsageError */
function resetMs({ text }: VerbCall): number | null {
  const given = text("reset-every");
  if (given === undefined) return null;
  const seconds = secondsIn(given);
  if (seconds === null || seconds < LEAST_SECONDS)
    throw misused(DEMO, "takes --reset-every with a time of a minute or more, such as 15m or 1h");
  return seconds * 1_000;
}

/** @throws Error in plain words if the address cannot be listened on */
async function started(one: Demo, config: ReturnType<VerbCall["config"]>): Promise<void> {
  try {
    await one.serve();
  } catch (error) {
    throw listenFault(error as { code?: string; syscall?: string }, config) ?? error;
  }
}

/** True once it is to stop, false when it is time for the next one. */
function isOver(stopped: Promise<void>, everyMs: number | null): Promise<boolean> {
  const ended = stopped.then(() => true);
  if (everyMs === null) return ended;
  const { promise: elapsed, resolve } = Promise.withResolvers<boolean>();
  systemClock.timeout(everyMs).addEventListener("abort", () => resolve(false));
  return Promise.race([ended, elapsed]);
}

function welcome(baseUrl: string): string {
  const roles = Object.keys(TEAM) as TeamRole[];
  const lines = roles.map((role) => `  ${role.padEnd(9)}  ${linkOf(baseUrl, role)}  ${TEAM[role].name}`);
  return `\nThe demo is ready. Open it as\n\n${lines.join("\n")}\n\nNo email leaves. Ctrl+C ends it, and its data is gone.\n`;
}

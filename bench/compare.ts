// `npm run bench:compare`: Posthorn beside Postfix, Exim, listmonk and Plunk, with the same mail by turns. A ratio
// above 1 is in favour of Posthorn, and NO marks what it does worse. What cannot be run on this machine is named, with
// the reason. The users of Postfix and Exim must be able to reach --dir.
import { writeFileSync } from "node:fs";
import { machine } from "./support/machine.ts";
import { figuresOf, turnsOf } from "./support/measure-peers.ts";
import { listmonk, plunk } from "./support/peers-in-containers.ts";
import { exim, postfix, posthorn } from "./support/peers.ts";
import { runBench } from "./support/run-bench.ts";
import { GROUPS } from "./support/usage.ts";

await runBench({
  options: {
    turns: { value: "5", help: "how often each is measured (default: 3)" },
    mails: { value: "2000", help: "how many mails a turn (default: 5000)" },
    only: { value: "Postfix,Exim", help: "some of the peers" },
    to: { value: "FILE", help: "all turns as JSON" },
  },
  measure: async ({ command, dir }, options) => {
    if (GROUPS === null || process.getuid?.() !== 0) throw new Error("This takes root, on Linux with cgroup 2.");
    const mails = Number(options.mails ?? 5_000);
    const wanted = options.only?.split(",");
    const all = [postfix(), exim(), listmonk(), plunk()].filter(({ name }) => wanted?.includes(name) ?? true);
    const peers = [posthorn(command), ...all.filter(({ missing }) => missing === null)];
    for (const { name, missing } of all)
      if (missing) console.error(`${name} is not measured on this machine: ${missing}.`);
    const works = [
      { by: "SMTP", connections: 1, mails: Math.ceil(mails / 2) },
      { by: "SMTP", connections: 10, mails },
      { by: "HTTP", connections: 16, mails },
    ] as const;
    const before = machine(dir);
    const turns = await turnsOf({ command, dir }, peers, works, Number(options.turns ?? 3));
    const facts = [...peers.slice(0, 1), ...all].map(({ start: _, ...fact }) => fact);
    const raw = { at: new Date().toISOString(), machine: before, mails, peers: facts, turns };
    if (options.to) writeFileSync(options.to, `${JSON.stringify(raw, null, 2)}\n`);
    return figuresOf(turns);
  },
});

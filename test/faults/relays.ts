// A relay that hangs, drips, hangs up, answers late or at random, or takes a few mails in a session, and a name server
// that says nothing.
import { createSocket } from "node:dgram";
import { posthornCli } from "../support/cli.ts";
import { during, type Fault } from "./fault.ts";
import type { Mood } from "./relay.ts";

const BAD_MS = 8_000;

const NAMES: Partial<Record<Mood, string>> = { random: "answers at random", late: "answers late" };

function moody(mood: Mood): Fault {
  return {
    name: `relay ${NAMES[mood] ?? mood}`,
    play: (seed) =>
      during({ seed }, async (ground) => {
        ground.relay.mood = mood;
        await Bun.sleep(BAD_MS);
        ground.relay.mood = "well";
        await ground.end();
        ground.note = `${ground.relay.refused.size} refused for good`;
      }),
  };
}

export const RELAYS: readonly Fault[] = [
  ...(["hangs", "drips", "closes", "random", "late", "limits", "closes behind a mail"] as const).map(moody),
  {
    name: "DNS mute",
    play: async (seed) => {
      const mute = createSocket("udp4");
      await new Promise<void>((resolve) => mute.bind(0, "127.0.0.1", resolve));
      const settings = { POSTHORN_DNS_SERVERS: `127.0.0.1:${mute.address().port}` };
      try {
        return await during({ seed, settings }, async (ground) => {
          const startedMs = performance.now();
          const env = { ...settings, POSTHORN_DATA_DIR: ground.dataDir };
          const { out, err } = await posthornCli(["domain", "verify", "example.test"], env);
          ground.note = `domain verify after ${Math.round(performance.now() - startedMs)} ms: ${(err || out).split("\n")[0]}`;
          const contact = await ground.ask("/domains");
          if (contact.status !== 200) ground.book.fault(`GET /domains answered ${contact.status}`);
          await ground.arrivals(200);
        });
      } finally {
        mute.close();
      }
    },
  },
];

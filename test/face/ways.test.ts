// Several ways out in a browser: which one is away, and why, at the three places where somebody looks.
import { expect } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import type { WaySettings } from "../../src/base/config/ways.ts";
import { journey, soon, visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { RecordingTransport } from "../support/transport.ts";

const BACKUP: WaySettings = {
  ...{ name: "backup", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 10, price: null },
  relay: { ...DEFAULTS.relay, host: "smtp.backup.example" },
  ses: DEFAULTS.ses,
};
const REPLY = "connect ECONNREFUSED 192.0.2.9:587";
const PLACES = ["/", "/mail", "/settings/server"] as const;
/** A folder for pictures, to be looked at. */
const { PICTURES } = process.env;

journey.each(["en-GB", "de-DE"])(
  "In %s, a way that is away is named with what it said, on a telephone as on a desk",
  async (locale) => {
    await using posthorn = await startPosthorn({
      wayTransports: { backup: new RecordingTransport() },
      config: {
        delivery: { transport: "smtp" },
        relay: { host: "smtp.example.com" },
        ways: [BACKUP],
      },
    });
    posthorn.transport.answer = () => ({ kind: "unreachable", reply: REPLY });
    posthorn.transport.fault = REPLY;
    await posthorn.call("POST /v1/send", letter);
    await posthorn.settle();
    await posthorn.call("POST /v1/send", { ...letter, to: "cyd@example.com" });
    for (const width of [360, 1280]) {
      await using eva = await visit(posthorn, { locale, viewport: { width, height: 900 } });
      await signIn(eva.context, posthorn);
      for (const place of PLACES) {
        await eva.open(place);
        // Where the queue is a strip that opens, it comes a moment after the page.
        const shut = eva.page.locator("details.strip:not([open]) summary");
        await soon(async () => {
          if ((await shut.count()) > 0) await shut.first().click();
          expect(await eva.page.locator("main").innerText()).toContain(REPLY);
        });
        expect(await layoutFaults(eva.page)).toEqual([]);
        if (PICTURES)
          await eva.page.screenshot({
            path: `${PICTURES}/${locale}-${width}-${place.replaceAll("/", "_")}.png`,
            fullPage: true,
          });
      }
    }
  },
);

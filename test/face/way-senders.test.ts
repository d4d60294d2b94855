// A way out that does not know a sender domain, in a browser: said where somebody looks, with what the way said.
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
const REPLY = "550 The from address does not match a verified Sender Identity";
/** A folder for pictures, to be looked at. */
const { PICTURES } = process.env;

journey.each(["en-GB", "de-DE"])(
  "In %s, a domain that a way does not know is named in the overview, and on the pages of both",
  async (locale) => {
    await using posthorn = await startPosthorn({
      wayTransports: { backup: new RecordingTransport() },
      config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" }, ways: [BACKUP] },
    });
    posthorn.transport.answer = () => ({ kind: "failed", reply: REPLY, phase: "data" });
    for (const name of ["ada", "bob", "cyd"]) {
      await posthorn.call("POST /v1/send", { ...letter, to: `${name}@example.com` });
      await posthorn.settle();
    }
    const { id } = (await posthorn.call("GET /domains")).body.data[0];
    for (const width of [360, 1280]) {
      await using eva = await visit(posthorn, { locale, viewport: { width, height: 900 } });
      await signIn(eva.context, posthorn);
      for (const place of ["/", "/settings/ways", `/settings/domains/${id}`]) {
        await eva.open(place);
        await soon(async () => expect(await eva.page.locator("main").innerText()).toContain(REPLY));
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

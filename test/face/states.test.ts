// Calls that fail on the screens that everybody opens: what failed is said, and can be tried again. Every screen and
// every call are in every-state.test.ts.
import { journey, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { breakCalls, FAULTS, impatient, OFFENDS, saysWhatFailed, triesAgain } from "./broken-calls.ts";

const PATHS = ["", "/campaigns", "/templates", "/workflows", "/mail", "/people"];

journey("Screens whose calls fail say what failed, and show everything once it is tried again", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn, { offends: OFFENDS });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await impatient(eva);
  for (const [at, path] of PATHS.entries()) {
    const kind = FAULTS[at % FAULTS.length] ?? "error";
    const { mend } = await breakCalls(page, posthorn.server.url, kind);
    await page.goto(`${posthorn.server.url}/app${path}`);
    await saysWhatFailed(page, kind);
    if (at === 0) await eva.check();
    await mend();
    await triesAgain(page);
  }
});

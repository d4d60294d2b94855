// What files keep, in a browser: a banner says so, and says when it was changed here since.
import { afterAll } from "bun:test";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { journey, visit } from "../support/browser.ts";
import { freshDirectory } from "../support/database.ts";
import { addOneOfEach, Files } from "../support/email-as-code.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

const folder = freshDirectory();
afterAll(folder.remove);

journey(
  "A marketer sees what is kept in files, changes it all the same, and sees that an apply will wait",
  async () => {
    await using posthorn = await startPosthorn();
    const ids = await addOneOfEach(posthorn);
    const files = new Files(mkdtempSync(join(folder.path, "mail-")), posthorn);
    await files.run("pull");
    await files.run("apply");
    await using eva = await visit(posthorn);
    await signIn(eva.context, posthorn);
    const { page } = eva;
    for (const [path, file] of [
      [`/workflows/${ids.workflow.id}`, "workflows/after-a-sign-up"],
      [`/forms/${ids.form.id}`, "forms/newsletter"],
      [`/templates/${ids.template.id}`, "templates/welcome"],
      ["/settings/brand", "brand/brand"],
      [`/settings/webhooks/${ids.webhook.id}`, "webhooks/the-shop"],
      [`/segments/${ids.pro.id}`, "segments/pro-users"],
    ] as const) {
      await eva.open(path);
      await page.getByText(`This is kept in files: ${file}. You may change it here.`).waitFor();
      await eva.check();
    }
    await eva.open(`/templates/${ids.template.id}`);
    await page.getByRole("button", { name: "Saved blocks" }).click();
    await page.getByRole("menuitem", { name: "Delete blocks…" }).click();
    await page.getByText("This is kept in files: blocks/our-signature.").waitFor();
    await eva.check();
    posthorn.clock.advance(60_000);
    await ask(posthorn, `PATCH /segments/${ids.pro.id}`, { body: { description: "Who pays" } });
    await eva.open(`/segments/${ids.pro.id}`);
    await page.getByText("It was changed here since they were last applied").waitFor();
    await eva.check();
  },
);

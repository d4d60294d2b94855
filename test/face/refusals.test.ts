// What the server refuses is said in German: each reason that it names, and each code that the table lists, is one of its own.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { STATUS_OF } from "../../src/errors.ts";
import { journey, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

// `web/` has types of its own.
const texts = new URL("../../web/texts/de/refusals.ts", import.meta.url).href;
const { refusals } = (await import(texts)) as {
  refusals: { reasons: Record<string, (values: object) => string>; codes: Record<string, string> };
};

test("each reason of the server has its German sentence, and no sentence is without a reason", () => {
  const root = new URL("../../src/", import.meta.url).pathname;
  const sources = [...new Glob("**/*.ts").scanSync(root)].map((path) => readFileSync(root + path, "utf8"));
  const reasons = sources.flatMap((text) => [...text.matchAll(/\{\s*reason: "([a-z_]+)"/g)].map(([, name]) => name));
  expect([...new Set(reasons)].toSorted()).toEqual(Object.keys(refusals.reasons).toSorted());
  expect(Object.keys(refusals.codes).filter((code) => !(code in STATUS_OF))).toEqual([]);
});

journey("A German reader is refused in German, at the field and above the form", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn, { locale: "de-DE" });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/set-up/domains");
  await page.getByRole("button", { name: "Domain hinzufügen" }).first().click();
  const dialog = page.getByRole("dialog");
  const add = async (domain: string) => {
    await dialog.getByRole("textbox").fill(domain);
    await dialog.getByRole("button", { name: "Domain hinzufügen" }).click();
  };
  await add("keine Domain");
  await dialog.getByText("Das ist kein Domainname.").waitFor();
  await add("example.test");
  await dialog.getByText("Die Domain example.test gehört schon zu diesem Arbeitsbereich.").waitFor();
  await eva.check();
});

// What the server refuses is said in German: each reason that it names, and each code that the table lists, is one of
// its own.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { STATUS_OF } from "../../src/base/errors.ts";
import { journey, visit } from "../support/browser.ts";
import { checkSyntax } from "../../src/content/templates/liquid/render.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

// `web/` has types of its own.
const texts = new URL("../../web/texts/de/refusals.ts", import.meta.url).href;
const { refusals } = (await import(texts)) as {
  refusals: {
    reasons: Record<string, (values: object) => string>;
    codes: Record<string, string>;
    messages: Record<string, (message: string) => string>;
  };
};

test("each reason of the server has its German sentence, and no sentence is without a reason", () => {
  const root = new URL("../../src/", import.meta.url).pathname;
  const sources = [...new Glob("**/*.ts").scanSync(root)].map((path) => readFileSync(root + path, "utf8"));
  const given = /\{\s*reason: (?:\w+ \? "([a-z_]+)" : )?"([a-z_]+)"/g;
  const reasons = sources.flatMap((text) => [...text.matchAll(given)].flatMap(([, ...names]) => names));
  expect([...new Set(reasons.filter(Boolean))].toSorted()).toEqual(Object.keys(refusals.reasons).toSorted());
  expect(Object.keys(refusals.codes).filter((code) => !(code in STATUS_OF))).toEqual([]);
});

test("each limit that can be reached has its German sentence", () => {
  const root = new URL("../../src/", import.meta.url).pathname;
  const sources = [...new Glob("**/*.ts").scanSync(root)].map((path) => readFileSync(root + path, "utf8"));
  const limited = sources.flatMap((text) => [...text.matchAll(/limitReached\(\s*"([a-z]+)"/g)].map(([, what]) => what));
  const said = limited.map((what) => refusals.reasons["limit_reached"]?.({ what, most: "7" }) ?? "");
  expect(limited.length).toBeGreaterThan(9);
  expect(said.filter((sentence) => sentence.includes("sind nicht möglich") || sentence === "")).toEqual([]);
});

test("what cannot be read of a template is said in German, with its place", () => {
  const saidOf = (source: string) => {
    try {
      checkSyntax(source);
      return "";
    } catch (error) {
      return refusals.messages["template_syntax"]?.((error as Error).message);
    }
  };
  expect(saidOf("Hello\n{% nosuch %}")).toBe("„nosuch“ gibt es nicht (Zeile 2, Spalte 1)");
  expect(saidOf("{{ a")).toBe("Zu „{{“ fehlt „}}“ (Zeile 1, Spalte 1)");
  expect(saidOf("{% if a %}")).toBe("Zu „if“ fehlt „endif“ (Zeile 1, Spalte 1)");
  expect(saidOf("{% endif %}")).toBe("„endif“ ohne Anfang (Zeile 1, Spalte 1)");
  expect(saidOf("{{ a | shout }}")).toBe("Den Filter „shout“ gibt es nicht (Zeile 1, Spalte 1)");
  expect(saidOf("{% for a in b %}{% if %}{% endif %}{% endfor %}")).toStartWith("Ein Wert fehlt");
});

journey("A German reader is refused in German, at the field and above the form", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn, { locale: "de-DE" });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/domains");
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

journey("What has no form is refused in German as well: in a message, and in place of a page", async () => {
  await using posthorn = await startPosthorn();
  const letter = { name: "Willkommen", type: "TRANSACTIONAL", subject: "Willkommen", body: "<p>Hallo</p>" };
  const { id } = (await posthorn.call("POST /templates", letter)).body;
  await using eva = await visit(posthorn, { locale: "de-DE", offends: /^console: Fault: No\./ });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  const refuse = (path: string, status: number, code: string) =>
    page.route(path, (route) =>
      route.fulfill({ status, json: { success: false, error: { code, message: "No.", requestId: "r-1" } } }),
    );
  await eva.open(`/templates/${id}`);
  await refuse("**/templates/*/duplicate", 403, "FORBIDDEN");
  await page.getByRole("button", { name: "Aktionen für Willkommen" }).click();
  await page.getByRole("menuitem", { name: "Duplizieren" }).click();
  await page.locator(".toast", { hasText: "Dazu fehlt Ihnen die Berechtigung." }).waitFor();
  await eva.check();
  await refuse(`${posthorn.server.url}/templates/${id}`, 403, "WORKSPACE_DISABLED");
  await eva.open(`/templates/${id}`);
  await page.getByRole("heading", { name: "Der Arbeitsbereich ist gesperrt." }).waitFor();
  await page.getByText("r-1").waitFor();
});

// Importing a file of people: what its columns become, and what that does to what people have.
import { expect } from "bun:test";
import { deflateRawSync } from "node:zlib";
import { journey, settled, soon, visit } from "../support/browser.ts";
import { signIn } from "../support/signed-in.ts";
import { imported } from "../support/files.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { zipOf } from "../support/reports.ts";
import { workbookOf } from "../support/workbooks.ts";

const csvOf = (...lines: readonly string[]) => ({
  name: "shop.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(`${lines.join("\n")}\n`),
});

journey("A column that becomes a list adds to it, and what would be replaced is shown before", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ann@fair.example", data: { tags: ["vip"], plan: "free" } });
  await posthorn.call("POST /contacts", { email: "bo@fair.example", data: { tags: ["old"], plan: "free" } });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people/import");
  const file = csvOf("email,Groups,plan", "ann@fair.example,new,pro", "bo@fair.example,new,free");
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("heading", { name: "1 value would be replaced" }).waitFor();
  await page.getByRole("button", { name: /Field for Groups/ }).click();
  await page.getByRole("option", { name: "data.tags" }).click();
  await page.getByRole("button", { name: "How Groups is read: List" }).waitFor();
  const lists = page.getByRole("button", { name: /What happens to lists with Groups/ });
  expect(await lists.innerText()).toContain("Add to the list");
  await lists.click();
  await page.getByRole("option", { name: "Replace the list" }).click();
  await page.getByRole("heading", { name: "3 values would be replaced" }).waitFor();
  const replaced = page.getByRole("region", { name: "Values that would be replaced" });
  await replaced.locator(".line", { hasText: "vip" }).getByText("new").waitFor();
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await eva.check();
  }
  await lists.click();
  await page.getByRole("option", { name: "Add to the list" }).click();
  await page.getByRole("heading", { name: "1 value would be replaced" }).waitFor();
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await settled(posthorn, async () => expect(await page.getByRole("heading", { name: "Imported" }).count()).toBe(1));
  const ann = (await posthorn.call("GET /contacts/by-email/ann@fair.example")).body;
  expect(ann.data).toEqual({ tags: ["vip", "new"], plan: "pro" });
});

journey("A file that is no CSV is told by what it is, and what to do", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people/import");
  const choose = (name: string, start: string) =>
    page
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(start, "latin1") });
  await choose("audience_export.zip", "PK\x03\x04\x14\0subscribed_members.csv");
  await page
    .getByRole("alert")
    .getByText(/^This archive is damaged, or cannot be read\. Unpack it/)
    .waitFor();
  await choose("people.ods", "PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet");
  await page
    .getByRole("alert")
    .getByText(/^This is a spreadsheet, but not \.xlsx\. Save it as \.xlsx or CSV/)
    .waitFor();
  await eva.check();
  await page.locator("input[type=file]").setInputFiles(csvOf("email", "ann@fair.example"));
  await page.getByText("All rows are valid.").waitFor();
});

journey("An Excel workbook is imported like a CSV file, and one that cannot be read says why", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people/import");
  const choose = (buffer: Buffer) =>
    page.locator("input[type=file]").setInputFiles({ name: "fair.xlsx", mimeType: "application/octet-stream", buffer });
  await choose(Buffer.from(`\xd0\xcf\x11\xe0${"E_n_c_r_y_p_t_e_d_P_a_c_k_a_g_e_".replaceAll("_", "\0")}`, "latin1"));
  await page.getByText(/^This workbook is protected by a password/).waitFor();
  await eva.check();
  const rows = [
    ["Name", "Work address", "Since", "Zip"],
    ["Ann", "ann@fair.example", ['s="1"', "<v>46381</v>"], ['s="2"', "<v>1234</v>"]],
    ["Bo", "bo@fair", ['s="1"', "<v>46382</v>"], ['s="2"', "<v>90948</v>"]],
  ] as const;
  await choose(workbookOf(rows, { formats: ["dd.mm.yyyy", "00000"] }));
  await page.getByText("Choose the column with the email addresses.").first().waitFor();
  await page.getByText("first sheet").waitFor();
  await page.getByText("ann@fair.example").waitFor();
  await page.getByRole("button", { name: /Field for Work address/ }).click();
  await page.getByRole("option", { name: "email" }).click();
  await page.getByRole("heading", { name: "1 row" }).waitFor();
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await eva.check();
  }
  await page.getByRole("radio", { name: /^No/ }).click();
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await settled(posthorn, async () => expect(await page.getByRole("heading", { name: "Imported" }).count()).toBe(1));
  const ann = (await posthorn.call("GET /contacts/by-email/ann@fair.example")).body;
  expect(ann.data).toEqual({ name: "Ann", Since: "2026-12-25", Zip: "01234" });
});

journey("Several files, or a ZIP of them, are one import, and each says what it is taken for", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people/import");
  const files = [
    ["unsubscribed_members.csv", "Email Address,First Name\nbo@fair.example,Bo\nnobody,Nobody\n"],
    ["subscribed_members.csv", "Email Address,First Name,PLAN\nann@fair.example,Änn,pro\nbo@fair.example,Bo,free\n"],
    ["notes.txt", "Call them in spring.\n"],
  ].map(([name = "", text = ""]) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) }));
  const input = page.locator("input[type=file]");
  await input.setInputFiles(files);
  const line = (name: string) => page.locator(".import-files .line", { hasText: new RegExp(`^${name}`) });
  await line("unsubscribed_members.csv").getByText("Unsubscribed", { exact: true }).waitFor();
  await line("unsubscribed_members.csv").getByText("1 repeated, 1 invalid").waitFor();
  await line("subscribed_members.csv").getByText("Subscribed", { exact: true }).waitFor();
  await line("notes.txt").getByText("Left out: no email addresses").waitFor();
  await page.getByText("(unsubscribed_members.csv)").waitFor();
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await eva.check();
  }
  await page.getByRole("button", { name: "Import 3 rows" }).click();
  await settled(posthorn, async () => expect(await page.getByRole("heading", { name: "Imported" }).count()).toBe(1));
  await page.getByText("unsubscribed_members.csv, subscribed_members.csv, notes.txt").waitFor();
  const person = async (name: string) => (await posthorn.call(`GET /contacts/by-email/${name}@fair.example`)).body;
  expect(await person("ann")).toMatchObject({ subscribed: true, data: { name: "Änn", PLAN: "pro" } });
  expect(await person("bo")).toMatchObject({ subscribed: false, data: { PLAN: "free" } });
  await page.getByRole("button", { name: "All imports" }).click();
  const archive = zipOf(
    files.map(({ name, buffer: bytes }) => ({ name, bytes })),
    deflateRawSync,
  );
  await input.setInputFiles({ name: "people.zip", mimeType: "application/zip", buffer: archive });
  await page.getByText("3 files").waitFor();
  await page.getByRole("button", { name: "Another file" }).click();
  const other = { name: "old.xls", bytes: Buffer.from("\xd0\xcf\x11\xe0", "latin1") };
  await input.setInputFiles({ name: "old.zip", mimeType: "application/zip", buffer: zipOf([other], deflateRawSync) });
  await page.getByText(/old\.xls: This is a spreadsheet, but not \.xlsx/).waitFor();
});

journey("Nothing has a green tick while a preview is being prepared, or before it can be", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people/import");
  const waiting = new Set<() => void>();
  await page.route("**/contacts/import/check*", async (route) => {
    await new Promise<void>((go) => waiting.add(go));
    await route.continue();
  });
  const answer = async () => {
    await soon(async () => expect(waiting.size).toBeGreaterThan(0));
    for (const go of waiting) go();
    waiting.clear();
  };
  const rows = page.getByRole("region", { name: "Invalid rows" });
  const tick = rows.locator("header .m.ok");
  await page.locator("input[type=file]").setInputFiles(csvOf("who,name", "ann@fair.example,Ann"));
  await rows.getByText("The preview is being prepared.").waitFor();
  expect(await tick.count()).toBe(0);
  // No column has the addresses: there is nothing to wait for.
  await answer();
  await page.locator(".disabled-reason").getByText("Choose the column with the email addresses.").waitFor();
  await rows.waitFor({ state: "detached" });
  expect(await page.getByText("The preview is being prepared.").count()).toBe(0);
  await page.getByRole("button", { name: /Field for who/ }).click();
  await page.getByRole("option", { name: "email" }).click();
  await answer();
  await tick.waitFor();
  await page.getByRole("button", { name: /Field for name/ }).click();
  await page.getByRole("option", { name: "Don’t import" }).click();
  await tick.waitFor({ state: "detached" });
  await rows.getByText("The preview is being prepared.").waitFor();
  await answer();
  await tick.waitFor();
});

journey("Fields with names that segments cannot use are renamed in one go, and what used them is named", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", {
    email: "ann@fair.example",
    data: { "Kundennr.": "K7", "Phone Number": "1" },
  });
  const filters = [{ field: "data.Phone Number", operator: "exists" }];
  await posthorn.call("POST /segments", { name: "With a phone", condition: { groups: [{ filters }] } });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people/import");
  await page.getByText(/^2 fields have names that segments and emails cannot use/).waitFor();
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await eva.check();
  }
  await page.getByRole("button", { name: "Rename…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("kundennr", { exact: true }).waitFor();
  await eva.check();
  await dialog.getByRole("button", { name: "Rename" }).click();
  await settled(posthorn, async () => expect(await page.getByText("The fields are renamed").count()).toBe(1));
  await dialog.getByText("Segment “With a phone”").waitFor();
  await eva.check();
  await dialog.getByText("Close", { exact: true }).click();
  await soon(async () => expect(await page.getByRole("button", { name: "Rename…" }).count()).toBe(0));
  const ann = (await posthorn.call("GET /contacts/by-email/ann@fair.example")).body;
  expect(ann.data).toEqual({ kundennr: "K7", phoneNumber: "1" });
});

journey("Since when people are on the list is a day of its own, beside since when they are known here", async () => {
  await using posthorn = await startPosthorn();
  const lines = ["Email Address,OPTIN_TIME", "ann@fair.example,2023-04-01 10:11:12"];
  await imported(posthorn, `${lines.join("\n")}\n`);
  const ann = (await posthorn.call("GET /contacts/by-email/ann@fair.example")).body;
  expect(ann.data.joinedAt).toBe("2023-04-01T10:11:12.000Z");
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people");
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "joinedAt" }).click();
  await page.keyboard.press("Escape");
  const texts = (of: string) => page.locator(`.persons > ${of} > :not(.checkbox)`).allInnerTexts();
  await soon(async () =>
    expect(await texts(".head")).toEqual(["Email address", "Name", "Status", "joinedAt", "Known since"]),
  );
  expect((await texts(".line")).slice(-2)).toEqual(["1 Apr 2023", "1 Mar 2026"]);
  await eva.open(`/people/${ann.id}`);
  await page.getByRole("button", { name: /joinedAt.*1 April 2023 at 10:11:12/ }).click();
  // What is edited is what is stored.
  expect(await page.getByRole("textbox", { name: "joinedAt" }).inputValue()).toBe(ann.data.joinedAt);
});

// Writing in the face: templates as code and visually, looked at as somebody, saved by itself, never over what somebody else has saved.
import { expect } from "bun:test";
import { journey, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

const SAVED = /saved \d/;

journey("A template is made, written as code, looked at as somebody, and saved by itself", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ada@example.com", data: { name: "Ada", plan: "pro" } });
  await posthorn.call("POST /contacts", { email: "ben@example.com", data: { plan: "free" } });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open("/templates");
  await page.getByRole("button", { name: "New template" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Welcome");
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "New template" }).click();

  const code = page.getByRole("textbox", { name: "The mail, as HTML with Liquid" });
  await code.waitFor();
  await eva.check();
  const mail = page.frameLocator("iframe[sandbox='']").last();
  await mail.getByText("Hello there,").waitFor();

  await page.getByRole("textbox", { name: "Subject" }).fill("Welcome, {{ name }}");
  await page.getByText("nothing for name").waitFor();
  await page.getByRole("button", { name: "As whom to look at it" }).click();
  await page.getByRole("searchbox", { name: "Name or address" }).fill("ada");
  await page.getByRole("menuitem", { name: "Ada" }).click();
  await page.getByText("Welcome, Ada").waitFor();
  await mail.getByText("Hello Ada,").waitFor();
  await page.getByRole("button", { name: "Another" }).click();
  await page.getByText("nothing for name").waitFor();
  await mail.getByText("Hello there,").waitFor();

  await code.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("<p>Hi</p>\n<p>{% if plan %}pro{% endfi %}</p>\n");
  await page.locator(".cm-fault").getByText("line 2").waitFor();
  await eva.check();
  await page.getByText("not saved", { exact: true }).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("Hi {{ p");
  await page.getByRole("option", { name: "plan" }).click();
  await page.keyboard.insertText(" }}");
  await page.locator(".cm-fault").waitFor({ state: "detached" });
  await mail.getByText("Hi free").waitFor();
  await page.getByText(SAVED).waitFor();
  const { data } = (await posthorn.call("GET /templates")).body;
  expect(data).toEqual([expect.objectContaining({ name: "Welcome", subject: "Welcome, {{ name }}" })]);
  expect(data[0].body).toStartWith("Hi {{ plan }}");
});

// The frame of the face: where one is, where one may go, what can be done from anywhere.
import { expect } from "bun:test";
import { journey, visit } from "../support/browser.ts";
import { signIn } from "../support/signed-in.ts";
import { startPosthorn } from "../support/posthorn.ts";

journey("Somebody who is signed in sees their workspace, their name and the overview", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/");
  const side = eva.page.getByRole("navigation", { name: "Posthorn" }).first();
  expect(await side.getByText("default").count()).toBe(1);
  expect(await side.getByRole("link", { name: "Overview" }).getAttribute("aria-current")).toBe("page");
  expect(await eva.page.getByRole("heading", { level: 1 }).textContent()).toBe("Overview");
  await eva.page.screenshot({ path: "/tmp/overview.png" });
});

// The screens of topics and suppressions, of a shop that has some of each.
import type { Posthorn } from "../support/posthorn.ts";
import type { Screen } from "./screens.ts";

const TOPICS = [
  { key: "harbour", name: { en: "News from the harbour", de: "Neues vom Hafen" } },
  { key: "tips", name: { en: "Tips for boats", de: "Bootstipps" }, default: "out" },
  { key: "invitations", name: { en: "Invitations", de: "Einladungen" }, visible: false },
];
const SUPPRESSED = [
  { address: "caller@example.com", note: "Asked by phone" },
  { domain: "competitor.example", scope: "marketing" },
  { address: "sailing@example.com", scope: "marketing", until: "2031-05-01T00:00:00Z" },
];
const done = new WeakSet<Posthorn>();

/** Once a shop. */
async function audienceOf(posthorn: Posthorn): Promise<void> {
  if (done.has(posthorn)) return;
  done.add(posthorn);
  for (const topic of TOPICS) await posthorn.call("POST /topics", topic);
  for (const one of SUPPRESSED) await posthorn.call("POST /suppressions", one);
  await posthorn.settle();
}

const SHOWN: readonly Screen[] = [
  { name: "topics", path: "/topics" },
  {
    name: "topic-new",
    path: "/topics",
    prepare: async (page) => {
      await page.keyboard.press("n");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "suppressions", path: "/suppressions" },
  {
    name: "suppressions-import",
    path: "/suppressions?open=import",
    prepare: async (page) => page.getByRole("dialog").waitFor(),
  },
];

export const AUDIENCE: readonly Screen[] = [
  { name: "new-topics", path: "/topics", house: "new" },
  { name: "new-suppressions", path: "/suppressions", house: "new" },
  ...SHOWN.map((screen): Screen => ({ ...screen, before: audienceOf })),
];

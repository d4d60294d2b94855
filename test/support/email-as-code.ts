// A workspace with one of each thing that files keep, and the command line that pulls, plans and applies them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { posthornCli, type Ended, type Env } from "./cli.ts";
import type { Json, Posthorn } from "./posthorn.ts";
import { ask } from "./scenario.ts";

/** One of each kind, which name each other. Answers their ids. */
export async function addOneOfEach(posthorn: Posthorn) {
  const made = async (route: string, body: object): Promise<Json> => {
    const { status, body: answer } = await ask(posthorn, route, { body });
    if (status >= 300) throw new Error(`${route}: ${JSON.stringify(answer)}`);
    return answer;
  };
  await made("POST /topics", { key: "news", name: { en: "Product news", de: "Neues" } });
  const pro = await made("POST /segments", {
    name: "Pro users",
    condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] },
  });
  const readers = await made("POST /segments", {
    name: "Pro readers",
    trackMembership: true,
    condition: {
      groups: [
        {
          filters: [
            { field: `segment.${pro.id}`, operator: "memberOf" },
            { field: "topic.news", operator: "equals", value: "in" },
          ],
        },
      ],
    },
  });
  const joined = await made("POST /segments", { name: "Joined by form", type: "STATIC" });
  const template = await made("POST /templates", {
    name: "Welcome",
    alias: "welcome",
    subject: "Welcome, {{ name ?? 'friend' }}",
    body: "<h1>Welcome</h1>\n<p>{{ company }}</p>\n",
    text: "Welcome\n",
    type: "MARKETING",
    topic: "news",
    from: "Shop <shop@example.test>",
    tags: ["welcome"],
    metadata: { team: "growth" },
  });
  await made("POST /blocks", { name: "Our signature", body: "<p>Yours</p>" });
  await ask(posthorn, "PUT /workspace/brand", { body: { colors: { accent: "#9a5b12" }, footer: "<p>Acme</p>" } });
  const form = await made("POST /forms", {
    name: "Newsletter",
    key: "newsletter",
    title: { en: "News" },
    fields: [{ name: "firstName", type: "text", label: { en: "First name" } }],
    consent: { wording: { en: "Send me news." } },
    topics: ["news"],
    segmentId: joined.id,
  });
  const workflow = await made("POST /workflows", {
    name: "After a sign-up",
    eventName: "signup",
    reentry: "after-end",
    enabled: true,
    steps: [
      { ref: "wait", type: "DELAY", name: "A day later", config: { amount: 1, unit: "days" } },
      {
        ref: "ask",
        type: "CONDITION",
        name: "Is pro",
        config: { condition: { groups: [{ filters: [{ field: `segment.${pro.id}`, operator: "memberOf" }] }] } },
      },
      { ref: "mail", type: "SEND_EMAIL", name: "Welcome", config: { templateId: template.id } },
      {
        ref: "hook",
        type: "WEBHOOK",
        name: "Tell the shop",
        config: { url: "https://shop.example.com/hook", method: "POST", headers: { Authorization: "Bearer hush" } },
      },
    ],
    transitions: [
      { fromStepId: "trigger", toStepId: "wait" },
      { fromStepId: "wait", toStepId: "ask" },
      { fromStepId: "ask", toStepId: "mail", condition: { branch: "yes" } },
      { fromStepId: "ask", toStepId: "hook", condition: { branch: "no" } },
    ],
  });
  const weekly = await made("POST /workflows", {
    name: "Weekly",
    triggerType: "SCHEDULE",
    triggerConfig: { cron: "0 9 * * 1", timezone: "Europe/Berlin", segmentId: readers.id },
    steps: [{ type: "SEND_EMAIL", name: "Welcome", config: { templateId: template.id } }],
  });
  const webhook = await made("POST /webhooks", {
    url: "https://shop.example.com/posthorn",
    events: ["email.*"],
    description: "The shop",
    headers: { "X-Token": "very-secret" },
  });
  return { pro, readers, joined, template, form, workflow, weekly, webhook };
}

/** A directory, and the verbs on it. */
export class Files {
  constructor(
    readonly path: string,
    private readonly posthorn: Pick<Posthorn, "server" | "keys">,
    private readonly env: Env = {},
  ) {}

  run(verb: "pull" | "plan" | "apply", ...options: readonly string[]): Promise<Ended> {
    const env = { POSTHORN_URL: this.posthorn.server.url, POSTHORN_KEY: this.posthorn.keys.secret, ...this.env };
    return posthornCli([verb, this.path, ...options], env);
  }

  /** By another key or workspace, or with another environment. */
  as(keys: Posthorn["keys"], env: Env = {}): Files {
    return new Files(this.path, { server: this.posthorn.server, keys }, env);
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), "utf8");
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.path, file)), { recursive: true });
    writeFileSync(join(this.path, file), text);
  }

  change(file: string, from: string, to: string): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} does not say ${from}:\n${text}`);
    this.write(file, text.replace(from, to));
  }

  remove(file: string): void {
    rmSync(join(this.path, file));
  }

  /** The text of every file by its path, without what the pull notes for itself. */
  all(): Record<string, string> {
    const files = (
      readdirSync(this.path, { recursive: true, withFileTypes: true }) as unknown as {
        name: string;
        parentPath: string;
        isFile(): boolean;
      }[]
    ).filter((one) => one.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(this.path.length + 1)).sort();
    return Object.fromEntries(paths.filter((one) => one !== ".posthorn.json").map((one) => [one, this.read(one)]));
  }
}

// `posthorn install-service`: a few questions, then a service of systemd that starts with the machine.
import { existsSync } from "node:fs";
import { DEFAULTS, loadConfig } from "../../base/config.ts";
import { MAIL_SERVER_PORTS, type SetupAnswers, type RelayAccount } from "../../base/service/first-config.ts";
import { refuseTaken, type PortAddress } from "../../base/service/ports.ts";
import {
  AS_SERVICE,
  carryOut,
  CONFIG_FILE,
  DATA_DIR,
  shellLines,
  refuseUnfit,
  stepsFor,
} from "../../base/service/plan.ts";
import type { VerbCall, Io, Verb } from "./verb.ts";

export const INSTALL_SERVICE: Verb = {
  name: "install-service",
  summary:
    "Installs Posthorn as a systemd service: user, directories, a first configuration from a few questions, a hardened unit",
  notes: [
    "An existing configuration is not changed. Without a terminal, the answers are read from the standard input, one per line.",
    "To upgrade, run it from the new executable: it replaces the old one and restarts the service.",
  ],
  options: { "dry-run": { help: "Print what would be done as shell commands, and do nothing" } },
  run: install,
};

async function install({ io, flag }: VerbCall): Promise<void> {
  const isDry = flag("dry-run");
  if (!isDry) refuseUnfit();
  const answers = existsSync(CONFIG_FILE) ? null : await askSetup(io);
  if (!isDry) refuseTaken(portsOf(answers));
  const steps = stepsFor({ answers, self: process.execPath });
  for (const step of steps) {
    if (isDry) io.out(shellLines(step));
    else carryOut(step);
  }
  if (isDry) return;
  io.out(`Posthorn runs as a service. Its first keys: ${DATA_DIR}/first-keys.txt, and its log: journalctl -u posthorn`);
  io.out("");
  io.out("Next, the records for DNS of the domain you send from:");
  io.out(`  ${AS_SERVICE("domain add example.com --workspace default")}`);
}

type Prompt = (question: string, fallback: string) => Promise<string>;

async function askSetup(io: Io): Promise<SetupAnswers> {
  const ask: Prompt = async (question, fallback) => (await io.ask(`${question} [${fallback}]: `)).trim() || fallback;
  const baseUrl = await ask("The address under which recipients reach this server", "https://mail.example.com");
  const way = await wayOut(ask);
  const ports = await ask("Do mail programs or other mail servers connect here (ports 25, 465, 587)? yes or no", "no");
  const bounces = await ask("The domain that bounces return to, such as bounces.example.com, or none", "none");
  return { baseUrl, way, isMailServer: /^y/i.test(ports), returnPathDomain: bounces === "none" ? null : bounces };
}

async function wayOut(ask: Prompt): Promise<SetupAnswers["way"]> {
  const kind = await ask("How email leaves: smtp (a relay), ses, or capture (not at all yet)", "capture");
  if (kind === "smtp") return relay(ask);
  if (kind === "ses") return { region: await ask("Region of Amazon SES", "eu-west-1") };
  return kind === "capture" ? kind : wayOut(ask);
}

async function relay(ask: Prompt): Promise<RelayAccount> {
  const host = await ask("Host of the relay", "smtp.example.com");
  const port = Number(await ask("Its port", "587"));
  const user = await ask("User at the relay, or none", "none");
  if (user === "none") return { host, port, user: null, password: null };
  return { host, port, user, password: await ask("Its password (kept in the configuration, mode 640)", "") };
}

/** By the answers, or by the existing configuration. */
export function portsOf(answers: SetupAnswers | null): readonly PortAddress[] {
  const { http, smtp } = answers === null ? loadConfig({ file: CONFIG_FILE, env: {} }) : ofAnswers(answers);
  const ofSmtp = [smtp.submissionPort, smtp.submissionsPort, smtp.inboundPort];
  const all = [{ host: http.host, port: http.port }, ...ofSmtp.map((port) => ({ host: smtp.host, port }))];
  return all.filter(({ port }) => port > 0);
}

function ofAnswers({ isMailServer }: SetupAnswers): Pick<typeof DEFAULTS, "http" | "smtp"> {
  return { http: DEFAULTS.http, smtp: { ...DEFAULTS.smtp, ...(isMailServer && MAIL_SERVER_PORTS) } };
}

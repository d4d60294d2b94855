// The port of plain HTTP, where the certificate authority fetches the answers to its challenges.
import { namesOf } from "../../../base/certificates/acme/kept.ts";
import { CHALLENGES, NO_CHALLENGE, plainPortOf } from "../../../base/certificates/acme/plain-port.ts";
import type { Config } from "../../../base/config.ts";
import { lookWhetherFree } from "./machine.ts";
import { ok, wrong, type DoctorFinding } from "./finding.ts";

/** An authority connects to this port, whichever port is used here. */
const PUBLIC_PORT = 80;
const MAX_WAIT_MS = 5_000;

/** As the authority will connect: by each name. `isRunning`: the server answers; else the port must be free for it. */
export async function lookAtPlainPort(
  config: Config,
  isRunning: boolean,
  asked = PUBLIC_PORT,
): Promise<DoctorFinding[]> {
  const { http } = config;
  const port = plainPortOf(http);
  if (http.tls !== "acme" || port === 0) return [];
  const own = { name: "plain http", host: http.host, port, tls: false };
  if (!isRunning) return [lookWhetherFree(own)];
  return Promise.all(namesOf(config).map((name) => lookAtName(`${name}:${asked}`, port)));
}

/** `place`: name and port, as the authority connects. */
async function lookAtName(place: string, port: number): Promise<DoctorFinding> {
  const check = "port plain http";
  const said = await answerAt(`http://${place}${CHALLENGES}doctor`);
  if (said === NO_CHALLENGE) return ok(check, `${place} leads here, so certificates can be had`);
  const todo = `Make sure that ${place} leads to http.plain_port (${port}) of this machine: DNS, firewall, other programs.`;
  return wrong(check, `${place} does not lead here: ${said.trim().slice(0, 100)}`, todo);
}

async function answerAt(url: string): Promise<string> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(MAX_WAIT_MS) });
    return (await response.text()) || `it answers ${response.status}`;
  } catch (error) {
    return (error as Error).message;
  }
}

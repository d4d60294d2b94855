// `posthorn alerts test`: sends a test to the recipients in [alerts].
import { systemClock } from "../../../base/clock.ts";
import { ownName } from "../../../base/config.ts";
import { carriersHere } from "../../../sending/carrier/carriers.ts";
import { transportFor } from "../../../sending/carrier/transports.ts";
import { isNotTaken } from "../../../sending/open-ways/refused-by-way.ts";
import type { SendNow } from "../../../sending/delivery/room.ts";
import { transportOptions } from "../../../sending/open-ways/sending-options.ts";
import { CLOSING } from "../../../sending/carrier/transport/transport.ts";
import { recipientsOf, sendAlert, WEBHOOK } from "../../../operator/alerts/telling.ts";
import type { AlertNews } from "../../../operator/alerts/words.ts";
import { configBeside, inStore, secretsOf, tokensIn, waysIn, type CliGround } from "../beside.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const ALERTS_TEST: Verb = {
  name: "alerts test",
  summary: "Sends a test to everybody whom [alerts] names; exit code 1 if one of them was not told",
  notes: ["The server may be running or not: the test does not go through its queue."],
  options: JSON_OPTION,
  run: test,
};

type AlertResult = { readonly recipient: string; readonly told: boolean; readonly problem: string | null };

async function test(call: VerbCall): Promise<number> {
  const { config } = await configBeside(call);
  // No alert leaves either.
  if (config.delivery.transport === "capture" && config.alerts.email.length > 0)
    throw new Error('No email leaves while delivery.transport is "capture": set "smtp" or "ses", and try again.');
  if (recipientsOf(config).length === 0)
    throw new Error("Nobody is to be told: set alerts.email or alerts.webhook, and try again.");
  const told = await inStore(call, toldAll);
  if (call.flag("json")) call.io.out(JSON.stringify(told));
  else for (const one of told) call.io.out(lineOf(one));
  return told.every((one) => one.told) ? 0 : 1;
}

async function toldAll(place: CliGround): Promise<AlertResult[]> {
  const { store, config } = place;
  const secrets = await secretsOf(place);
  const tokens = await tokensIn(place);
  const listed = (await waysIn(place)).filter(({ kind, problem }) => kind !== "capture" && problem === null);
  const ways = await Promise.all(
    listed.map(async (way) => carriersHere(await transportFor(transportOptions(config, way), tokens.of(way)))),
  );
  const sendNow: SendNow = async (mail) => {
    let outcome: Awaited<ReturnType<SendNow>> | null = null;
    for (const carriers of ways) {
      ({ outcome } = await carriers.send(mail, null));
      if (!isNotTaken(outcome)) return outcome;
    }
    return outcome ?? CLOSING;
  };
  const at = new Date(systemClock.nowMs()).toISOString();
  const news: AlertNews = { server: ownName(config), at, begun: [], over: [], isTest: true };
  try {
    const told: AlertResult[] = [];
    for (const recipient of recipientsOf(config)) {
      const reason = (error: Error) => error.message;
      const problem = await sendAlert({ store, config, secrets, sendNow }, recipient, news).catch(reason);
      told.push({ recipient, told: problem === null, problem });
    }
    return told;
  } finally {
    await Promise.all(ways.map((carriers) => carriers.close()));
  }
}

function lineOf({ recipient, problem }: AlertResult): string {
  const name = recipient === WEBHOOK ? "the webhook" : recipient;
  return problem === null ? `told: ${name}` : `NOT told: ${name}: ${problem}`;
}

// Mailbox providers that are sent less, with email that waits for them.
import { expect } from "bun:test";
import { putOn } from "../support/brakes.ts";
import type { Posthorn } from "../support/posthorn.ts";

const done = new WeakSet<Posthorn>();

/** Once a server. */
export async function providersAskForLess(posthorn: Posthorn): Promise<void> {
  if (done.has(posthorn)) return;
  done.add(posthorn);
  await putOn(posthorn, { perHour: 300 });
  const reply =
    "550 5.7.1 Unfortunately, messages from [192.0.2.10] weren't sent: part of their network is on our block list (S3150)";
  await putOn(posthorn, { mailbox: "outlook", isPaused: true, reply });
  await posthorn.settle();
  const people = ["ada", "bob", "eva", "joan", "grace"].flatMap((name) => [`${name}@gmail.com`, `${name}@hotmail.com`]);
  const letter = { to: people, from: "hello@lanternfish.example", subject: "Sale", body: "<p>Sale" };
  expect((await posthorn.call("POST /v1/send", letter)).status).toBe(200);
  await posthorn.settle();
}

// A fault that the server is put through, by name.
import { Ground, type Found, type Plan } from "./ground.ts";

export type Fault = {
  readonly name: string;
  /** Why it cannot be tried on this machine; null = it can. */
  readonly without?: () => string | null;
  readonly play: (seed: number) => Promise<Found>;
};

/** What is done to the ground between two times of peace. */
export async function during(plan: Plan, work: (ground: Ground) => Promise<void>): Promise<Found> {
  await using ground = await Ground.set(plan);
  await work(ground);
  await ground.drain();
  return await ground.found();
}

export async function expectAnswer(ground: Ground, path: string, status: number): Promise<string> {
  const answered = await ground.ask(path);
  if (answered.status !== status) ground.book.fault(`GET ${path} answered ${answered.status}: ${answered.body}`);
  return answered.body;
}

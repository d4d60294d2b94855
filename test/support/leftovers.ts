// What a test leaves behind is removed after it; and waiting for what goes by the clock on the wall.
import { afterEach } from "bun:test";
import { freshDirectory } from "./database.ts";

const LOOK_AGAIN_MS = 20;

/** Once a file. `clean` is called after each test, the last one first; `folder` makes a folder that is removed then. */
export function leftovers() {
  const clean: (() => unknown)[] = [];
  afterEach(async () => {
    for (const one of clean.splice(0).reverse()) await one();
  });
  const folder = (): string => {
    const { path, remove } = freshDirectory();
    clean.push(remove);
    return path;
  };
  return { clean, folder };
}

/** What it answers once that is neither null nor false. */
export async function until<Found>(look: () => Found | Promise<Found>): Promise<NonNullable<Found>> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

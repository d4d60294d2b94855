// One workspace for many tests: for rows of a table that change nothing, or that each have people of their own.
import { afterAll, beforeAll, beforeEach } from "bun:test";
import type { Posthorn } from "./posthorn.ts";
import { workspace, type WorkspaceOptions } from "./workspace.ts";

/** For the file or the `describe` that it is called in. */
export function sharedPosthorn(options: WorkspaceOptions = {}): () => Posthorn {
  let posthorn: Posthorn | undefined;
  beforeAll(async () => void (posthorn = await workspace(options)));
  // Each test sees what has left in it.
  beforeEach(() => void posthorn?.transport.sent.splice(0));
  afterAll(() => posthorn?.[Symbol.asyncDispose]());
  return () => posthorn as Posthorn;
}

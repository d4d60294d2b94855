// The client of a Posthorn server, for programs that hold a secret key.
import { groupsOf, type Groups } from "./methods.ts";
import type { CallOptions, ClientOptions } from "./request.ts";
import { verifyWebhook } from "./webhooks.ts";

export * from "./errors.ts";
export type { components, operations } from "./api.gen.ts";
export type { Answer, List } from "./methods.ts";
export type { CallOptions, ClientOptions } from "./request.ts";
export { verifyWebhook, type Received, type WebhookEvent } from "./webhooks.ts";

type Methods = Omit<Groups, "webhooks" | "test"> & {
  readonly webhooks: Groups["webhooks"] & { readonly verify: typeof verifyWebhook };
  readonly test: Groups["test"] & {
    /** Moves the clock of a server for tests by `30d`, `4h`, `15m` or `90s`; answers what has happened. */
    readonly advance: (by: string, options?: CallOptions) => ReturnType<Groups["test"]["advanceClock"]>;
  };
};

export interface Posthorn extends Methods {}

/** `new Posthorn({ url, key }).emails.send({ … })`; each group of methods is a property. */
export class Posthorn {
  constructor(options: ClientOptions) {
    if (!options.url) throw new TypeError("url is missing: the address of your server.");
    if (!options.key) throw new TypeError("key is missing: a secret key of your workspace.");
    const groups = groupsOf(options);
    // Weeks take seconds, and minutes on a busy machine.
    const { test } = groupsOf({ timeoutMs: 600_000, ...options });
    Object.assign(this, groups, {
      webhooks: { ...groups.webhooks, verify: verifyWebhook },
      test: {
        ...test,
        advance: (by: string, options: CallOptions = {}) => test.advanceClock({ advance: by }, options),
      },
    });
  }
}

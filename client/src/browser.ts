// What a page may do with a public key: record events.
import type { components } from "./api.gen.ts";
import type { Answer } from "./methods.ts";
import { request, type CallOptions, type ClientOptions } from "./request.ts";

export * from "./errors.ts";

export type TrackedEvent = components["schemas"]["TrackEventRequest"];

export type Tracker = {
  track(event: TrackedEvent, options?: CallOptions): Promise<Answer<"trackEvent">>;
};

/** `key`: a public key (`pk_…`), since everybody can read what a page holds. */
export function createTracker(options: ClientOptions): Tracker {
  if (!options.key?.startsWith("pk_")) throw new TypeError("A page needs a public key, which begins with pk_.");
  return {
    track: (body, own) =>
      request(options, { method: "POST", path: "/v1/track", body, once: true }, own) as Promise<Answer<"trackEvent">>,
  };
}

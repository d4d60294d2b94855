// GET /app/-/live: notices for open pages, as server-sent events.
import { Elysia } from "elysia";
import { invalidParameter, isStoreAway } from "../../base/errors.ts";
import { isChannel, CHANNELS, type NewsChannel } from "../../tenant/events/notify.ts";
import { admittedVisitor, type Access } from "../../tenant/access/auth.ts";
import type { Live } from "./live.ts";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // nginx would keep notices back until there are many.
  "x-accel-buffering": "no",
};

export function liveRoutes(live: Live, access: Access) {
  const open = async (request: Request): Promise<Response> => {
    const channels = channelsOf(new URL(request.url).searchParams.get("channels"));
    const { workspace, person } = await admittedVisitor(access, request);
    if (request.method === "HEAD") return new Response(null, { headers: HEADERS });
    const enter = () => access.people.enter(request, { permission: "read" });
    const isStillAllowed = () => enter().then(({ caller }) => !caller.disabled, isStoreAway);
    const holder = `person ${person?.user}`;
    return new Response(live.open({ workspace, holder, channels, isStillAllowed }), { headers: HEADERS });
  };
  return new Elysia().get("/app/-/live", ({ request }) => open(request), { detail: { hide: true } });
}

/** All of them, unless some are named. @throws AppError INVALID_PARAMETERS */
function channelsOf(named: string | null): readonly NewsChannel[] {
  if (named === null) return CHANNELS;
  const names = named.split(",");
  const channels = names.filter(isChannel);
  if (channels.length < names.length) throw invalidParameter("channels", `Channels are ${CHANNELS.join(", ")}.`);
  return channels;
}

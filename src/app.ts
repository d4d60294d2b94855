// Every slice's routes on one Elysia, in the order of the interface document.
import { preferenceRoutes } from "./contacts/preferences.ts";
import { contactRoutes, trackRoutes } from "./contacts/routes.ts";
import type { Carriers } from "./delivery/carriers.ts";
import type { HandoverOptions } from "./delivery/handover.ts";
import { rawMailRoutes } from "./delivery/routes.ts";
import { emailRoutes, sendRoutes } from "./emails/routes.ts";
import { frame } from "./http/frame.ts";
import type { Log } from "./log.ts";
import { templateRoutes } from "./templates/routes.ts";
import type { Gate } from "./workspaces/auth.ts";

export type AppOptions = {
  readonly gate: Gate;
  readonly log: Log;
  readonly carriers: Carriers;
  readonly mail: HandoverOptions;
};

export function createApp({ gate, log, carriers, mail }: AppOptions) {
  return frame({ clock: gate.clock, log })
    .get("/health", () => ({ status: "ok" }))
    .use(sendRoutes(gate))
    .use(trackRoutes(gate))
    .use(contactRoutes(gate))
    .use(templateRoutes(gate))
    .use(emailRoutes(gate, mail))
    .use(rawMailRoutes(gate, carriers, mail))
    .use(preferenceRoutes(gate.store, mail.secrets));
}

export type App = ReturnType<typeof createApp>;

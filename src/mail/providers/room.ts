// The providers room: the reports of the relay's provider.
import type { Access } from "../../tenant/access/auth.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { ProviderReports } from "./reports.ts";
import { providerRoutes } from "./routes.ts";

export function openProviders(ground: Ground, access: Access): Room {
  return { routes: [providerRoutes(new ProviderReports(ground), access.bodyMemory)] };
}

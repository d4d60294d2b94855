// The operation room: what programs that watch this server ask, and what its operator sees and does.
import type { Ground, Room } from "../ground.ts";
import { Readiness, type Watched } from "./readiness.ts";
import { readyRoutes } from "./routes.ts";

export function openOperation(ground: Ground, watched: Watched): Room {
  return { routes: [readyRoutes(new Readiness(ground, watched), ground)] };
}

// The face room: the pages of web/ under /app, for people where programs use the API.
import type { Ground, Room } from "../ground.ts";
import { pageRoutes } from "./routes.ts";

export function openFace({ config }: Ground): Room {
  return config.http.face ? { routes: [pageRoutes()] } : {};
}

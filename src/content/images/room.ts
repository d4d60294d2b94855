// The images room: images for mails, kept in the store, so that every backup, stream and standby includes them on
// either engine.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { ImagePreparation } from "./prepare.ts";
import { PublicImages } from "./public-routes.ts";
import { imageRoutes } from "./routes.ts";

export function openImages({ config, clock, store, bases }: Ground, access: Access): Room {
  const shown = new PublicImages(store, bases);
  const forget = (hash: string) => shown.forget(hash);
  const options = { http: config.http, preparing: new ImagePreparation(clock), forget };
  return { routes: [imageRoutes(access, options), shown.routes()] };
}

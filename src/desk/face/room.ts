// The face room: the pages of web/ under /app, for people where programs use the API; notices for open pages; mails in
// their frame. `Bun.build` makes files of web/: in the build, compressed into dist/face.pack, which the executable
// embeds; from source, at a visit. Each page gets a policy and a nonce. Open pages are told the channel that has
// changed (events/notify.ts), never the data: they fetch again.
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { draftRoutes } from "./letters/draft-routes.ts";
import { Live } from "./live.ts";
import { liveRoutes } from "./live-routes.ts";
import { messageRoutes, type LetterOf } from "./letters/message-routes.ts";
import { recipientRoutes } from "./recipient-routes.ts";
import { pageRoutes } from "./routes.ts";

export function openFace({ config, store, bases }: Ground, access: Access, letterOf: LetterOf): Room {
  if (!config.http.face) return {};
  const live = new Live();
  store.onSignal((signal) => live.heard(signal));
  return {
    routes: [
      liveRoutes(live, access),
      messageRoutes(access, letterOf, bases),
      draftRoutes(access, bases),
      recipientRoutes(access, bases),
      pageRoutes(),
    ],
    stop: async () => live.close(),
  };
}

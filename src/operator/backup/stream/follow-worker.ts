// Runs on a thread of its own: follows the log of the store and ships it.
import { askBack, carryOutWhatIsAsked } from "../../../base/jobs/worker-side.ts";
import { StreamShipper, type FollowerOptions } from "./follower.ts";

export type FollowRequest =
  | { readonly kind: "begin"; readonly options: FollowerOptions }
  | { readonly kind: "looked" }
  | { readonly kind: "catchUp" }
  | { readonly kind: "state" }
  | { readonly kind: "prune" }
  | { readonly kind: "end" };

let follower: StreamShipper | null = null;

carryOutWhatIsAsked<FollowRequest>((request) => {
  if (request.kind === "begin") return begun(request.options);
  if (!follower) throw new Error("The thread of the stream has not begun.");
  if (request.kind === "looked") return follower.looked();
  if (request.kind === "catchUp") return void follower.catchUp();
  if (request.kind === "state") return follower.state;
  if (request.kind === "prune") return follower.prune();
  return follower.end();
});

function begun(options: FollowerOptions): void {
  follower = new StreamShipper(options, (told) => void askBack(told));
  follower.begin();
}

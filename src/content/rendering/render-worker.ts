// The rendering thread: renders for previews, simulations and webhooks.
import { lowerThreadPriority } from "../../base/jobs/thread-priority.ts";
import { carryOutWhatIsAsked } from "../../base/jobs/worker-side.ts";
import { renderParts, type RenderPart } from "./parts.ts";

export type RenderRequest =
  | { readonly kind: "open" }
  | { readonly kind: "render"; readonly parts: readonly RenderPart[]; readonly limitMs: number };

carryOutWhatIsAsked<RenderRequest>((request) => {
  if (request.kind === "render") return renderParts(request.parts, request.limitMs);
  lowerThreadPriority();
  return null;
});

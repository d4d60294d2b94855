// The recipient pages behind the links of a mail, without a key. GET changes nothing, because scanners follow links;
// POST acts (RFC 8058).
import { Elysia } from "elysia";
import { readForm } from "../../http/body/body.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { languageAsked, pauseAsked } from "./acts.ts";
import type { PreferenceRequest } from "./answer.ts";
import { saidIn } from "./leaving.ts";
import { CHOSEN, pageDetail, SUBSCRIBED, UNSUBSCRIBED } from "./shape.ts";
import { Visit } from "./visit.ts";
import type { VisitServices } from "./visitor.ts";

/** Enough for the page's own form with the keys of a hundred topics. */
const FORM_BYTES = 16_384;

export function preferenceRoutes({ bodyMemory: memory }: Pick<Access, "bodyMemory">, services: VisitServices) {
  const visit = (request: PreferenceRequest) => new Visit(services, request);
  return new Elysia()
    .get(
      "/unsubscribe/:token",
      (request) => visit(request).show(false),
      pageDetail("showUnsubscribePage", "Show the page to unsubscribe"),
    )
    .get(
      "/subscribe/:token",
      (request) => visit(request).show(),
      pageDetail("showSubscribePage", "Show the page to subscribe"),
    )
    .get(
      "/manage/:token",
      (request) => visit(request).show(),
      pageDetail("showManagePage", "Show the page of a recipient's choices"),
    )
    .post("/unsubscribe/:token", (request) => visit(request).unsubscribe("one-click"), UNSUBSCRIBED)
    .post("/subscribe/:token", (request) => visit(request).subscribe(), SUBSCRIBED)
    .post(
      "/manage/:token",
      async (request) => {
        const room = { limitBytes: FORM_BYTES, memory, holder: "recipient pages" };
        return carryOut(await readForm(request.request, room), visit(request));
      },
      CHOSEN,
    );
}

/** Does what the form says; shows the page if it says nothing. */
function carryOut(form: URLSearchParams, visit: Visit): Promise<Response> {
  const choice = form.get("subscribed");
  if (choice === "true") return visit.subscribe();
  if (choice === "false") return visit.unsubscribe("page");
  const days = pauseAsked(form.get("pause"));
  if (days !== null) return visit.pause(days);
  const language = languageAsked(form.get("language"));
  if (language) return visit.speak(language);
  const said = saidIn(form);
  if (said) return visit.explain(said);
  const listed = form.getAll("listed");
  return listed.length === 0 ? visit.show() : visit.choose({ listed, chosen: form.getAll("topic") });
}

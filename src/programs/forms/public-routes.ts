// The public routes of forms: the hosted page, its answers, and the parts for other sites.
import { Elysia, t } from "elysia";
import { oneOf, wrapped } from "../../http/answer-shapes.ts";
import { content } from "../../http/answers.ts";
import { optional } from "../../http/schemas.ts";
import { LANGUAGES } from "../../base/languages/language.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { FormDoors, type Doors } from "./doors.ts";
import script from "./form-script.txt" with { type: "text" };
import { BESIDES, OFFERED, TOPICS } from "./fields.ts";
import { LANGUAGE, TOKEN } from "./html.ts";

const PAGE = content("text/html");
const languageQuery = "`language` names one of the languages of pages; else the browser's counts.";
const SHOWN = {
  detail: {
    name: "showForm",
    summary: "Show a form",
    answers: { 200: PAGE, 404: PAGE },
    key: "none",
    description: languageQuery,
  },
};
const THANKED = {
  detail: {
    name: "showFormThanks",
    summary: "Show the page after a form",
    answers: { 200: PAGE, 404: PAGE },
    key: "none",
  },
};
const ASKED = {
  detail: {
    name: "openForm",
    summary: "Get what a page needs to send a form",
    answers: {
      200: wrapped(t.Object({ token: t.String(), bits: t.Number(), leastMs: t.Number() })),
      404: null,
    },
    key: "none",
    refuses: ["FORM_NOT_FOUND", "CROSS_SITE"],
    description:
      "For the script of an embedded form. A `_proof` is a number for which the SHA-256 of `token:address:proof` begins with `bits` zero bits; the address is trimmed and in small letters. Nobody is quicker than `leastMs`: what comes sooner is left aside.",
  },
};
const SCRIPTED = {
  detail: {
    name: "showFormScript",
    summary: "Serve the script of embedded forms",
    answers: { 200: content("text/javascript") },
    key: "none",
  },
};
const TAKEN = {
  detail: {
    name: "sendForm",
    summary: "Send a form",
    answers: {
      200: wrapped(t.Object({ message: t.String(), redirectUrl: t.Union([t.String(), t.Null()]) })),
      303: null,
      404: PAGE,
    },
    key: "none",
    refuses: [
      "INVALID_JSON",
      "PAYLOAD_TOO_LARGE",
      "SERVER_BUSY",
      "RATE_LIMIT_EXCEEDED",
      "VALIDATION_ERROR",
      "CROSS_SITE",
      "FORM_NOT_FOUND",
    ],
    takes: {
      type: "application/x-www-form-urlencoded",
      schema: t.Object(
        {
          email: t.String(),
          [LANGUAGE]: optional(oneOf(...LANGUAGES)),
          [TOKEN]: optional(t.String()),
          _proof: optional(t.String()),
          _consent: optional(oneOf("true")),
          [TOPICS]: optional(t.Array(t.String()), "Keys of the topics that the person ticked."),
          [OFFERED]: optional(t.Array(t.String()), "Keys of those that the page showed; the form's own unless given."),
          [BESIDES]: optional(oneOf("true"), "The page showed what people get besides the topics."),
        },
        { examples: [{ email: "ada@example.com", _consent: "true" }] },
      ),
    },
    description:
      "Takes a form (`application/x-www-form-urlencoded`) or JSON. The answer is the same for every address, known or not. A form is answered with a page; JSON, or a request whose `Accept` asks for it, with JSON.",
  },
};

export function publicRoutes(access: Access, doors: Doors) {
  const { show, thank, open, take, preflight } = new FormDoors(access, doors);
  return new Elysia()
    .get("/f/form.js", () => new Response(script, { headers: SCRIPT_HEADERS }), SCRIPTED)
    .get("/f/:key", show, SHOWN)
    .get("/f/:key/thanks", thank, THANKED)
    .get("/f/:key/token", open, ASKED)
    .post("/f/:key", take, TAKEN)
    .options("/f/:key", preflight);
}

const SCRIPT_HEADERS = {
  "content-type": "text/javascript; charset=utf-8",
  "cache-control": "public, max-age=3600",
  "cross-origin-resource-policy": "cross-origin",
};

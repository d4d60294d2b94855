// /templates/{id}/preview: what a template would say, without a mail.
import { Elysia, t } from "elysia";
import type { RenderedPart } from "../emails/rendering/parts.ts";
import type { Renderer } from "../emails/rendering/renderer.ts";
import { invalidField } from "../errors.ts";
import { answers } from "../http/answers.ts";
import { dataShape, idParams, optional } from "../http/schemas.ts";
import { asBody } from "../http/shape.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { draftOf, type PreviewOptions } from "./preview.ts";

const wish = t.Object(
  {
    data: optional(dataShape, "Variables, as in a request to send. Nothing of it is kept."),
    contactId: optional(
      t.String({ maxLength: 100 }),
      "The contact whose data is used beside `data`; none if not given.",
    ),
  },
  { examples: [{ data: { name: "Ada", order: { number: 4711 } } }] },
);

const preview = t.Object({
  subject: t.String(),
  html: t.String(),
  text: t.String({ description: "Empty if the mail would have no text part." }),
  missing: t.Array(t.String(), { description: "Variables that had no value and nothing in their place, as paths." }),
});

export function previewRoutes(access: Access, renderer: Renderer, options: PreviewOptions) {
  return new Elysia({ prefix: "/templates" }).use(secretKey(access)).post(
    "/:id/preview",
    async ({ params, body, caller }) => {
      const asked = { template: params.id, contactId: body.contactId ?? null, data: body.data ?? {} };
      const draft = await access.store.read((reader) => draftOf(reader, caller, asked, options));
      const { parts, excess } = await renderer.render(caller.workspace, [{ kind: "mail", draft }]);
      if (excess) throw invalidField(excess.field, excess.reason, "over_budget");
      const { kind: _, ...shown } = parts[0] as RenderedPart & { readonly kind: "mail" };
      return shown;
    },
    {
      params: idParams,
      body: asBody(wish),
      detail: answers(
        "Look at what a template would say",
        { 200: preview },
        {
          harmless: true,
          refuses: ["TEMPLATE_NOT_FOUND", "CONTACT_NOT_FOUND", "WORKSPACE_NOT_FOUND"],
          description:
            "Rendered as the mail itself would be, with the footer of marketing mail. Its links change nothing.",
        },
      ),
    },
  );
}

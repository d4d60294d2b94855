// POST /templates/{id}/test: a test copy of a template (docs/templates.md).
import { invalidField } from "../../../base/errors.ts";
import { success } from "../../../http/replies.ts";
import { findTemplate } from "../../../content/templates/template.ts";
import type { Template } from "../../../content/templates/queries.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { post, routes } from "../../../tenant/access/route-table.ts";
import type { MailContent } from "../content/queries.ts";
import { sendTestCopies } from "./test-copies.ts";
import { testedShape, testShape } from "./test-shape.ts";

export function templateTestRoutes(access: Access) {
  return routes(access, [
    post(
      "/templates/:id/test",
      {
        name: "testTemplate",
        summary: "Send a test copy of a template",
        answers: { 200: testedShape },
        permission: "templates.write",
        body: testShape,
        description:
          "The template needs a sender. People without the permission `mail.send` send copies to members of the workspace only.",
        refuses: ["TEMPLATE_NOT_FOUND", "CONTACT_NOT_FOUND", "DOMAIN_NOT_VERIFIED", "DOMAIN_NOT_ALLOWED"],
      },
      async (tx, { params, body, caller }) => {
        const content = templateContent(await findTemplate(tx, caller.workspace, params.id));
        const tested = { sourceType: "TRANSACTIONAL", content } as const;
        return success(await sendTestCopies(tx, { caller, people: access.people }, tested, body));
      },
    ),
  ]);
}

/**
 * Without the template's id: the copy does not count among the mails sent from it.
 * @throws AppError VALIDATION_ERROR on `from`
 */
function templateContent({
  type,
  fromAddress,
  fromName,
  replyTo,
  subject,
  preheader,
  body,
  text,
}: Template): MailContent {
  if (!fromAddress) throw invalidField("from", "The template has no sender: set one first.", "required");
  const from = { address: fromAddress, name: fromName };
  return { kind: type, from, replyTo, subject, preheader, html: body, text };
}

// Test copies: the content of a campaign or a template, sent to people who check it. A copy counts for no campaign and
// no template, and creates no contact.
import { AppError, invalidField } from "../../../base/errors.ts";
import { requiredAddress } from "../../../http/body/address-field.ts";
import { findContact } from "../../../audience/contacts/contact.ts";
import type { Tx } from "../../../store/store.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import type { TeamAccess } from "../../../tenant/access/person.ts";
import { accept } from "../accept.ts";
import type { MailContent } from "../content/queries.ts";
import type { MailRequest } from "../door/request.ts";
import { MOST_COPIES, type testedShape, type testShape } from "./test-shape.ts";

type TestCopiesBody = typeof testShape.static;
export type TestMail = Pick<MailRequest, "sourceType"> & { readonly content: MailContent };

/**
 * Sends a copy to each address once; answers as in `testedShape`.
 * @throws AppError VALIDATION_ERROR, CONTACT_NOT_FOUND, FORBIDDEN for an address without a contact if the caller may
 * not send mail, DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED
 */
export async function sendTestCopies(
  tx: Tx,
  { caller, people }: { readonly caller: Caller; readonly people: TeamAccess },
  { sourceType, content }: TestMail,
  asked: TestCopiesBody,
): Promise<(typeof testedShape.static)["data"]> {
  const addresses = testAddresses(asked);
  for (const address of addresses) await refuseStranger(tx, people, caller, address);
  const reader = asked.contactId == null ? null : await findContact(tx, caller.workspace, asked.contactId);
  const copies: { to: string; email: string }[] = [];
  for (const to of addresses) {
    const [copy] = await accept(tx, {
      sender: caller,
      sourceType,
      content: { ...content, labels: {}, subject: `[TEST] ${content.subject}` },
      to: { stranger: to },
      test: true,
      ...(reader && { renderedFor: reader }),
    });
    copies.push({ to, email: (copy as NonNullable<typeof copy>).email });
  }
  const [first] = copies as [(typeof copies)[number]];
  return { email: first.email, ...(asked.emails == null ? {} : { emails: copies }) };
}

/** @throws AppError VALIDATION_ERROR on `email` or an item of `emails` */
function testAddresses({ email, emails }: TestCopiesBody): readonly string[] {
  const first = email == null ? [] : [requiredAddress("email", email)];
  const others = (emails ?? []).map((address, at) => requiredAddress(`emails.${at}`, address));
  const given = [...first, ...others];
  const lower = given.map((address) => address.toLowerCase());
  const addresses = given.filter((_, at) => lower.indexOf(lower[at] as string) === at);
  if (addresses.length === 0) throw invalidField("email", "This is required without `emails`.", "required");
  if (addresses.length > MOST_COPIES) throw invalidField("emails", `At most ${MOST_COPIES} addresses.`, "too_big");
  return addresses;
}

/** @throws AppError FORBIDDEN */
async function refuseStranger(
  tx: Tx,
  people: TeamAccess,
  { person, workspace }: Caller,
  address: string,
): Promise<void> {
  if (person === null || person.permissions.has("mail.send")) return;
  if (await people.isMember(tx, workspace, address.toLowerCase())) return;
  throw new AppError("FORBIDDEN", "Your role sends test copies to members of the workspace only.", {
    suggestion: "Use your own address. To send copies to others, a role needs the permission mail.send.",
  });
}

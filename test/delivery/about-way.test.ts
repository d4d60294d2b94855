// What relays and services answer where an account or a sender is not set up at them, and what only looks like it.
import { expect, test } from "bun:test";
import { refusal, readReply } from "../../src/sending/carrier/smtp/reply.ts";
import { aboutWay } from "../../src/sending/carrier/transport/about-way.ts";
import type { Phase } from "../../src/mail/emails/refusals/blame.ts";

type Case = readonly [phase: Phase, reply: string];

const about = (phase: Phase, reply: string) => aboutWay(refusal(phase, readReply(reply)));

test.each<Case>([
  [
    "data",
    "554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: shop@shop.example",
  ],
  ["mail", "554 Mail from domain not verified"],
  [
    "data",
    "554 Access denied: User `arn:aws:iam::1:user/x' is not authorized to perform `ses:SendRawEmail' on resource `arn:aws:ses:eu-west-1:1:identity/shop.example'",
  ],
  [
    "data",
    "550 The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.",
  ],
  ["data", "550 Unauthenticated senders not allowed"],
  ["data", "550 You are not authorized to send from that email address"],
  ["mail", "550 5.7.60 SMTP; Client does not have permissions to send as this sender"],
  ["data", "550 5.7.60 SMTP; Client does not have permissions to send as this sender"],
  [
    "data",
    "554 5.2.252 SendAsDenied; a@shop.example not allowed to send as b@shop.example; STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied; Failed to process message due to a permanent exception",
  ],
  ["rcpt", "550 5.7.750 Service unavailable. Client blocked from sending from unregistered domains"],
  [
    "data",
    "550 5.7.1 Sending has been rejected because the sender you used shop@shop.example is not valid. Validate your sender or authenticate your domain",
  ],
  ["data", "525 5.7.1 The sender shop@shop.example is not verified"],
  [
    "data",
    "550 5.7.1 Domain shop.example is not allowed to send: The domain is unverified and requires DNS configuration. Log in to your control panel to view required DNS records.",
  ],
  ["mail", "421 Domain shop.example is not allowed to send: Please activate your account"],
  ["rcpt", "550 5.7.1 The sender shop@shop.example has not been validated yet"],
  ["data", "550 Sender domain shop.example not authorized for this account"],
  [
    "data",
    "550 5.7.1 The 'From' address you supplied (shop@shop.example) is not a Sender Signature on your account. Please add and confirm this address in order to be able to use it in the 'From' field of your messages.",
  ],
  ["rcpt", "550 5.7.1 Unconfigured Sending Domain <shop.example>"],
  ["data", "550 5.7.1 Unconfigured or unverified sending domain shop.example"],
  ["data", "553 Relaying disallowed as shop@shop.example"],
  ["rcpt", "553 5.7.1 Sender is not allowed to relay emails"],
  ["data", "553 Relaying disallowed. Invalid Domain - shop.example"],
  [
    "mail",
    "550-5.7.1 Invalid credentials for relay [192.0.2.1]. The IP address you've\n550-5.7.1 registered in your Workspace SMTP Relay service doesn't match the domain of\n550 5.7.1 the account this email is being sent from.",
  ],
  [
    "rcpt",
    "550-5.7.0 Mail relay denied [192.0.2.1]. Invalid credentials for relay for one\n550 5.7.0 of the domains in: shop.example (as obtained from HELO and MAIL FROM).",
  ],
  ["rcpt", "553 5.7.1 <shop@shop.example>: Sender address rejected: not owned by user relay"],
  ["mail", "553 5.7.1 Sender address rejected: not owned by auth user."],
  ["rcpt", "553 5.7.1 <shop@shop.example>: Sender address rejected: not logged in"],
  ["mail", "550 sender address must match authenticated user"],
  ["data", "550 SMTP AUTH user relay is not allowed to send as shop@shop.example"],
  ["mail", "501 mail from address must be same as authorization user"],
  ["mail", "553 Mail from must equal authorized user"],
  ["mail", "530 Sender rejected"],
  ["mail", "550 Requested action not taken: mailbox unavailable\n550 Sender address is not allowed."],
  ["data", "530 From/Sender name is not valid"],
  ["mail", "550 This domain is not associated with your account"],
  ["data", "550-From header sender domain not verified.\n550 verify the sender domain to be allowed to send."],
  ["data", "551 5.7.1 Not authorised to send from this header address"],
  ["data", "550 5.7.0 From address is not one of your addresses"],
  ["data", "450 The shop.example domain is not verified. Please, add and verify your domain"],
  ["data", "550 The from.email domain must be verified in your account to send emails"],
  ["data", "550 Sending from domain shop.example is not allowed"],
  ["mail", "550 5.1.8 <shop@shop.example>: Sender address rejected: Domain not found"],
  ["mail", "550 Administrative prohibition"],
  ["data", "550 5.7.1 Sending domain shop.example is unverified"],
  ["data", "550 The sending domain isn't verified"],
  ["data", "550 5.7.1 The domain of your sender hasn't been validated yet"],
  ["rcpt", "550 5.7.1 From address isn't an approved sender"],
  [
    "data",
    "554 Message is rejected because the sender is not a Communication Services verified sender. DomainNotLinked",
  ],
  ["data", "550 Sender's domain has not been linked."],
  ["data", "554 5.7.1 Sender domain shop.example has no signature set up in your account; finish domain setup"],
  ["data", "550 5.7.1 The sender domain is not an Email Domain of this stack"],
  ["data", "550 5.7.1 Please verify your sender domain before sending"],
  ["data", "550 5.7.1 Complete sender authentication for shop.example first"],
  ["data", "550 5.7.1 Add shop.example under Senders & Domains"],
  ["rcpt", "550 5.7.1 No such sending domain"],
  ["data", "550 5.7.1 You are not allowed to use this from address"],
  ["rcpt", "550 5.7.1 You may not use shop@shop.example as sender"],
  ["data", "553 authentication failed, smtp user doesn't match mail from"],
  ["mail", "440 mail from account doesn't conform with authentication"],
  ["mail", "450 4.1.8 <shop@shop.example>: Sender address rejected: Domain not found"],
])("who sends is not known there: %s %s", (phase, reply) => {
  expect(about(phase, reply)).toEqual({ what: "sender", isSure: true });
});

test.each<[string]>([
  [
    "400 MessageRejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: shop.example",
  ],
  ["400 MailFromDomainNotVerifiedException: The domain is not verified"],
  ["400 FromEmailAddressNotVerifiedException: no"],
])("SES says so by the name of an exception: %s", (reply) => {
  expect(aboutWay({ kind: "failed", reply })).toEqual({ what: "sender", isSure: true });
});

test.each<Case>([
  ["rcpt", "550 5.1.8 <shop@shop.example>: Sender address rejected: Domain not found"],
  ["rcpt", "550 Sender verify failed"],
  ["data", "550 5.7.1 Sender address rejected: Access denied"],
  ["data", "550 5.7.1 From domain 'shop.example' is not on the list of approved domains"],
  ["data", "550 5.7.1 Sender unauthorized"],
  ["rcpt", "550 5.7.1 Sender mismatch"],
  ["data", "550 Invalid Sender"],
  ["data", "554 Transaction failed. Unallowed 'From' header."],
  ["data", "554 5.7.0 Sender domain has not been authenticated"],
  ["data", "550 5.7.1 Your domain is not whitelisted"],
  ["rcpt", "550 5.7.1 Absender ist diesem Konto nicht zugeordnet"],
  ["data", "554 5.7.1 Absenderadresse gehört nicht zu diesem Account"],
  ["data", "550 5.7.1 Adresse d'expéditeur non autorisée"],
  ["data", "550 5.7.1 La dirección del remitente no está verificada"],
  ["rcpt", "550 5.7.1 This domain is not enabled for mail"],
])("a recipient's server may have said it as well: %s %s", (phase, reply) => {
  expect(about(phase, reply)).toEqual({ what: "sender", isSure: false });
});

test.each<Case>([
  ["mail", "550 5.7.1 Your account has been suspended"],
  ["mail", "525 5.7.1 Unauthorized IP address"],
  ["mail", "502 5.7.0 Your SMTP account is not yet activated. Please contact us"],
  ["data", "550 5.1.8 Access denied, bad outbound sender"],
  ["data", "454 Throttling failure: Daily message quota exceeded."],
  ["rcpt", "454 4.7.1 <ada@example.com>: Relay access denied"],
  ["rcpt", "550 relay not permitted, authentication required"],
  ["rcpt", "550 5.7.64 TenantAttribution; Relay Access Denied"],
  ["rcpt", "550 I cannot deliver mail for <ada@example.com>"],
  ["rcpt", "550 Invalid recipient: <ada@example.com>"],
  ["data", "451 Authentication failed: Maximum credits exceeded"],
  ["data", "550 You can only send testing emails to your own email address (shop@shop.example)."],
  ["rcpt", "554 5.7.1 <ada@example.com>: Recipient address rejected: Access denied"],
  ["rcpt", "554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied"],
  ["rcpt", "550 5.7.1 We do not relay for shop.example"],
  ["data", "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException"],
  ["data", "550 5.4.6 Unusual sending activity detected."],
  ["rcpt", "550-5.4.5 Daily SMTP relay sending limit exceeded for customer."],
])("the account is of no use there: %s %s", (phase, reply) => {
  expect(about(phase, reply)?.what).toBe("account");
});

test.each<Case>([
  ["rcpt", "421 RP-001 (x) Unfortunately, some messages from 192.0.2.1 weren't sent"],
  ["data", "421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred"],
  ["data", "554 5.7.9 Message not accepted for policy reasons. See https://senders.example/error-codes"],
  [
    "data",
    "550-5.7.26 Your email has been blocked because the sender is unauthenticated.\n550 5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM.",
  ],
  ["data", "550 5.7.515 Access denied, sending domain shop.example doesn't meet the required authentication level."],
  ["data", "550 5.7.1 Unauthenticated email from shop.example is not accepted due to domain's DMARC policy."],
  [
    "rcpt",
    "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group",
  ],
  ["rcpt", "550 5.7.1 Sender address rejected: listed by our spam filter"],
  [
    "data",
    "550-5.7.1 [192.0.2.1] The IP you're using to send mail is not authorized to\n550 5.7.1 send email directly to our servers.",
  ],
  ["mail", "552 5.3.4 Message size exceeds fixed limit"],
  ["mail", "501 5.1.7 Bad sender address syntax"],
  ["mail", "451 4.3.0 Try again later"],
  ["rcpt", "550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown"],
  ["rcpt", "550 Recipient address not verified"],
  ["rcpt", "550 5.7.1 You are not an approved sender for this list"],
  ["rcpt", "550 5.7.1 Sender is not in the recipient's allowed senders list"],
  ["rcpt", "550 Please verify your email address by visiting this page"],
  ["rcpt", "550 5.1.1 The email address that you tried to reach is not registered"],
  ["rcpt", "550 Too many bad recipients"],
  ["data", "554 5.7.1 This message is spam"],
  ["rcpt", "452 4.2.2 The email account that you tried to reach is over quota"],
])("it is about the mail, its recipient or the moment: %s %s", (phase, reply) => {
  expect(about(phase, reply)).toBe(null);
});

// Events of providers as their documentation shows them, by the id of the mail that they are about.
import { letter } from "./mails.ts";

export const TO = letter.to;

export const mailgun =
  (event: string, more: object = {}) =>
  (id: string) => ({
    event,
    id: "G9Bn5sl1TC6nu79C8C0bwg",
    timestamp: 1772355600.5,
    recipient: TO,
    message: { headers: { "message-id": "20260301090000.1@example.test", from: "hello@example.test" } },
    "user-variables": { "posthorn-id": id },
    ...more,
  });
export const mailgunFailed = (severity: string, reason: string, status: object) =>
  mailgun("failed", { severity, reason, "delivery-status": status });

export const postmark =
  (RecordType: string, more: object = {}) =>
  (id: string) => ({
    RecordType,
    MessageStream: "outbound",
    ServerID: 23,
    MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
    ...(RecordType === "Bounce" || RecordType === "SpamComplaint" ? { ID: 692560173, Email: TO } : { Recipient: TO }),
    Metadata: { "posthorn-id": id },
    ...more,
  });
export const postmarkBounce = (Type: string, TypeCode: number, Details: string) =>
  postmark("Bounce", { Type, TypeCode, Name: Type, Details, Description: "The server was unable to deliver it." });

export const sendgrid =
  (event: string, more: object = {}) =>
  (id: string) => [
    {
      email: TO,
      timestamp: 1772355600,
      "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
      event,
      sg_event_id: "ZGVsaXZlcmVkLTAtMTIz",
      sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
      "posthorn-id": id,
      ...more,
    },
  ];

export const resend =
  (type: string, more: object = {}) =>
  (id: string) => ({
    type,
    created_at: "2026-03-01T09:00:00.000Z",
    data: {
      email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
      from: "hello@example.test",
      to: [TO],
      subject: "Hello",
      headers: [{ name: "X-Posthorn-Id", value: id }],
      ...more,
    },
  });
export const resendBounce = (type: string, subType: string, message: string) =>
  resend("email.bounced", { bounce: { type, subType, message, diagnosticCode: [`smtp; ${message}`] } });

export const brevo =
  (event: string, more: object = {}) =>
  (id: string) => ({
    event,
    email: TO,
    id: 26224,
    date: "2026-03-01 10:00:00",
    ts_event: 1772355600,
    "message-id": "<202603010900.1@smtp-relay.mailin.fr>",
    "X-Mailin-custom": `shop:7|posthorn-id:${id}`,
    ...more,
  });

export const mailjet =
  (event: string, more: object = {}) =>
  (id: string) => ({
    event,
    time: 1772355600,
    MessageID: 19421777835146490,
    Message_GUID: "1ab23cd4-e567-8901-2345-6789f0gh1i2j",
    email: TO,
    CustomID: id,
    ...more,
  });
export const mailjetBounce = (hard_bounce: boolean, error_related_to: string, error: string, comment = "") =>
  mailjet("bounce", { blocked: false, hard_bounce, error_related_to, error, comment });

export const sparkpost =
  (type: string, more: object = {}, section = "message_event") =>
  (id: string) => [
    { msys: {} },
    {
      msys: {
        [section]: {
          type,
          event_id: "92356927693813856",
          message_id: "000443ee14578172be22",
          rcpt_to: TO,
          rcpt_meta: { "posthorn-id": id },
          timestamp: "1772355600",
          ...more,
        },
      },
    },
  ];
export const sparkpostBounce = (bounce_class: string, error_code: string, raw_reason: string, type = "bounce") =>
  sparkpost(type, { bounce_class, error_code, raw_reason, reason: raw_reason });

export const generic =
  (type: string, more: object = {}) =>
  (emailId: string) => ({ type, emailId, ...more });

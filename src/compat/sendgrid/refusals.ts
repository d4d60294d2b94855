// Our refusals as SendGrid says them: { errors: [{ message, field, help }] }.
import type { AppError, ErrorCode } from "../../errors.ts";
import type { Dialect } from "../../http/dialect.ts";
import { faultsIn, type Names } from "../faults.ts";

const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  MISSING_AUTH: 401,
  INVALID_API_KEY: 401,
  VALIDATION_ERROR: 400,
  DOMAIN_NOT_VERIFIED: 403,
  CONTACT_UNSUBSCRIBED: 400,
};

const NAMES: Names = {
  emails: "personalizations",
  body: "content",
  text: "content",
  reply: "reply_to",
  tags: "categories",
  metadata: "custom_args",
  sendAt: "send_at",
  template: "template_id",
  data: "dynamic_template_data",
  contentId: "content_id",
};

/** https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/responses */
export const SENDGRID: Dialect = {
  at: "/compat/sendgrid",
  refusal: (error: AppError) => {
    const { code, status, message } = error;
    const errors = faultsIn(NAMES, error)?.map((one) => ({ message: one.message, field: one.field, help: null }));
    return { status: STATUS[code] ?? status, body: { errors: errors ?? [{ message, field: null, help: null }] } };
  },
};

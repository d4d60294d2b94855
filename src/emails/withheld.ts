// Why a mail was not sent for its recipient's sake.

/** Such mails are FAILED with this reason; campaigns count them as skipped. */
export const UNSUBSCRIBED_BEFORE = "The contact unsubscribed before the mail was handed over.";

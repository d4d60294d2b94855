// Why a mail was not sent for its recipient's sake.

/**
 * Marketing mail, wherever it was stopped. A queued mail is FAILED with this reason, and campaigns count it as skipped; a
 * workflow's step is SKIPPED with it.
 */
export const NOT_SUBSCRIBED = "The recipient is not subscribed to marketing mail.";

// Webhooks, in English.

export const webhooks = {
  title: "Recent calls",
  outcome: "Outcome",
  outcomes: { all: "All", failed: "Failed" },
  states: { delivered: "delivered", later: "to be retried", failed: "failed", underWay: "running" },
  noneFailed: "No webhook has failed.",
  noAnswer: "no answer",
  next: "next",
  more: "Show more",
  id: "webhook-id",
  attempt: "Attempt",
  attemptAt: (number: number) => `${number}`,
  at: "At",
  step: "Step",
  nextAttempt: "Next attempt",
  noReply: "The receiver answered with an empty body.",
  again: { action: "Call again", done: "The webhook is called again." },
  empty: {
    title: "No webhook has been called yet",
    text: "A workflow calls your server with a step of the type WEBHOOK. Each attempt is listed here with its answer.",
  },
  signatures: {
    title: "Check the signature",
    text: "Anybody can call your URL. Posthorn signs each webhook according to Standard Webhooks; check the signature before you trust it.",
    lines: "code to check the signature",
    library: "Language",
    show: "Insert the secret",
    replace: "Replace the secret…",
    ask: "Replace the webhook secret?",
    askText:
      "For 24 hours, webhooks are signed with both secrets. Set the new one on your receivers in that time: afterwards they refuse the calls, and refused calls are not retried.",
    confirm: "Replace",
    done: "The code now contains the new secret.",
  },
};

// Webhooks, in English.

export const webhooks = {
  title: "Recent calls",
  outcome: "How it ended",
  outcomes: { all: "All", failed: "Gave up" },
  states: { delivered: "delivered", later: "tried again", failed: "gave up", underWay: "under way" },
  noneFailed: "No webhook has given up.",
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
  again: { act: "Call again", done: "The webhook is called again." },
  empty: {
    title: "No webhook has been called yet",
    text: "A workflow calls your server with a step of the type WEBHOOK. Each attempt is listed here with its answer.",
  },
  signatures: {
    title: "Check the signature",
    text: "Anybody can call your address. Posthorn signs each webhook as Standard Webhooks describes; check the signature before you trust one.",
    lines: "lines to check the signature",
    library: "Language",
    show: "Insert the secret",
    replace: "Replace the secret…",
    ask: "Replace the webhook secret?",
    askText:
      "From now on webhooks are signed with the new secret only. Receivers that check with the old one refuse them until you have put the new one there; refused calls are not tried again.",
    confirm: "Replace",
    done: "The new secret stands in the lines.",
  },
};

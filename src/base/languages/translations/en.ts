// The texts for recipients in English.
import type { RecipientTexts } from "../language.ts";

export const en: RecipientTexts = {
  subscribedTitle: "You are subscribed",
  subscribedState: "{email} gets news by email from {workspace}.",
  unsubscribedTitle: "You are not subscribed",
  unsubscribedState: "{email} gets no news by email from {workspace}.",
  saved: "Your choice has been saved.",
  subscribe: "Subscribe",
  unsubscribe: "Unsubscribe",
  confirm: "Confirm",
  pendingTitle: "Please confirm your subscription",
  pendingState: "News from {workspace} will be sent to {email} once you confirm.",
  brokenTitle: "This link is not valid",
  brokenText: "Please open the link from the email again, in full.",
  goneTitle: "This email address is not on the list",
  goneText: "There is no data about you here any more. You do not have to do anything.",
  topicsTitle: "What you would like to receive",
  save: "Save",
  topicLeft: "You will no longer receive “{topic}”.",
  footer: "You get this email because you are subscribed.",
  askSubject: "Please confirm your subscription to {workspace}",
  askText: "Somebody, we hope it was you, has signed up {email} for news from {workspace}.",
  askNote: "If it was not you, ignore this email: without confirmation the email address is deleted after seven days.",
};

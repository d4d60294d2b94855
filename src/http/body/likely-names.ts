// The likely meaning of an unknown name: a name of ours in another spelling, another sender's name for it, or a
// misspelling.
import { nearest } from "../../base/edit-distance.ts";

/**
 * By our name: the names at Resend, Postmark, SendGrid, Mailgun, Plunk and others, in lower case and without `_` and
 * `-`.
 */
const CALLED_ELSEWHERE: Readonly<Record<string, string>> = {
  to: "toemail toaddress toaddresses recipient recipients recipientemail email emails emailaddress address",
  email: "emailaddress mail address to toemail recipient recipientemail contact contactemail useremail subscriber",
  from: "fromemail fromaddress sender senderemail senderaddress source",
  name: "fromname sendername fullname displayname title",
  fromName: "sendername name",
  subject: "subjectline title",
  body: "html htmlbody bodyhtml htmlcontent htmlpart content contents message",
  text: "textbody bodytext textcontent textpart plaintext plain plainbody plaintextbody",
  template: "templateid templatealias templateuuid templatename",
  templateId: "template templatealias templateuuid",
  data: "variables vars substitutions templatemodel dynamictemplatedata templatedata templatevariables mergevars mergetags mergefields globalmergevars params personalization personalizations attributes customfields fields traits properties props payload eventdata",
  headers: "customheaders xheaders",
  reply: "replyto replytoemail replytoaddress replyaddress replytolist",
  replyTo: "reply replytoemail replytoaddress replyaddress",
  attachments: "attachment files file",
  tags: "tag category categories label labels keyword keywords",
  metadata: "customargs customarguments uniqueargs uniquearguments customvariables customheaders meta",
  sendAt:
    "scheduledfor scheduledat schedulefor scheduleat schedule sendtime senddate sendon deliverytime deliverat odeliverytime",
  scheduledFor: "sendat scheduledat schedulefor scheduleat schedule sendtime senddate sendon deliverat",
  tracking: "trackopens trackclicks tracklinks opentracking clicktracking trackingsettings",
  subscribed: "subscribe issubscribed optin optedin subscription unsubscribed",
  preheader: "preview previewtext preheadertext",
  event: "eventname eventtype action name",
  eventName: "event eventtype name trigger",
  content: "data base64 body",
  filename: "name",
  contentType: "mimetype mime mediatype",
  contentId: "cid",
  audienceType: "audience",
  segmentId: "segment list listid audienceid",
  audienceCondition: "condition filter filters",
  condition: "conditions filter filters rules query",
  contactId: "contact userid user",
  description: "notes",
  enabled: "active isactive",
  allowReentry: "reentry",
  amount: "duration delay value",
  unit: "units",
  url: "uri endpoint target",
  operator: "op comparison",
  search: "email q query filter term keyword address to name text",
  limit: "pagesize perpage size count take max",
  pageSize: "limit perpage size count take max",
  page: "pagenumber offset skip",
  cursor: "after next startingafter pagetoken nexttoken",
  status: "state",
  sort: "orderby order sortby",
  dir: "order direction sortorder sortdirection",
  since: "after from startdate",
  type: "kind",
  domains: "domain",
};

/** Settings that do not belong in a body, in lower case and without `_` and `-`: how the request is sent. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  idempotencykey: "Send it as the header Idempotency-Key.",
  xidempotencykey: "Send it as the header Idempotency-Key.",
  idempotencytoken: "Send it as the header Idempotency-Key.",
  apikey: "Send it as the header Authorization: Bearer ….",
  authorization: "Send it as the header Authorization.",
};

/** The advice for a field of this name; null = none. */
export function sentElsewhere(name: string): string | null {
  const plain = name.length > LONGEST_NAME ? "" : plainly(name);
  return Object.hasOwn(ELSEWHERE, plain) ? (ELSEWHERE[plain] as string) : null;
}

/** A longer name is not a typo. */
const LONGEST_NAME = 64;

let ours: ReadonlyMap<string, readonly string[]> | undefined;

/** The most likely one of `known` for `name`; null = none. */
export function likelyName(name: string, known: readonly string[]): string | null {
  if (name.length > LONGEST_NAME) return null;
  const plain = plainly(name);
  const same = known.find((one) => plainly(one) === plain);
  ours ??= byForeignName();
  return same ?? ours.get(plain)?.find((one) => known.includes(one)) ?? nearest(name, known);
}

/** `Reply-To`, `reply_to` and `replyTo` are one name. */
function plainly(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function byForeignName(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [own, foreign] of Object.entries(CALLED_ELSEWHERE))
    for (const name of foreign.split(" ")) names.set(name, [...(names.get(name) ?? []), own]);
  return names;
}

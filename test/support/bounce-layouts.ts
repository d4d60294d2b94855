// The shapes in which mail servers return a mail: the same refusal, as each of them writes it.
import { ORIGINAL } from "./bounces.ts";

/** `words`: what the refusing server said; `said`: the same with what its codes would be in a field. */
export type Refusal = { readonly words: string; readonly status: string };

type Layout = (refusal: Refusal) => string;

export const TO = "ada@example.com";
const HOST = "mx.example.com[192.0.2.7]";

const report = (from: string, text: string, fields: string) => `Return-Path: <>
From: ${from}
To: $ADDRESS
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="R/1"

--R/1
Content-Type: text/plain; charset=utf-8

${text}

--R/1
Content-Type: message/delivery-status

${fields}

--R/1
Content-Type: message/rfc822

${ORIGINAL}
--R/1--
`;

const plain = (header: string, body: string) => `${header}
To: $ADDRESS
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

${body}`;

/** Where it has no code of its own, the reporting server gives one that says nothing. */
const statusOf = ({ words, status }: Refusal) => /\b[45]\.\d\.\d{1,3}\b/.exec(words)?.[0] ?? status;

/** The phase is only in the text. */
const postfix: Layout = (refusal) =>
  report(
    "MAILER-DAEMON@mx.sender.example (Mail Delivery System)",
    `This is the mail system at host mx.sender.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

                   The mail system

<${TO}>: host ${HOST} said: ${refusal.words}
    (in reply to RCPT TO command)`,
    `Reporting-MTA: dns; mx.sender.example
X-Postfix-Queue-ID: 4D2F1
Arrival-Date: Sun,  1 Mar 2026 09:00:00 +0000

Final-Recipient: rfc822; ${TO}
Original-Recipient: rfc822;${TO}
Action: failed
Status: ${statusOf(refusal)}
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; ${refusal.words}`,
  );

const eximText = ({ words }: Refusal) => `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${TO}
    host mx.example.com [192.0.2.7]
    SMTP error from remote mail server after RCPT TO:<${TO}>:
    ${words}`;

/** Its status is always 5.0.0, and older versions give no diagnostic code. */
const exim: Layout = (refusal) =>
  report(
    "Mail Delivery System <Mailer-Daemon@mx.sender.example>",
    eximText(refusal),
    `Reporting-MTA: dns; mx.sender.example

Action: failed
Final-Recipient: rfc822;${TO}
Status: 5.0.0`,
  );

const eximFree: Layout = (refusal) =>
  plain(
    `From: Mail Delivery System <Mailer-Daemon@mx.sender.example>
X-Failed-Recipients: ${TO}
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender`,
    `${eximText(refusal)}

------ This is a copy of the message, including all the headers. ------

${ORIGINAL}`,
  );

const sendmail: Layout = (refusal) =>
  report(
    "Mail Delivery Subsystem <MAILER-DAEMON@mx.sender.example>",
    `The original message was received at Sun, 1 Mar 2026 09:00:00 GMT
from localhost [127.0.0.1]

   ----- The following addresses had permanent fatal errors -----
<${TO}>
    (reason: ${refusal.words})

   ----- Transcript of session follows -----
... while talking to mx.example.com.:
>>> RCPT To:<${TO}>
<<< ${refusal.words}`,
    `Reporting-MTA: dns; mx.sender.example
Arrival-Date: Sun, 1 Mar 2026 09:00:00 GMT

Final-Recipient: RFC822; ${TO}
Action: failed
Status: ${statusOf(refusal)}
Remote-MTA: DNS; mx.example.com
Diagnostic-Code: SMTP; ${refusal.words}
Last-Attempt-Date: Sun, 1 Mar 2026 09:00:01 GMT`,
  );

const qmail: Layout = ({ words }) =>
  plain(
    `From: MAILER-DAEMON@mx.sender.example
Subject: failure notice`,
    `Hi. This is the qmail-send program at mx.sender.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${TO}>:
192.0.2.7 does not like recipient.
Remote host said: ${words}
Giving up on 192.0.2.7.

--- Below this line is a copy of the message.

${ORIGINAL}`,
  );

const google: Layout = (refusal) =>
  report(
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    `** Address not found **

Your message wasn't delivered to ${TO}.

The response from the remote server was:
${refusal.words}`,
    `Reporting-MTA: dns; googlemail.com
Arrival-Date: Sun, 01 Mar 2026 01:00:00 -0800 (PST)

Final-Recipient: rfc822; ${TO}
Action: failed
Status: ${statusOf(refusal)}
Remote-MTA: dns; mx.example.com. (192.0.2.7, the server for the domain example.com.)
Diagnostic-Code: smtp; ${refusal.words}
Last-Attempt-Date: Sun, 01 Mar 2026 01:00:00 -0800 (PST)`,
  ).replace("** Address not found **\n\n", "");

const exchange: Layout = ({ words }) =>
  plain(
    `From: "Microsoft Exchange" <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@corp.example>
Subject: Undeliverable: Hi`,
    `mx.example.com rejected your message to the following email addresses:

Ada (${TO})<mailto:${TO}>

mx.example.com gave this error:
${words}

Diagnostic information for administrators:

Generating server: corp.example

${TO}
mx.example.com
Remote Server returned '${words}'

Original message headers:

${ORIGINAL}`,
  );

/** The report is in the text: something on its way has flattened the parts. */
const flattened: Layout = (refusal) =>
  plain(
    `From: Postmaster <postmaster@gateway.example>
Subject: Delivery failure`,
    `Your message could not be delivered. Ask postmaster@gateway.example for help.

Reporting-MTA: dns; gateway.example

Final-Recipient: rfc822; ${TO}
Action: failed
Status: ${statusOf(refusal)}
Diagnostic-Code: smtp; ${refusal.words}

${ORIGINAL.replace("Return-Path", "X-Return-Path")}`,
  );

const imail: Layout = ({ words }) =>
  plain(
    `From: "Postmaster" <postmaster@mx.sender.example>
Subject: Undeliverable Mail
X-Mailer: <SMTP32 v8.22>`,
    `${TO}
RCPT TO generated following response:
${words}

Original message follows.

${ORIGINAL}`,
  );

const gateway: Layout = ({ words }) =>
  plain(
    `From: E500_SMTP_Mail_Service@gateway.example
Subject: Returned Mail - Error During Delivery`,
    `------ Failed Recipients ------
<${TO}>: ${words}
-------- Returned Mail --------

${ORIGINAL}`,
  );

/** In all of them the refusal answers RCPT, or may have. */
export const LAYOUTS: Readonly<Record<string, Layout>> = {
  postfix,
  exim,
  eximFree,
  sendmail,
  qmail,
  google,
  exchange,
  flattened,
  imail,
  gateway,
};

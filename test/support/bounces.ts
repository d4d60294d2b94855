// Bounces as servers write them. `$ADDRESS` is the return path, `$ID` the Message-ID of what they are about.

type Report = { readonly fields: string; readonly text?: string; readonly more?: string };

/** A delivery status notification (RFC 3464) with these fields for each recipient, groups apart by an empty line. */
export function dsn({ fields, text = "Your message could not be delivered.", more = "" }: Report): string {
  return `Return-Path: <>
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
To: $ADDRESS
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
${more}MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="A/mx.example.com"

--A/mx.example.com
Content-Type: text/plain; charset=us-ascii

${text}

--A/mx.example.com
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
Arrival-Date: Sun,  1 Mar 2026 09:00:00 +0000

${fields}

--A/mx.example.com
Content-Type: message/rfc822

${ORIGINAL}
--A/mx.example.com--
`;
}

/** A feedback report (RFC 5965). */
export function feedback(type: string): string {
  return `From: <abuse@provider.example>
To: $ADDRESS
Subject: FW: Hi
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="B"

--B
Content-Type: text/plain

This is an email abuse report for an email message received from IP 192.0.2.1.

--B
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <$ADDRESS>
Source-IP: 192.0.2.1

--B
Content-Type: message/rfc822

${ORIGINAL}
--B--
`;
}

export const ORIGINAL = `Return-Path: <$ADDRESS>
Message-ID: $ID
From: hello@example.test
To: ada@example.com
Subject: This user does not exist

550 5.1.1 user unknown`;

const plain = (header: string, body: string) => `${header}
To: $ADDRESS
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

${body}`;

export const QMAIL = plain(
  `From: MAILER-DAEMON@mx.example.com
Subject: failure notice`,
  `Hi. This is the qmail-send program at mx.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ada@example.com>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

${ORIGINAL}`,
);

export const QMAIL_FULL = QMAIL.replace(
  "Sorry, no mailbox here by that name. (#5.1.1)",
  "user is over quota, try again later",
);

export const QMAIL_CONTENT = QMAIL.replace(
  "Sorry, no mailbox here by that name. (#5.1.1)",
  "192.0.2.7 failed after I sent the message.\nRemote host said: 550 no such user",
);

export const EXIM = plain(
  `From: Mail Delivery System <Mailer-Daemon@mx.example.com>
X-Failed-Recipients: ada@example.com
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender`,
  `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@example.com
    host mail.example.com [192.0.2.7]
    SMTP error from remote mail server after RCPT TO:<ada@example.com>:
    550 No such person at this address

------ This is a copy of the message, including all the headers. ------

${ORIGINAL}`,
);

export const EXIM_CONTENT = EXIM.replace("after RCPT TO:<ada@example.com>", "after end of data").replace(
  "550 No such person at this address",
  "550 This message scored too high and the recipient does not exist for it",
);

export const EXIM_DELAYED = EXIM.replace(
  "Mail delivery failed: returning message to sender",
  "Warning: message 1abc delayed 24 hours",
)
  .replace("X-Failed-Recipients: ada@example.com\n", "")
  .replace("550 No such person at this address", "451 Greylisted, try again later");

export const EXCHANGE = plain(
  `From: "Microsoft Exchange" <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@corp.example>
Subject: Undeliverable: Hi`,
  `Delivery has failed to these recipients or groups:

ada@example.com
The e-mail address you entered couldn't be found. Please check the recipient's e-mail address and try to resend the message.

Diagnostic information for administrators:

Generating server: corp.example

ada@example.com
#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##

Original message headers:

${ORIGINAL}`,
);

export const GMAIL = plain(
  `From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
Subject: Delivery Status Notification (Failure)
X-Failed-Recipients: ada@example.com
Auto-Submitted: auto-replied`,
  `Delivery to the following recipient failed permanently:

     ada@example.com

Technical details of permanent failure:
Google tried to deliver your message, but it was rejected by the server for the recipient domain example.com by mx.example.com. [192.0.2.7].

The error that the other server returned was:
550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown

----- Original message -----

${ORIGINAL}`,
);

export const POSTFIX_TEXT = plain(
  `From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender`,
  `This is the mail system at host mx.example.com.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

                   The mail system

<ada@example.com>: host mail.example.com[192.0.2.7] said: 554 5.7.1 <unknown[192.0.2.1]>:
    Client host rejected: Access denied (in reply to RCPT TO command)`,
);

export const YAHOO = plain(
  `From: MAILER-DAEMON@yahoo.com
Subject: Failure Notice`,
  `Sorry, we were unable to deliver your message to the following address.

<ada@example.com>:
554: delivery error: dd This user doesn't have an example.com account (ada@example.com) [0]

--- Below this line is a copy of the message.

${ORIGINAL}`,
);

const person = (header: string) =>
  plain(
    `From: Ada <ada@example.com>\n${header}`,
    "I am away until Monday. My colleague's mailbox is bob@example.com; 550 5.1.1 no.",
  );

export const AUTO_REPLIES: readonly string[] = [
  person("Subject: Re: Hi\nAuto-Submitted: auto-replied"),
  person("Subject: Automatic reply: Hi\nX-Auto-Response-Suppress: All"),
  person("Subject: Out of Office: Hi"),
  person("Subject: Abwesenheitsnotiz: Hi"),
  person("Subject: Réponse automatique : Hi"),
  person("Subject: Re: Hi\nPrecedence: auto_reply"),
  person("Subject: Re: Hi\nX-Autoreply: yes"),
  person("Subject: Undeliverable: I am on holiday\nAuto-Submitted: auto-generated (vacation)"),
];

export const LETTERS: readonly string[] = [
  person("Subject: Re: Hi"),
  person("Subject: Re: Hi\nAuto-Submitted: no"),
  person("Subject: user unknown"),
  person("Subject: Vacation home in Nice: is it free in May?"),
  "",
  "\r\n\r\n",
  "Content-Type: multipart/report; boundary=",
  "\0\0\0",
];

// Services that send mail for others, by the domains of their servers, envelopes and signatures.

const SENDERS: readonly (readonly [name: string, domains: string])[] = [
  ["Google", "google.com googlemail.com gmail.com gappssmtp.com 1e100.net"],
  ["Microsoft", "outlook.com onmicrosoft.com microsoft.com hotmail.com office365.com"],
  ["Amazon SES", "amazonses.com"],
  ["SendGrid", "sendgrid.net sendgrid.info sendgrid.com"],
  ["Mailchimp", "mcsv.net mcdlv.net rsgsv.net mailchimpapp.net mandrillapp.com"],
  ["Mailgun", "mailgun.org mailgun.net mailgun.co mailgun.us"],
  ["Postmark", "mtasv.net postmarkapp.com"],
  ["Brevo", "brevo.com sendinblue.com sender-sib.com mailin.fr"],
  ["Mailjet", "mailjet.com"],
  ["SparkPost", "sparkpostmail.com sparkpost.com"],
  ["MailerSend", "mailersend.net mailersend.com"],
  ["MailerLite", "mlsend.com mailerlite.com"],
  ["SMTP2GO", "smtp2go.com smtpcorp.com"],
  ["Elastic Email", "elasticemail.com"],
  ["Scaleway", "scaleway.com scw.cloud"],
  ["Resend", "resend.com"],
  ["HubSpot", "hubspotemail.net hubspot.com"],
  ["Salesforce", "salesforce.com exacttarget.com"],
  ["Klaviyo", "klaviyomail.com"],
  ["ActiveCampaign", "activehosted.com emsend1.com emsend2.com acems1.com"],
  ["Campaign Monitor", "createsend.com cmail1.com cmail2.com cmail19.com cmail20.com"],
  ["Constant Contact", "constantcontact.com ccsend.com"],
  ["CleverReach", "cleverreach.com crsend.com"],
  ["rapidmail", "emailsys.net"],
  ["Shopify", "shopifyemail.com shopify.com"],
  ["Zendesk", "zendesk.com"],
  ["Intercom", "intercom-mail.com intercom.io"],
  ["Atlassian", "atlassian.net atlassian.com"],
  ["Zoho", "zoho.com zoho.eu zohomail.com zcsend.net"],
  ["Fastmail", "messagingengine.com fastmail.com"],
  ["Proton", "protonmail.ch proton.me"],
  ["Apple", "icloud.com me.com apple.com"],
  ["Yahoo", "yahoo.com yahoodns.net"],
  ["GMX and WEB.DE", "gmx.net web.de"],
  ["IONOS", "kundenserver.de ionos.com 1und1.de perfora.net"],
  ["STRATO", "rzone.de strato.de"],
  ["Hetzner", "your-server.de"],
  ["OVHcloud", "ovh.net ovh.com"],
  ["Gandi", "gandi.net"],
  ["Mimecast", "mimecast.com"],
  ["Proofpoint", "pphosted.com ppe-hosted.com"],
  ["Barracuda", "barracudanetworks.com"],
  ["Hornetsecurity", "hornetsecurity.com antispameurope.com"],
];

const NAMES: ReadonlyMap<string, string> = new Map(
  SENDERS.flatMap(([name, domains]) => domains.split(" ").map((domain) => [domain, name] as const)),
);

/** The owner of a name: `a1-23.smtp-out.amazonses.com` is of Amazon SES; `''` = unknown. */
export function senderOf(name: string): string {
  const labels = name.toLowerCase().split(".");
  for (let start = 0; start < labels.length - 1; start++) {
    const known = NAMES.get(labels.slice(start).join("."));
    if (known !== undefined) return known;
  }
  return "";
}

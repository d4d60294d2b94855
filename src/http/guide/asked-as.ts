// What people type who look for something in the guide and do not know our word for it: words of other products, of the
// trade and of everyday language.

/** By page, or by the heading in it (`#` and its anchor): what it is also asked as. */
export const ASKED_AS: Readonly<Record<string, string>> = {
  index: "getting started quickstart tutorial introduction hello world begin first steps overview",
  "index#addresses-to-try-with":
    "simulator sandbox test address fake recipient dummy mode simulate a bounce or complaint in development",
  sending:
    "emoji unicode attachments post v1 send email api transactional request curl how do I send mail order receipt",
  "sending#recipients-and-sender": "to from reply-to sender name display name from address literal braces",
  "sending#one-message-to-a-group": "cc bcc carbon copy several multiple recipients reply all",
  "sending#attachments": "attach pdf file invoice document upload base64 inline image cid embed calendar invite ics",
  "sending#many-emails-in-one-request": "batch bulk send thousands multiple mass",
  "sending#tags-and-metadata": "categories labels custom args unique args category",
  "sending#header-fields":
    "custom headers x-headers in-reply-to references threading thread conversation list-unsubscribe priority",
  "sending#send-later-move-or-cancel":
    "schedule delay future time scheduled reschedule send at specific date stop undo recall unsend withdraw queued email",
  "sending#transactional-and-marketing-email": "type of email difference promotional newsletter classification",
  "sending#what-happens-to-an-email":
    "what does failed skipped bounced mean meaning status states lifecycle queued sent delivered retry retries attempts tried again backoff deferred soft bounce pending stuck",
  mail: "search messages log history find an email archive activity look up sent mail filter outbox",
  "mail#held-email": "hold release paused quarantined",
  "mail#the-content-of-an-email": "raw source eml view body html preview of a sent message download",
  "mail#send-an-email-again": "sendagain resend retry a failed email repeat send again redeliver",
  "mail#send-many-emails-again": "sendagain resend all failed emails retry in bulk requeue after an outage",
  "mail#the-timeline":
    "why was my email not sent not delivered not received not arriving never came did not get customer says where is it missing lost mail customer did not get it trace diagnose debug",
  templates: "layout design dynamic variables placeholders merge tags personalization handlebars mustache liquid",
  "templates#the-language":
    "variables not replaced braces shown literally mailmerge if else condition loop for filter format date currency first name fallback default value syntax error",
  "templates#test-copies": "test email send a test email to myself proof",
  "templates#the-preheader": "preview text snippet inbox line",
  "templates#versions": "history revert previous restore an old version",
  "templates#the-design": "drag and drop editor visual builder wysiwyg blocks",
  images: "logo picture upload hosting gallery media assets photo colours colors font branding theme footer style",
  contacts:
    "customfield unsubscribe somebody by hand manually gdpr delete import export csv subscribers people users audience list members profile attributes properties custom fields create update upsert",
  "contacts#record-events": "track event custom event behaviour identify activity",
  "contacts#import-and-export": "csv upload spreadsheet excel download backup of contacts bulk add migrate list",
  "contacts#undo-an-import": "revert roll back wrong file uploaded by mistake",
  "contacts#change-many-at-once": "bulk update edit delete tag mass",
  "contacts#contacts-that-are-one-person": "duplicates merge deduplicate same person twice combine",
  "contacts#double-opt-in": "doi confirmation email confirm subscription confirmed",
  "contacts#recipient-pages":
    "unsubscribe page link landing page opt out preference centre center manage subscription url",
  "contacts#erase-a-person":
    "gdpr delete right to be forgotten erasure remove personal data privacy request dsgvo ccpa forget",
  "contacts#sign-ups-from-a-web-page": "public key browser javascript frontend cors",
  topics:
    "subscription preferences categories lists mailing list newsletters unsubscribe groups suppression groups opt out of one kind channels",
  "topics#what-recipients-see": "preference center centre page unsubscribe from one list only",
  preferences:
    "pause snooze break for a month frequency fewer emails holiday unsubscribe reason why people leave survey locale language of a contact own data self service",
  consent:
    "proof of consent opt-in evidence gdpr audit trail ledger when did they subscribe where who agreed permission record legal",
  suppressions:
    "blocklist blacklist block blocked address blacklist do not contact do not mail block an address unblock whitelist remove from suppression list export stop list suppressed",
  "suppressions#bring-a-list-along":
    "upload unsubscribed list import suppression list upload unsubscribed bounced addresses from elsewhere",
  "suppressions#find-and-lift": "export download csv reactivate unsuppress remove delete an address allow again",
  segments:
    "filter audience group dynamic list target criteria rules query conditions inactive contacts who did not open",
  "segments#a-list-of-your-own": "static list manual fixed members add to list",
  forms:
    "thank you thanks page recaptcha signup sign-up subscribe form embed hosted newsletter box popup widget website captcha bots spam sign-ups honeypot",
  campaigns: "newsletter broadcast bulk email blast mailing marketing send to a list",
  "campaigns#from-draft-to-sent":
    "blocked schedule pause stop a campaign postpone time zone recurring cron send at local time",
  "campaigns#results": "report open rate click rate performance statistics of a newsletter ctr heat map",
  "campaigns#the-audience": "recipients who gets it exclude preview count",
  "campaigns#send-again-to-people-it-did-not-reach": "resend to non openers not opened follow up failed recipients",
  workflows:
    "automation drip sequence series journey onboarding welcome email flow trigger autoresponder lifecycle birthday abandoned cart",
  "workflows#triggers": "start when enters contact added event schedule date every day cron recurring weekly",
  "workflows#steps": "delay wait until branch if condition split webhook exit",
  webhooks:
    "callback notification events endpoint http post event hook push subscribe to bounce delivered opened clicked notify my server",
  "webhooks#check-the-signature": "verify signature hmac secret validate signing svix",
  "webhooks#attempts": "retry retries failed delivery log replay redeliver missed events",
  "webhooks#when-your-server-is-away": "endpoint disabled failing timeout down again",
  "webhooks#where-webhooks-may-go": "localhost private address internal network ssrf ngrok on your machine allow",
  "webhooks#try-it": "test ping example event",
  tracking:
    "open tracking click tracking pixel track opens links rewriting disable turn off bots apple mail privacy protection scanner machine opens utm",
  "link-host":
    "brandedlink link shortener short links custom tracking domain branded links white label whitelabel cname link domain own subdomain for links and pages",
  statistics: "analytics dashboard metrics reports numbers rates delivery rate open rate chart figures per day",
  verification:
    "catch all validate email address check syntax typo disposable mx mailbox exists hygiene list cleaning verify address",
  smtp: "printer scanner device legacy application smtp password username credentials login port 587 465 server host wordpress nodemailer relay settings submission",
  "smtp#replies": "error code 535 550 authentication failed",
  client: "sdk library node npm package javascript typescript python php ruby go java",
  "client#the-command-line": "cli terminal shell cron script",
  "client#in-place-of-sendmail": "php mail function local mta cron mails root",
  inbound:
    "reply tracking replies receive incoming receiving email replies reply parse mx vacation out of office auto reply autoreply auto-responder route mailbox forward spam score virus",
  reports: "dmarc aggregate report rua tls-rpt mta-sts who sends in my name spoofing phishing impersonation",
  "warm-up":
    "warmup warm up a new domain ip address dedicated ip ramp reputation gradually increase volume new sender daily limit",
  bounces:
    "mailboxfull category bounce hard soft undeliverable returned mail complaint feedback loop fbl spam button arf dsn mailbox full invalid address rejected marked as spam",
  "bounces#the-health-of-a-workspace":
    "bounce rate complaint rate too high sending stopped blocked reputation deliverability disabled account",
  providers:
    "provider events amazon ses sns notification mailgun sendgrid relay webhook delivered status from smtp provider brevo sparkpost mailjet postmark",
  domains:
    "dkim spf dmarc dns records verify sender domain authentication authenticate sending domain cname txt subdomain add change domain bimi spam folder junk lands in spam deliverability",
  "domains#how-a-domain-is-verified": "verification pending dns propagation not verified ownership",
  "domains#rotate-the-dkim-key": "new dkim key selector renew change 2048 bit",
  api: "openapi spec specification schema rest reference authentication authorization bearer token http endpoint openapi swagger errors workspace settings",
  "api#keys":
    "restricted key scoped to one domain ip address allowlist api key token secret create revoke rotate permission scope restricted leaked key",
  "api#the-workspace": "settings postal address footer account company webhook secret rotate",
  "api#errors": "error codes 400 401 403 404 409 422 429 500 validation failed problem response",
  "api#repeat-a-request-safely": "duplicatesend idempotency idempotent duplicate retry safe exactly once",
  "api#pages": "pagination cursor limit offset next page per page",
  "api#rate-limit": "rate limit throttling too many requests 429 requests per second quota exceeded",
  limits: "maximum size quota how many how large max attachment size message size limit restrictions",
  "operate/backup": "back up restore disaster recovery snapshot copy s3 bucket recover dump litestream point in time",
  "operate/backup#restore-drill": "test restore check that a backup works verify rehearse",
  "operate/backup#a-standby": "high availability failover replica replication second server",
  "operate/backup#restore": "recover from backup get data back lost server new machine move to another host",
  "operate/install":
    "setup set up deploy docker compose container kubernetes server vps debian apt systemd requirements download self-host",
  "operate/install#the-service": "systemd start on boot unit restart daemon",
  "operate/install#relay-or-amazon-ses": "smarthost aws ses upstream provider port 25 blocked direct",
  "operate/monitoring":
    "prometheus grafana metrics alerting health check healthz ready probe uptime logs logging observability statsd",
  "operate/monitoring#log": "log file journald debug level json",
  "operate/monitoring#alerts-by-posthorn-itself":
    "notify me email alert slack telegram operator when something is wrong",
  "operate/monitoring#seen-from-outside": "my ip blocklisted spamhaus reverse dns ptr listed",
  "operate/monitoring#doctor": "diagnose check my setup",
  "operate/queue": "stopall pause sending stop all mail outgoing mail emergency stop hold the queue maintenance drain",
  "operate/pace": "throttle gmail outlook yahoo slow down deferred too fast 421 greylisting temporarily",
  "operate/ways":
    "severalrelays several relays fallback failover second smtp provider routing multiple smtp servers ip pool backup relay load balancing ses and mailgun",
  "operate/retention":
    "vacuum shrink delete old data how long kept days storage cleanup purge archive disk space keep emails content retention period",
  "operate/tls":
    "port 80 443 certificate expired https ssl certificate acme reverse proxy nginx caddy traefik renew letsencrypt",
  "operate/sizing":
    "memory usage hardware ram cpu memory disk requirements how big server performance throughput emails per second capacity benchmark",
  "operate/troubles": "troubleshooting problem error broken fix help not working stuck emergency runbook incident",
  "operate/troubles#the-key-is-lost": "lost encryption key secret file",
  "operate/troubles#the-server-does-not-answer":
    "server down crash crashed unreachable 502 not responding hangs offline",
  "operate/troubles#the-database-is-damaged": "corrupt corrupted malformed",
  "operate/troubles#the-queue-is-stuck": "emails stay queued not leaving nothing is sent pending delayed",
  "operate/troubles#you-are-locked-out":
    "forgot lost password reset admin owner password cannot log in login 2fa lost phone",
  "operate/troubles#the-disk-is-full": "no space left on device enospc",
  "operate/troubles#the-relay-is-away": "connection refused relay down smtp timeout cannot connect",
  "operate/troubles#the-relay-refuses-emails": "authentication failed 535 relay access denied rejected by provider",
  "operate/troubles#bounces-are-high": "too many bounces bounce rate",
  "operate/upgrade": "update new version release downgrade rollback roll back migrate changelog",
  "moving/index":
    "migrate migration switch import from mailgun mailchimp brevo mailjet sparkpost ses customer.io klaviyo activecampaign other service provider alternative replace leave",
  "moving/resend": "templates contacts suppressions resend migrate",
  "moving/postmark": "templates contacts suppressions postmark migrate postmarkapp message streams",
  "moving/sendgrid": "templates contacts sendgrid twilio migrate dynamic templates asm groups",
  "moving/plunk": "templates contacts suppressions plunk useplunk migrate",
  "moving/listmonk": "templates contacts suppressions listmonk migrate",
  compat:
    "compatible drop-in replacement base url existing client sdk laravel django rails symfony next.js wordpress plugin strapi payload medusa",
  configuration:
    "config toml settings environment variables env options file base url port command line data directory",
  "configuration#command-line": "cli commands list of commands",
  team: "add user users members invite colleague roles permissions admin access login sign in account password passkey two factor 2fa mfa totp sso",
  "team#roles": "who may do what permission read only viewer editor marketer developer support",
  "team#workspaces": "multi tenant tenants client accounts projects several brands agency switch",
  "team#who-did-what": "audit log trail history of changes activity log",
  "team#sign-in": "forgot password change password session log out two factor 2fa mfa passkey webauthn",
  scaling:
    "setup postgres multiple servers postgres postgresql cluster several nodes multiple servers horizontal high availability load balancer database",
  "scaling#move-to-postgresql": "migrate sqlite to postgres",
  security: "encryption hardening vulnerability secrets csp threat privacy data protection pentest",
  "face/index": "dashboard web interface ui screen keyboard shortcuts dark mode",
};

/** Phrases that mean another thing than their words do, and what they mean. */
export const PHRASES: readonly (readonly [phrase: RegExp, meaning: string])[] = [
  [/\bopt(ed|ing|s)? out\b|\bopt-?outs?\b/g, "unsubscribe"],
  [/\bdouble opt(ed)? in\b/g, "doubleoptin double optin"],
  [/\bopt(ed|ing|s)? in\b/g, "optin subscribe consent"],
  [/\b(out of office|vacation|auto ?repl(y|ies)|holiday repl(y|ies))\b/g, "autoreply"],
  [/\b(spam|junk) (folder|box)\b|\b(land|end|go|get|goe|arrive)(s|ing)? (up )?in (the )?(spam|junk)\b/g, "spamfolder"],
  [/\b(sign|log)(ing|ed|s)? ?-?(in|on)\b|\blogins?\b/g, "login"],
  [/\bsign ?-?ups?\b/g, "signup"],
  [/\bset(ting)? ?up\b/g, "setup"],
  [/\bwarm(ing|ed)? ?-?up\b/g, "warmup"],
  [/\bback(ing|ed)? ?-?ups?\b/g, "backup"],
  [/\bapi (keys?|tokens?)\b/g, "apikey key"],
  [/\bre-?send(s|ing)?\b|\bsen[dt] again\b/g, "resend"],
  [/\bresend (a|an|the|all|any|failed|emails?|mails?|messages?|campaigns?|to)\b/g, "sendagain $1"],
  [/\btwo ?-?factor\b|\b2 ?-?fa\b/g, "2fa"],
  [/\btime ?-?zones?\b/g, "timezone"],
  [/\bmerge (tag|field|var|variable)s?\b/g, "mergetag"],
  [/\b(e?mail) merges?\b/g, "mailmerge"],
  [/\bthank(s| you)\b/g, "thankyou"],
  [/\bcatch[- ]?all\b/g, "catchall"],
  [/\bdark (mode|theme)\b/g, "darkmode"],
  [/\bbranded (links?|domains?)\b/g, "brandedlink"],
  [
    /\b(sent|send|sending|arrives?|get|receives?|delivered) (twice|double)\b|\bduplicate (e?mails|sends?)\b/g,
    "duplicatesend",
  ],
  [/\b(two|2|several|multiple|many|second|another) (smtp )?(providers?|relays?)\b/g, "severalrelays"],
  [/\b(stop|pause|halt) (all|every|everything)\b/g, "stopall"],
  [/\b(full (mail|in)box|(mail|in)box(es)? (is )?full|over ?quota)\b/g, "mailboxfull"],
  [/\bcustom (field|attribute|propert|data)(s|y|ies)?\b/g, "customfield"],
  [/\broll(ing|ed)? ?back\b/g, "rollback"],
  [/\bhow (big|large)\b/g, "maximum size"],
  [/\bat rest\b/g, "encrypted"],
  [/\blets ?encrypt\b/g, "letsencrypt"],
  [/\btoo many requests\b/g, "429"],
  [/\bwhere (is|are|did)\b/g, "missing"],
  [/\btest (e?mails?|messages?|cop(y|ies))\b/g, "testcopy"],
];

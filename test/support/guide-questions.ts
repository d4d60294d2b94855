// What developers, marketers, operators and support agents type into the search of the guide, in their own words, and
// the pages that answer it.

/** `question: pages`, a line each; any of the pages may come first. */
export const QUESTIONS = `
unsubscribe link: templates topics recipient-pages sending
mailgun import: moving/mailgun moving/index imports
dkim: domains
why is my email not sent: mail operate/troubles sending
rate limit: api limits
gdpr delete: erasure
bounce webhook: webhooks
resend failed: mail
restore backup: operate/backup
change domain: domains
custom domain tracking: link-host
double opt in: sign-ups
smtp password: smtp
idempotency: api
attach pdf: sending
cron campaign: workflows campaigns
vacation replies: inbound
spam folder: domains
warm up ip: warm-up
suppression list export: suppressions
how do i send an email: sending index
send email with node: client sending compat/index compat/resend
attachment size limit: limits sending
bcc: sending
reply-to header: sending
schedule an email for tomorrow: sending
cancel scheduled email: sending
batch send: sending
custom headers: sending
inline images: sending images
send test email: templates index
preview text: templates
template variables: templates
conditional content in template: templates
merge tags: templates moving/mailchimp
handlebars: templates moving/sendgrid
upload logo: images
brand colors: images
unsubscribe page: recipient-pages topics preferences
preference center: topics recipient-pages preferences
people unsubscribed by mistake: contacts suppressions topics consent recipient-pages
opt out: topics recipient-pages suppressions
delete a contact: erasure contacts
right to be forgotten: erasure
merge duplicate contacts: duplicates
import csv: imports
export subscribers: imports
custom fields: contacts
double optin confirmation email: sign-ups
proof of opt in: consent
blacklist an address: suppressions
unblock a customer: suppressions
remove from suppresion list: suppressions
dynamic list: segments
inactive subscribers: segments
static segment: segments
signup form: forms
captcha: forms
embed form on wordpress: forms
newsletter: campaigns
open rate: statistics campaigns tracking
schedule campaign: campaigns
resend to non openers: campaigns
welcome email series: workflows
drip campaign: workflows
birthday email: workflows
abandoned cart: workflows
wait until event: workflows
webhook signature: webhooks
verify webhook: webhooks
webhook retries: webhooks
webhook localhost: webhooks
disable click tracking: tracking
open tracking pixel: tracking
apple mail privacy: tracking
branded links: link-host
validate email address: verification
disposable emails: verification
smtp port: smtp
nodemailer: smtp client
535 authentication failed: smtp operate/troubles
wordpress smtp: smtp
python sdk: client
command line: client configuration
receive emails: inbound
forward incoming mail: inbound
out of office: inbound
dmarc report: reports
hard bounce: bounces
complaint rate: bounces
mailbox full: bounces
feedback loop: bounces
ses sns notifications: providers bounces
spf record: domains
verify domain: domains
domain not verified: domains
rotate dkim key: domains
gmail marks as spam: domains bounces operate/pace
api key permissions: api
revoke api key: api
leaked api key: api security
error 422: api
pagination: api
too many requests: api
exactly once: api sending
docker compose: operate/install
install on ubuntu: operate/install
systemd: operate/install configuration
lets encrypt: operate/tls
nginx reverse proxy: operate/tls
https certificate: operate/tls
prometheus metrics: operate/monitoring
health check endpoint: operate/monitoring api
grafana dashboard: operate/monitoring
slack alerts: operate/alerts
log level: operate/status configuration
pause all sending: operate/queue
queue stuck: operate/troubles operate/queue
emails stuck in queued: operate/troubles
gmail throttling: operate/pace
failover smtp: operate/ways
second relay: operate/ways
how long are emails kept: operate/retention
disk full: operate/troubles
delete old emails: operate/retention
how much ram: operate/sizing
upgrade to new version: operate/upgrade
rollback version: operate/upgrade
s3 backup: operate/backup
disaster recovery: operate/backup
high availability: operate/backup scaling
move to postgres: scaling
multiple servers: scaling
forgot password: operate/troubles team
invite teammate: team
2fa: team
audit log: team
roles: team
multi tenant: team
migrate from mailchimp: moving/mailchimp
switch from sendgrid: moving/sendgrid
listmonk: moving/listmonk
keila: moving/keila
leave customer.io: moving/customer-io
brevo contacts: moving/brevo
moving from loops: moving/loops
postmark message streams: moving/postmark compat/index compat/postmark
resend sdk: compat/index compat/resend moving/resend
laravel: compat/index compat/resend compat/postmark compat/sendgrid compat/mailgun
environment variables: configuration
postal address in footer: api images campaigns
unsubscribe header: sending security
webook: webhooks
tempalte: templates
atachments: sending
unsubcribe: topics recipient-pages sending suppressions
bouce rate: bounces
customer says he did not get the email: mail operate/troubles
where is my email: mail
password reset mail not arriving: mail operate/troubles
find email by recipient: mail
see email content: mail
language of email: templates preferences topics campaigns
pause newsletter for a month: preferences
why people leave: preferences
spoofing: reports domains
ip reputation: warm-up bounces
new domain sending limits: warm-up
blocklisted ip: operate/alerts
reverse dns: operate/alerts operate/install
encryption at rest: security operate/backup
public key javascript: sign-ups api limits
keyboard shortcuts: face/index
saved views: mail face/mail
track event: events
time zone: campaigns templates workflows
mail merge: templates sending campaigns
liquid filters: templates
date format: templates
default value if name is empty: templates
send to multiple recipients: sending
cc someone: sending
email stuck pending: operate/troubles sending
retry schedule: sending configuration
what does FAILED mean: sending mail
soft bounce: bounces sending
why was my campaign blocked: campaigns bounces
spam complaints: bounces
user marked as spam: bounces
remove bounced emails: suppressions bounces contacts
suppress everyone at a domain: suppressions
upload unsubscribed list: suppressions
gdpr export of a persons data: contacts preferences
consent log: consent
add field to form: forms
recaptcha: forms
thank you page: forms
a segment of people who bought twice: segments
target customers by plan: segments
utm parameters: tracking
bot clicks: tracking
click rate too high: tracking statistics
send at 9am local time: campaigns
recurring newsletter every monday: campaigns workflows
trigger workflow from api: workflows events
exit workflow when purchased: workflows
events list webhook: webhooks
hmac sha256: webhooks
missed webhooks replay: webhooks
receive bounce notifications: webhooks bounces providers
parse inbound email: inbound
mx record for replies: inbound
reply tracking: inbound
ssl renewal: operate/tls
port 443: operate/tls
change admin password: team operate/troubles
add user: team
read only access for support: team
who changed the template: team templates
several brands in one installation: team
amazon ses setup: operate/install bounces providers
brevo webhook: providers
sendgrid templates: moving/sendgrid
mailchimp merge tags: moving/mailchimp
plunk: moving/plunk
openapi spec: api
typescript client: client
sendmail replacement: client
php mail(): client
idempotentcy key: api
restricted key for one domain: api
key by ip address: api
postgres setup: scaling
kill -9 data loss: index security operate/backup sending
litestream: operate/backup
restore to new server: operate/backup
test restore: operate/backup
ram usage: operate/sizing
emails per second: operate/sizing api
vacuum database: operate/retention
purge logs: operate/retention
alert when queue is long: operate/alerts
server down: operate/troubles operate/monitoring
certificate expired: operate/tls operate/troubles
database corrupt: operate/troubles
lost encryption key: operate/troubles
wrong clock: operate/troubles
stop all mail now: operate/queue
outlook blocks us: operate/pace operate/troubles bounces
microsoft throttle: operate/pace
use two smtp providers: operate/ways
fallback to ses: operate/ways
dedicated ip: warm-up
reputation: bounces warm-up
dns records: domains
add second domain: domains
email address typo check: verification
catch all domain: verification domains
emoji in subject: sending templates
dark mode: face/index images
translate email: templates topics preferences
footer address: api images campaigns
image hosting: images
drag and drop editor: templates face/writing
who opened my email: tracking campaigns mail
download results of campaign: campaigns
how to unsubscribe someone manually: contacts topics suppressions
one click unsubscribe: sending topics recipient-pages
reschedule email: sending
undo send: sending
email variables not replaced: templates
reply address: sending
how big can an attachment be: limits sending
sending invoices as pdf: sending
duplicate emails sent twice: api sending
stop sending to bounced address: suppressions bounces
list of suppressed addresses: suppressions
contact properties: contacts
bulk tag contacts: contacts
subscribe form for website: forms
gdpr consent evidence: consent
send newsletter to all contacts: campaigns
pause a campaign: campaigns
campaign report csv: campaigns
onboarding sequence: workflows
delay step: workflows
webhook events list: webhooks
webhooks failing: webhooks
turn off open tracking: tracking
link shortener domain: link-host
check if mailbox exists: verification
smtp credentials for printer: smtp
incoming mail webhook: inbound webhooks
dmarc aggregate reports: reports
warmup schedule: warm-up
bounce categories: bounces
mailgun events: providers
txt record: domains
daily backups: operate/backup
debian package: operate/install
grafana: operate/monitoring
emergency stop: operate/queue
yahoo deferrals: operate/pace
several relays: operate/ways
keep data for 30 days: operate/retention
memory usage: operate/sizing
queue does not move: operate/troubles operate/queue
new release: operate/upgrade
move from mailjet: moving/index
strapi plugin: compat/index
rotate api key: api
posthorn.toml settings: configuration
permissions of a marketer: team
clustering: scaling
vulnerability report: security
how many requests per minute: api limits
webhook secret: webhooks
verify webhook in express: webhooks
how to get notified when an email is opened: webhooks
events list email.bounce: webhooks workflows
my customer is not getting password reset mails: mail operate/troubles
open rates: tracking statistics campaigns
domain stays pending: domains
dkim key length: domains
strict dmarc policy p=reject safe: reports
api key leaked what now: api
bearer token: api
invalid json error: api
idempotency header: api
how to page through contacts: api contacts
rate limit headers: api
batch endpoint max emails: limits sending
attachement too big: limits sending
reply-to: sending
send as different sender name: sending
html and text version: sending
scheduled mails cancel: sending
headers X-Priority: sending
metadata on emails: sending
what is SKIPPED: sending
PHP mail() replacement: client
send from bash script: client
docker run posthorn: operate/install
arm64 raspberry pi: operate/install operate/sizing
port 25 blocked by hetzner: operate/install operate/troubles
systemctl restart logs: operate/install operate/status operate/troubles
postgres connection string: scaling configuration
two servers behind load balancer: scaling
does it support tls 1.3 / https: operate/tls
renew certificate without downtime: operate/tls
nagios check: operate/status
telegram alert: operate/alerts
backup every night to backblaze: operate/backup
point in time recovery: operate/backup
going back to the older version after failed upgrade: operate/upgrade
delete emails older than 90 days: operate/retention
disk usage growing: operate/retention operate/troubles
hold all outgoing mail during maintenance: operate/queue
failover to mailgun when ses is down: operate/ways
microsoft throttling 4.7: operate/pace
warming up plan days: warm-up
create newsletter and send to segment: campaigns
campaign blocked why: campaigns
unsubscribes per campaign: campaigns
customers who bought twice: segments
custom field in segment filter: segments
subscribe form double opt-in text: forms sign-ups
gdpr export of one customer: contacts
delete contact completely: erasure
import with existing contacts overwrite: imports
preference page design: preferences
show gif in email: images
merge tags syntax: templates
conditional block only for premium users: templates
webhook payload example: webhooks
contact.unsubscribed event: webhooks workflows
webhook disabled after failures: webhooks
can I add custom header to webhook: webhooks
allow webhooks to 10.0.0.5: webhooks
how do i call slack when someone buys: webhooks workflows
cancelled email status: sending
send to many recipients at once: sending
list-unsubscribe-post: sending
inline cid image: sending
message-id search: mail
get html of a sent mail: mail
held because workspace disabled: mail
template alias: templates
preview mobile gmail clip: templates face/writing
undo template change: templates
date filter liquid: templates
unsubscribeUrl: templates sending recipient-pages contacts
signup form captcha: forms
add checkbox to form: forms
subscribe form redirect after submit: forms
campaign to all contacts except: campaigns segments
estimated audience size: campaigns segments
campaign unique opens definition: campaigns
send campaign at 9am recipient time: campaigns
who did not get the campaign: campaigns
welcome series: workflows
workflow trigger every monday: workflows
stop workflow when user buys: workflows
http request step: webhooks
contact fields list api: contacts
custom attributes nested data: contacts
upload csv semicolon: imports
import fails row errors: imports
same person two emails: duplicates
track purchase event server side: events
page view tracking js: sign-ups client events
suppressed but want to send anyway: suppressions sending
remove bounce suppression: suppressions
soft bounces in a row: bounces
ARF reports: bounces
spam rate 0.3 google: bounces
ses bounces via sns: bounces
gmail postmaster tools / feedback-id: sending bounces
dns zone file export: domains face/settings
spf include multiple records: domains
return path domain: domains bounces
dane / mta-sts: reports
verify role address disposable: verification
relay username password: configuration operate/install
send via sendgrid and ses both: operate/ways configuration
provider pace meaning: operate/pace operate/troubles
drop queued mails: operate/queue
ready endpoint 503: operate/monitoring
spamhaus listed: operate/alerts operate/troubles
restore to postgres: operate/backup
bucket retention of backups: operate/backup
dkim selector: domains
spf softfail: domains reports
verify my sending domain: domains
bounce: bounces
user unknown 5.1.1: bounces
suppression list: suppressions
block an email address: suppressions
gdpr: erasure consent security
right to erasure: erasure
import contacts: imports
duplicate contact: duplicates
confirm subscription mail: sign-ups
segment by event: segments
people who clicked last month: segments
newsletter every week automatically: campaigns workflows
send campaign later: campaigns
pause campaign: campaigns
click heatmap: campaigns
drip: workflows
workflow wait for event: workflows
webhook retry: webhooks
svix: webhooks
open tracking off: tracking
links in emails own domain: link-host
delivery rate per day: statistics
is this address real: verification
smtp 587: smtp
smtp authentication: smtp
php sendmail: client
typescript: client
inbound parse: inbound
dmarc reports: reports
warm up new ip: warm-up
sendgrid events: providers moving/sendgrid
backup: operate/backup
encrypt backup: operate/backup
install with docker: operate/install
prometheus: operate/monitoring
healthz: operate/monitoring
flush queue: operate/queue
gmail 421 4.7.28: operate/pace
relay fallback: operate/ways
prune old emails: operate/retention
tls certificate: operate/tls
how much memory: operate/sizing
server does not start: operate/troubles
disk is full: operate/troubles
rollback upgrade: operate/upgrade
mailchimp: moving/mailchimp
resend compatible: compat/index compat/resend moving/resend
toml config: configuration
roles and permissions: team
postgresql: scaling
why are my mails delayed: operate/pace operate/troubles sending
mail says sent but recipient has nothing: mail sending
how can i see the bounce reason of one mail: mail bounces
customer clicked spam by mistake: bounces suppressions contacts
let subscribers choose what they get: topics preferences
add unsubscribe to my template: templates sending
product images in newsletter: images
personalize subject with first name: templates
currency formatting: templates
schedule automation for anniversaries: workflows
export campaign results: campaigns statistics
share of gmail recipients: statistics
bounced emails export: mail suppressions bounces
unsubscribed users list: contacts suppressions
import unsubscribes from old tool: suppressions moving/index
send only to verified addresses: verification
public key in browser: sign-ups api
rate limited by api: api limits
what does PERHAPS_DELIVERED mean: sending operate/troubles
email.complaint webhook: webhooks
campaign.finished: webhooks
RATE_LIMIT_EXCEEDED: api limits
INVALID_API_KEY: api
NO_RECIPIENTS: api campaigns
return_path_domain: domains bounces
secrets key: security configuration operate/troubles
bounce_rate_stop: bounces
face disable web interface: configuration face/index
log level debug: operate/status
json logs to loki: operate/status
watch emails live in terminal: operate/status
posthorn status: operate/status
posthorn key create: configuration api
posthorn queue hold: operate/queue
posthorn clock accept: operate/troubles
posthorn settings reset: configuration
change settings without restart: configuration
restore drill: operate/backup
replicate database to s3: operate/backup
multi node deployment: scaling
zero downtime upgrade: operate/upgrade
caddy: operate/tls
letsencrypt rate limit staging: operate/tls
ses permissions iam: configuration operate/install
bcc archive copy of every mail: sending
limit emails per person per week: preferences topics limits
which ports must be open: operate/install operate/tls configuration
outgoing ip reputation: operate/alerts warm-up bounces domains
passkeys dont work: team
owner locked out: operate/troubles
transfer ownership: team face/team
rename workspace: team api
Rückläufer: bounces
Abmeldeseite anpassen: recipient-pages preferences
Testmail senden: templates
Versandgeschwindigkeit begrenzen: operate/pace limits configuration
Zugriff nur lesen: team
Mailserver Einstellungen: smtp
Löschfristen: operate/retention
Nachweis Einwilligung: consent
Vorschautext: templates
add dkim record cloudflare: domains
rotate dkim: domains
how long until dns is verified: domains
unverified domain error: domains operate/troubles api
mail bounced 550: bounces
recipient suppressed: suppressions sending
whitelist an address again: suppressions
upload blocklist csv: suppressions
erase personal data: erasure
import subscribers from csv: imports
export all contacts: imports
bulk edit contacts: contacts
double opt-in email text: sign-ups
segment of inactive users: segments
static vs dynamic segment: segments
signup form on my website: forms
bots filling my form: forms
how to send a newsletter: campaigns
campaign report: campaigns
resend to people who did not open: campaigns
welcome email automation: workflows
wait step: workflows
if condition in workflow: workflows
webhook not firing: webhooks
check webhook signature python: webhooks
webhook event types: webhooks
disable open tracking for one email: tracking
own link domain: link-host
statistics by day: statistics
validate email: verification
smtp credentials: smtp
send from wordpress: smtp face/settings
node sdk: client
sendmail: client
dmarc: domains reports
nightly backups: operate/backup
restore from backup: operate/backup
kubernetes: operate/install operate/monitoring
metrics: operate/monitoring
stop all sending now: operate/queue
outlook rejects too many: operate/pace
two smtp relays: operate/ways
data retention: operate/retention
https certificate renewal: operate/tls
server requirements: operate/sizing operate/install
how to upgrade: operate/upgrade
migrate from sendgrid: moving/sendgrid
use sendgrid library: compat/index compat/sendgrid
use mailgun.js: compat/index compat/mailgun
send the newsletter of ghost: moving/ghost
ghost mailgun: moving/ghost
422 error: api
idempotency-key: api
environment variable config: configuration
invite user: team face/team
Wie richte ich DKIM ein: domains
Domain wird nicht verifiziert: domains
E-Mail mit Anhang senden: sending
Kampagne planen: campaigns
Automatisierung Willkommensmail: workflows
Double Opt-in einrichten: sign-ups forms
Kontakt löschen DSGVO: erasure
Datensicherung automatisch: operate/backup
Festplatte voll: operate/troubles
Update installieren: operate/upgrade
API Schlüssel erstellen: api
Blacklist Adresse entfernen: suppressions
Vorlage mit Variablen: templates
Bilder hochladen: images
Rolle Berechtigung Marketing: team
Mail landet im Spam: domains
Abmelden Link fehlt: sending recipient-pages preferences topics
Einwilligung nachweisen: consent
Drosselung Gmail: operate/pace
Umzug von Mailchimp: moving/mailchimp
emails going to spam: domains
users report the unsubscribe link does not work: recipient-pages preferences operate/tls
is my ip blacklisted: operate/alerts
how do i reset my password: team operate/troubles
i cant log in: operate/troubles team
add teammate as developer: team
can two people edit a template: templates
where do I see who opened: mail tracking face/mail
find mail sent to customer last week: mail
resend an email to a customer: mail
export list of unsubscribed people: imports contacts suppressions
block competitor domain: suppressions
customer wants fewer emails: preferences topics
why was my campaign not sent to everyone: campaigns contacts
recipient changed email address: contacts duplicates
email shows {{ name }} instead of name: templates
wrong name in greeting fallback: templates
clicks counted twice by scanner: tracking
short links in my own domain: link-host
count of signups from form: forms
smtp auth error 535: smtp operate/troubles
send through smtp with nodemailer: smtp
printer scan to email: smtp
resend.com sdk base url: compat/index compat/resend
moving from sendgrid contacts: moving/sendgrid
postmark suppressions import: moving/postmark suppressions
listmonk lists to segments: moving/listmonk
plunk api compatible: moving/plunk compat/index
mailgun bounce webhook: providers
parse inbound email attachments: inbound
reply handling: inbound
dmarc rua: reports
config file location: configuration
POSTHORN_HTTP_PORT: configuration
[limits] body_bytes: limits sending configuration
complaint_rate_stop: bounces
domain_grace: operate/troubles domains
posthorn compact: operate/retention
posthorn prune --dry-run: operate/retention
migrate-store: scaling configuration
`;

// What developers, marketers, operators and support agents type into the search of the guide, in their own words, and
// the pages that answer it.

/** `question: pages`, a line each; any of the pages may come first. */
export const QUESTIONS = `
unsubscribe link: templates topics contacts sending
mailgun import: moving/index contacts
dkim: domains
why is my email not sent: mail operate/troubles sending
rate limit: api limits
gdpr delete: contacts
bounce webhook: webhooks
resend failed: mail
restore backup: operate/backup
change domain: domains
custom domain tracking: link-host
double opt in: contacts
smtp password: smtp
idempotency: api
attach pdf: sending
cron campaign: workflows campaigns
vacation replies: inbound
spam folder: domains
warm up ip: warm-up
suppression list export: suppressions
how do i send an email: sending index
send email with node: client sending compat
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
merge tags: templates moving/index
handlebars: templates moving/sendgrid
upload logo: images
brand colors: images
unsubscribe page: contacts topics preferences
preference center: topics contacts preferences
people unsubscribed by mistake: contacts suppressions topics consent
opt out: topics contacts suppressions
delete a contact: contacts
right to be forgotten: contacts
merge duplicate contacts: contacts
import csv: contacts
export subscribers: contacts
custom fields: contacts
double optin confirmation email: contacts
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
slack alerts: operate/monitoring
log level: operate/monitoring configuration
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
migrate from mailchimp: moving/index
switch from sendgrid: moving/sendgrid
listmonk: moving/listmonk
postmark message streams: moving/postmark compat
resend sdk: compat moving/resend
laravel: compat
environment variables: configuration
postal address in footer: api images campaigns
unsubscribe header: sending security
webook: webhooks
tempalte: templates
atachments: sending
unsubcribe: topics contacts sending suppressions
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
blocklisted ip: operate/monitoring
reverse dns: operate/monitoring operate/install
encryption at rest: security operate/backup
public key javascript: contacts api limits
keyboard shortcuts: face/index
saved views: mail face/mail
track event: contacts
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
trigger workflow from api: workflows contacts
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
mailchimp merge tags: moving/index
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
alert when queue is long: operate/monitoring
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
one click unsubscribe: sending topics contacts
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
strapi plugin: compat
rotate api key: api
posthorn.toml settings: configuration
permissions of a marketer: team
clustering: scaling
vulnerability report: security
how many requests per minute: api limits
`;

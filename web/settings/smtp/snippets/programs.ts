// SMTP in programs and frameworks with settings for it.
import { lineIf, type Snippet } from "./values.ts";

/** Django has no setting to skip the certificate check: it needs its own connection class. */
const UNCHECKED_DJANGO = `EMAIL_BACKEND = "posthorn_mail.Backend"
# In posthorn_mail.py, beside manage.py:
#   import ssl
#   from django.core.mail.backends.smtp import EmailBackend
#   class Backend(EmailBackend):
#       ssl_context = ssl._create_unverified_context()`;

export const PROGRAMS: readonly Snippet[] = [
  {
    id: "wordpress",
    name: "WordPress",
    file: "wp-content/mu-plugins/posthorn.php",
    text: ({ host, port, tls, user, password, from, isSelfSigned }) => `<?php
add_action('phpmailer_init', function ($mail) {
    $mail->isSMTP();
    $mail->Host = '${host}';
    $mail->Port = ${port};
    $mail->SMTPSecure = '${tls === "TLS" ? "ssl" : "tls"}';
    $mail->SMTPAuth = true;
    $mail->Username = '${user}';
    $mail->Password = '${password}';
${lineIf(isSelfSigned, `    $mail->SMTPOptions = ['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]];`)}});
add_filter('wp_mail_from', fn () => '${from}');
`,
  },
  {
    id: "django",
    name: "Django",
    file: "settings.py",
    text: ({ host, port, tls, user, password, from, isSelfSigned }) => `${
      isSelfSigned ? UNCHECKED_DJANGO : `EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"`
    }
EMAIL_HOST = "${host}"
EMAIL_PORT = ${port}
${tls === "TLS" ? "EMAIL_USE_SSL" : "EMAIL_USE_TLS"} = True
EMAIL_HOST_USER = "${user}"
EMAIL_HOST_PASSWORD = "${password}"
DEFAULT_FROM_EMAIL = "${from}"
`,
  },
  {
    id: "rails",
    name: "Rails",
    file: "config/environments/production.rb",
    text: ({ host, port, tls, user, password, isSelfSigned }) => `config.action_mailer.delivery_method = :smtp
config.action_mailer.smtp_settings = {
  address: "${host}",
  port: ${port},
  user_name: "${user}",
  password: "${password}",
  authentication: :plain,
${lineIf(isSelfSigned, `  openssl_verify_mode: "none",`)}  ${tls === "TLS" ? "tls: true" : "enable_starttls: true"}
}
`,
  },
  {
    id: "laravel",
    name: "Laravel",
    file: ".env",
    text: ({ host, port, tls, user, password, from, isSelfSigned }) =>
      isSelfSigned
        ? `MAIL_MAILER=smtp
MAIL_URL="${tls === "TLS" ? "smtps" : "smtp"}://${user}:${password}@${host}:${port}?verify_peer=0"
MAIL_FROM_ADDRESS="${from}"
MAIL_FROM_NAME="\${APP_NAME}"
`
        : `MAIL_MAILER=smtp
MAIL_SCHEME=${tls === "TLS" ? "smtps" : "smtp"}
MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=${user}
MAIL_PASSWORD="${password}"
MAIL_FROM_ADDRESS="${from}"
MAIL_FROM_NAME="\${APP_NAME}"
`,
  },
  {
    id: "symfony",
    name: "Symfony",
    file: ".env",
    text: ({ host, port, tls, user, password, isSelfSigned }) =>
      `MAILER_DSN="${tls === "TLS" ? "smtps" : "smtp"}://${user}:${password}@${host}:${port}${isSelfSigned ? "?verify_peer=0" : ""}"
`,
  },
  {
    id: "spring",
    name: "Spring Boot",
    file: "application.properties",
    text: ({ host, port, tls, user, password, isSelfSigned }) => `spring.mail.host=${host}
spring.mail.port=${port}
spring.mail.username=${user}
spring.mail.password=${password}
spring.mail.properties.mail.smtp.auth=true
spring.mail.properties.mail.smtp.${tls === "TLS" ? "ssl.enable" : "starttls.enable"}=true
${lineIf(isSelfSigned, `spring.mail.properties.mail.smtp.ssl.trust=${host}`)}`,
  },
  {
    id: "nextcloud",
    name: "Nextcloud",
    file: "config/config.php",
    text: ({ host, port, tls, user, password, from, isSelfSigned }) => `'mail_smtpmode' => 'smtp',
'mail_smtphost' => '${host}',
'mail_smtpport' => ${port},
'mail_smtpsecure' => '${tls === "TLS" ? "ssl" : ""}',
'mail_smtpauth' => true,
'mail_smtpname' => '${user}',
'mail_smtppassword' => '${password}',
'mail_from_address' => '${from.split("@")[0]}',
'mail_domain' => '${from.split("@")[1]}',
${lineIf(isSelfSigned, `'mail_smtpstreamoptions' => ['ssl' => ['verify_peer' => false, 'verify_peer_name' => false, 'allow_self_signed' => true]],`)}`,
  },
];

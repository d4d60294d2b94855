// SMTP in programming languages, with their usual libraries.
import { lineIf, type Snippet } from "./values.ts";

export const LANGUAGES: readonly Snippet[] = [
  {
    id: "curl",
    name: "curl",
    file: "sh",
    text: ({ host, port, tls, user, password, from, to, isSelfSigned }) =>
      `printf 'From: ${from}\\nTo: ${to}\\nSubject: It works\\n\\nHello\\n' |
curl ${isSelfSigned ? "--insecure " : ""}--ssl-reqd --url ${tls === "TLS" ? "smtps" : "smtp"}://${host}:${port} --user "${user}:${password}" \\
  --mail-from ${from} --mail-rcpt ${to} --crlf --upload-file -
`,
  },
  {
    id: "node",
    name: "Node.js",
    file: "npm install nodemailer",
    text: ({
      host,
      port,
      tls,
      user,
      password,
      from,
      to,
      isSelfSigned,
    }) => `import { createTransport } from "nodemailer";

const transport = createTransport({
  host: "${host}",
  port: ${port},
  secure: ${tls === "TLS"},
${lineIf(tls === "STARTTLS", "  requireTLS: true,")}  auth: { user: "${user}", pass: "${password}" },
${lineIf(isSelfSigned, "  tls: { rejectUnauthorized: false },")}});
await transport.sendMail({ from: "${from}", to: "${to}", subject: "It works", text: "Hello" });
`,
  },
  {
    id: "python",
    name: "Python",
    file: "send.py",
    text: ({ host, port, tls, user, password, from, to, isSelfSigned }) => `import smtplib, ssl
from email.message import EmailMessage

mail = EmailMessage()
mail["From"], mail["To"], mail["Subject"] = "${from}", "${to}", "It works"
mail.set_content("Hello")

context = ssl.create_default_context()
${lineIf(isSelfSigned, "context.check_hostname, context.verify_mode = False, ssl.CERT_NONE")}with smtplib.${tls === "TLS" ? `SMTP_SSL("${host}", ${port}, context=context)` : `SMTP("${host}", ${port})`} as server:
${lineIf(tls === "STARTTLS", "    server.starttls(context=context)")}    server.login("${user}", "${password}")
    server.send_message(mail)
`,
  },
  {
    id: "php",
    name: "PHP",
    file: "composer require phpmailer/phpmailer",
    text: ({ host, port, tls, user, password, from, to, isSelfSigned }) => `<?php
require 'vendor/autoload.php';

$mail = new PHPMailer\\PHPMailer\\PHPMailer(true);
$mail->isSMTP();
$mail->Host = '${host}';
$mail->Port = ${port};
$mail->SMTPSecure = '${tls === "TLS" ? "ssl" : "tls"}';
$mail->SMTPAuth = true;
$mail->Username = '${user}';
$mail->Password = '${password}';
${lineIf(isSelfSigned, `$mail->SMTPOptions = ['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]];`)}$mail->setFrom('${from}');
$mail->addAddress('${to}');
$mail->Subject = 'It works';
$mail->Body = 'Hello';
$mail->send();
`,
  },
  {
    id: "ruby",
    name: "Ruby",
    file: "gem install mail",
    text: ({ host, port, tls, user, password, from, to, isSelfSigned }) => `require "mail"

Mail.defaults do
  delivery_method :smtp, address: "${host}", port: ${port}, user_name: "${user}", password: "${password}",
    authentication: :plain, ${tls === "TLS" ? "ssl: true" : "enable_starttls: true"}${isSelfSigned ? `, openssl_verify_mode: "none"` : ""}
end
Mail.deliver(from: "${from}", to: "${to}", subject: "It works", body: "Hello")
`,
  },
  {
    id: "go",
    name: "Go",
    file: "go get github.com/wneessen/go-mail",
    text: ({ host, port, tls, user, password, from, to, isSelfSigned }) => `package main

import (
${lineIf(isSelfSigned, '\t"crypto/tls"')}\t"log"

	"github.com/wneessen/go-mail"
)

func main() {
	client, err := mail.NewClient("${host}", mail.WithPort(${port}), ${tls === "TLS" ? "mail.WithSSL()" : "mail.WithTLSPolicy(mail.TLSMandatory)"},
		mail.WithSMTPAuth(mail.SMTPAuthPlain), mail.WithUsername("${user}"), mail.WithPassword("${password}")${isSelfSigned ? ",\n\t\tmail.WithTLSConfig(&tls.Config{InsecureSkipVerify: true})" : ""})
	if err != nil {
		log.Fatal(err)
	}
	message := mail.NewMsg()
	message.From("${from}")
	message.To("${to}")
	message.Subject("It works")
	message.SetBodyString(mail.TypeTextPlain, "Hello")
	if err := client.DialAndSend(message); err != nil {
		log.Fatal(err)
	}
}
`,
  },
];

// SMTP in more programming languages.
import { lineIf, type Snippet } from "./values.ts";

export const MORE_LANGUAGES: readonly Snippet[] = [
  {
    id: "java",
    name: "Java",
    file: "org.eclipse.angus:angus-mail",
    text: ({ host, port, tls, user, password, from, to, isSelfSigned }) => `import jakarta.mail.*;
import jakarta.mail.internet.*;
import java.util.Properties;

class Send {
  public static void main(String[] args) throws MessagingException {
    var settings = new Properties();
    settings.put("mail.smtp.host", "${host}");
    settings.put("mail.smtp.port", "${port}");
    settings.put("mail.smtp.auth", "true");
    settings.put("mail.smtp.${tls === "TLS" ? "ssl.enable" : "starttls.required"}", "true");
${lineIf(tls === "STARTTLS", `    settings.put("mail.smtp.starttls.enable", "true");`)}${lineIf(isSelfSigned, `    settings.put("mail.smtp.ssl.trust", "${host}");`)}    var mail = new MimeMessage(Session.getInstance(settings));
    mail.setFrom("${from}");
    mail.setRecipients(Message.RecipientType.TO, "${to}");
    mail.setSubject("It works");
    mail.setText("Hello");
    Transport.send(mail, "${user}", "${password}");
  }
}
`,
  },
  {
    id: "csharp",
    name: "C#",
    file: "dotnet add package MailKit",
    text: ({ host, port, tls, user, password, from, to, isSelfSigned }) => `using MailKit.Net.Smtp;
using MailKit.Security;
using MimeKit;

var mail = new MimeMessage();
mail.From.Add(MailboxAddress.Parse("${from}"));
mail.To.Add(MailboxAddress.Parse("${to}"));
mail.Subject = "It works";
mail.Body = new TextPart("plain") { Text = "Hello" };

using var client = new SmtpClient();
${lineIf(isSelfSigned, "client.ServerCertificateValidationCallback = (_, _, _, _) => true;")}await client.ConnectAsync("${host}", ${port}, SecureSocketOptions.${tls === "TLS" ? "SslOnConnect" : "StartTls"});
await client.AuthenticateAsync("${user}", "${password}");
await client.SendAsync(mail);
await client.DisconnectAsync(true);
`,
  },
  {
    id: "rust",
    name: "Rust",
    file: "cargo add lettre",
    text: ({
      host,
      port,
      tls,
      user,
      password,
      from,
      to,
      isSelfSigned,
    }) => `use lettre::transport::smtp::authentication::Credentials;
${lineIf(isSelfSigned, "use lettre::transport::smtp::client::{Tls, TlsParameters};")}use lettre::{Message, SmtpTransport, Transport};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mail = Message::builder()
        .from("${from}".parse()?)
        .to("${to}".parse()?)
        .subject("It works")
        .body("Hello".to_string())?;
${lineIf(isSelfSigned, `    let tls = TlsParameters::builder("${host}".into()).dangerous_accept_invalid_certs(true).build()?;`)}    let transport = SmtpTransport::${tls === "TLS" ? "relay" : "starttls_relay"}("${host}")?
        .port(${port})
${lineIf(isSelfSigned, `        .tls(Tls::${tls === "TLS" ? "Wrapper" : "Required"}(tls))`)}        .credentials(Credentials::new("${user}".into(), "${password}".into()))
        .build();
    transport.send(&mail)?;
    Ok(())
}
`,
  },
  {
    id: "elixir",
    name: "Elixir",
    file: "config/runtime.exs",
    text: ({ host, port, tls, user, password, isSelfSigned }) => `config :my_app, MyApp.Mailer,
  adapter: Swoosh.Adapters.SMTP,
  relay: "${host}",
  port: ${port},
  username: "${user}",
  password: "${password}",
  auth: :always,
  ssl: ${tls === "TLS"},
  tls: ${tls === "TLS" ? ":never" : ":always"},
  ${tls === "TLS" ? "sockopts" : "tls_options"}: [${isSelfSigned ? "verify: :verify_none" : `verify: :verify_peer, cacerts: :public_key.cacerts_get(), server_name_indication: ~c"${host}"`}]
`,
  },
];

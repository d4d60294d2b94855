// Columns of other products' exports without a meaning outside of them: left out unless a field is chosen.

/** `knownBy`: columns that identify the export. */
const EXPORTS: readonly { readonly knownBy: RegExp; readonly noise: RegExp }[] = [
  // Mailchimp
  {
    knownBy: /^(leid|euid|member_rating|optin_ip)$/i,
    noise:
      /^(member_rating|(optin|confirm|unsub|clean)_(time|ip)|latitude|longitude|gmtoff|dstoff|timezone|cc|region|last_changed|leid|euid|(unsub|clean)_(campaign_title|campaign_id|reason|reason_other))$/i,
  },
  // Klaviyo
  {
    knownBy: /^klaviyo id$/i,
    noise:
      /^(klaviyo id|first active|last active|profile created on|date added|email marketing consent( timestamp)?|email suppressions( timestamp)?|(email|sms|push).* (consent|suppressions?|list).*|initial .*|last (open|click|source).*)$/i,
  },
  // Brevo
  {
    knownBy: /^(email_blacklisted|blocklisted|added_time|double_opt-in)$/i,
    noise:
      /^(contact id|(added|modified)_time|blocklisted|((email|sms|whatsapp)_)?blacklisted|(email|sms|whatsapp)_blacklisted|double_opt-in|opt_in|ext_id)$/i,
  },
  // SendGrid
  {
    knownBy: /^(alternate_emails|phone_number_id|contact_id)$/i,
    noise: /^(contact_id|created_at|updated_at|alternate_emails|(phone_number|external|anonymous)_id|unique_name)$/i,
  },
  // HubSpot
  { knownBy: /^record id( - contact)?$/i, noise: /^(record id.*|hs_.*|.*lifecycle stage date|number of .*)$/i },
  // MailerLite
  {
    knownBy: /^(opens_count|signup_ip|signup ip)$/i,
    noise:
      /^((sent|opens|clicks)_count|(signup|optin|subscribe)[ _](ip|timestamp|date)|ip[ _]address|open_rate|click_rate)$/i,
  },
  // listmonk
  { knownBy: /^attributes$/i, noise: /^(uuid|created_at|updated_at)$/i },
];

/** `columns`: all columns of the file. */
export function isNoise(column: string, columns: readonly string[]): boolean {
  return EXPORTS.some(({ knownBy, noise }) => noise.test(column.trim()) && columns.some((one) => knownBy.test(one)));
}

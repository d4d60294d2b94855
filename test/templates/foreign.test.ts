// Placeholders of other services in a text that came along.
import { describe, expect, test } from "bun:test";
import { foreignIn, hintAbout, wordsAbout } from "../../src/content/templates/liquid/foreign.ts";

const [UNSUBSCRIBE, MANAGE] = ["{{ unsubscribeUrl }}", "{{ manageUrl }}"];

describe("a placeholder of another service has one of ours in its place", () => {
  test.each<[written: string, meant: string | null]>([
    // SendGrid, listmonk, Resend, Brevo, HubSpot, SES, Customer.io
    ["{{{unsubscribe}}}", UNSUBSCRIBE],
    ["{{{unsubscribe_preferences}}}", MANAGE],
    ["<%asm_group_unsubscribe_raw_url%>", UNSUBSCRIBE],
    ["{{ UnsubscribeURL }}", UNSUBSCRIBE],
    ["{{ ManageURL }}", MANAGE],
    ["{{ OptinURL }}", "{{ subscribeUrl }}"],
    ["{{ MessageURL }}", null],
    ["{{{RESEND_UNSUBSCRIBE_URL}}}", UNSUBSCRIBE],
    ["{{ unsubscribe }}", UNSUBSCRIBE],
    ["{{ update_profile }}", MANAGE],
    ["{{ mirror }}", null],
    ["{{unsubscribe_url}}", UNSUBSCRIBE],
    ["{{ unsubscribe_link | raw }}", UNSUBSCRIBE],
    ['{{ unsubscribe_url ?? "#" }}', UNSUBSCRIBE],
    ["{{ contact.unsubscribe_link }}", UNSUBSCRIBE],
    ["{{unsubscribeURL}}", UNSUBSCRIBE],
    ["{{amazonSESUnsubscribeUrl}}", UNSUBSCRIBE],
    // Mailchimp
    ["*|UNSUB|*", UNSUBSCRIBE],
    ["*|UPDATE_PROFILE|*", MANAGE],
    ["*|FNAME|*", "{{ firstName }}"],
    ["*|ARCHIVE|*", null],
    // Mailjet, GetResponse, Mailgun, ActiveCampaign, MailerLite, Loops, Mautic, Sendy, Salesforce
    ["[[UNSUB_LINK]]", UNSUBSCRIBE],
    ["[[UNSUB_LINK_EN]]", UNSUBSCRIBE],
    ['[[data:firstname:"you"]]', "{{ firstname }}"],
    ["[[remove]]", UNSUBSCRIBE],
    ["%unsubscribe_url%", UNSUBSCRIBE],
    ["%mailing_list_unsubscribe_url%", UNSUBSCRIBE],
    ["%UNSUBSCRIBELINK%", UNSUBSCRIBE],
    ["{$unsubscribe}", UNSUBSCRIBE],
    ["{unsubscribe_link}", UNSUBSCRIBE],
    ["{webview_url}", null],
    ["[unsubscribe]", UNSUBSCRIBE],
    ["<unsubscribe>", UNSUBSCRIBE],
    ["%%unsub_center_url%%", UNSUBSCRIBE],
    // Helpers of Handlebars
    ["{{length items}}", "{{ items | size }}"],
    ["{{ upper customer.name }}", "{{ customer.name | upcase }}"],
  ])("%s", (written, meant) => {
    expect(foreignIn(`<p>Hello</p>${written}<p>Bye</p>`)).toEqual([{ written, meant }]);
  });

  test.each([
    ['<a href="">Unsubscribe</a>', "Unsubscribe"],
    ["<a class='x' href='#' style='y'><b>Hier</b> abmelden</a>", "Hier abmelden"],
    ["<A HREF=>Se d&#39;inscrire ? Se désabonner</A>", "Se d'inscrire ? Se désabonner"],
  ])("a link to unsubscribe that leads nowhere: %s", (link, words) => {
    const written = `<a href="">${words}</a>`;
    expect(foreignIn(link)).toEqual([{ written, meant: `<a href="${UNSUBSCRIBE}">` }]);
  });
});

test.each([
  "{{ unsubscribeUrl }} {{ manageUrl }} {{ subscribeUrl }} {{ name }} {{ First Name }} {{ data.unsubscribe_url }}",
  "{{ event.unsubscribe_link }} {{ profile }} {{ preferences }} {{ viewers }} {{ management }} {{ removeItem }}",
  "<style>a{color:red}.x{display}</style> 50% off and 20% more {color} [Unsubscribe] {{ unsubscribeUrl }}",
  '<a href="">Read more</a> <a href="{{ unsubscribeUrl }}">Unsubscribe</a> <a name="unsubscribe">Unsubscribe</a>',
  "{% if unsubscribeUrl %}x{% endif %} {{ items | size }}",
])("nothing is foreign in %s", (source) => {
  expect(foreignIn(source)).toEqual([]);
});

test("the words name what was probably meant", () => {
  const words = (source: string) => foreignIn(source).map(wordsAbout);
  expect(words("{{ unsubscribe }} *|UNSUB|* {{length items}} {{ mirror }}")).toEqual([
    "{{ unsubscribe }} prints nothing unless data has it: did you mean unsubscribeUrl? Write {{ unsubscribeUrl }}.",
    "{{length items}} prints nothing unless data has it: did you mean {{ items | size }}?",
    "{{ mirror }} prints nothing unless data has it: Posthorn has nothing like it. Leave it out.",
    "*|UNSUB|* stays as it is: did you mean unsubscribeUrl? Write {{ unsubscribeUrl }}.",
  ]);
  expect(hintAbout("{% unsubscribe %}")).toBe(". Did you mean {{ unsubscribeUrl }}?");
  expect(hintAbout("{{{ pm:unsubscribe_url }}}")).toBe(". Did you mean {{ unsubscribeUrl }}?");
  expect(hintAbout("{% if %} unsubscribe")).toBe("");
});

test("a text full of them takes time in proportion to its length", () => {
  const pieces = [
    "{{",
    "{{a b ",
    "{{unsubscribe}}",
    '<a href="">unsubscribe',
    "<a ",
    "[[a",
    "%%",
    "%a%",
    "*|A",
    "##a",
    "{a",
  ];
  for (const piece of [...pieces, `{{${"a".repeat(80)}`, `<a ${"b".repeat(499)}`]) {
    const before = process.threadCpuUsage();
    expect(foreignIn(piece.repeat(500_000 / piece.length)).length).toBeLessThan(21);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
  }
});

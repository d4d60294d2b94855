// The starters of workflows and their emails, in English.

export const starters = {
  segment: "Ordered once, quiet for 60 days",
  each: {
    welcome: {
      name: "Welcome",
      text: "A greeting at the sign-up, and a few tips three days later.",
      mails: {
        hello: {
          name: "Welcome",
          subject: 'Welcome, {{ name ?? "friend" }}',
          body: 'Hello {{ name ?? "there" }},\nit is good to have you here. If anything is unclear, reply to this email.',
        },
        tips: {
          name: "First tips",
          subject: "Three things to try first",
          body: 'Hello {{ name ?? "there" }},\nhere are three things that most people like in their first week.',
        },
      },
    },
    optIn: {
      name: "Double opt-in",
      text: "Asks people to confirm their address, and subscribes those who do within seven days.",
      mails: {
        ask: {
          name: "Please confirm",
          subject: "Please confirm your address",
          body: 'Hello,\nyou asked for our news. <a href="{{ event.confirmUrl ?? "https://example.com/confirm" }}">Yes, send it to me</a>.\nIf it was not you, do nothing.',
        },
        thanks: {
          name: "You are subscribed",
          subject: "You are subscribed",
          body: "Thank you. You will now get our news, and can unsubscribe with one click in every email.",
        },
      },
    },
    cart: {
      name: "Abandoned cart",
      text: "Sends a reminder of a full cart after four hours and again after two days, unless an order comes.",
      mails: {
        remind: {
          name: "Your cart",
          subject: "Your cart is waiting",
          body: 'Hello {{ name ?? "there" }},\nyou left something behind. <a href="{{ event.cartUrl ?? "https://example.com/cart" }}">Continue where you left off</a>.',
        },
        last: {
          name: "Your cart, last call",
          subject: "We keep your cart until tomorrow",
          body: 'Hello {{ name ?? "there" }},\ntomorrow we empty your cart. <a href="{{ event.cartUrl ?? "https://example.com/cart" }}">Take another look</a>.',
        },
      },
    },
    trial: {
      name: "Trial ending",
      text: "Tells people three days before a fourteen-day trial ends, and again when it has ended.",
      mails: {
        ending: {
          name: "Trial ends soon",
          subject: "Your trial ends in three days",
          body: 'Hello {{ name ?? "there" }},\nyour trial ends in three days. <a href="https://example.com/plans">Choose a plan</a> and everything stays as it is.',
        },
        ended: {
          name: "Trial has ended",
          subject: "Your trial has ended",
          body: 'Hello {{ name ?? "there" }},\nyour trial is over. Your data stays for thirty days, should you come back.',
        },
      },
    },
    winBack: {
      name: "Win-back",
      text: "Writes to people whose last order is sixty days old. Creates the segment as well.",
      mails: {
        miss: {
          name: "We miss you",
          subject: "It has been a while",
          body: 'Hello {{ name ?? "there" }},\nit has been a while. <a href="https://example.com/new">See what is new</a>.',
        },
      },
    },
    tickets: {
      name: "Email to tickets",
      text: "Passes inbound email to your ticket system, and confirms its receipt to the sender.",
      mails: {
        received: {
          name: "We have your message",
          subject: "We have your message",
          body: "Thank you for writing. We have received “{{ event.subject }}” and answer within a working day.",
        },
      },
    },
  },
  steps: {
    sendWelcome: "Send the welcome",
    threeDays: "Three days",
    sendTips: "Send the tips",
    askToConfirm: "Ask to confirm",
    confirmed: "Confirmed?",
    subscribe: "Subscribe",
    sendThanks: "Say thank you",
    neverConfirmed: "Never confirmed",
    ordered: "Ordered?",
    remindOfCart: "Send a cart reminder",
    orderedLater: "Ordered by now?",
    lastCall: "Last call",
    bought: "Bought",
    upgraded: "Upgraded?",
    trialEnds: "Say that the trial ends",
    upgradedLater: "Upgraded by now?",
    trialOver: "Trial is over",
    trialEnded: "Say that it has ended",
    paying: "Pays",
    missYou: "Say that we miss them",
    isBack: "Came back",
    cameBack: "Came back?",
    stayedAway: "Stayed away",
    isSpam: "Is it spam?",
    junk: "Spam",
    openTicket: "Open a ticket",
    weHaveIt: "Say that we have it",
  },
};

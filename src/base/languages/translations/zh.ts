// The texts for recipients in Chinese.
import type { RecipientTexts } from "../language.ts";

export const zh: RecipientTexts = {
  subscribedTitle: "您已订阅",
  subscribedState: "{email} 会收到来自 {workspace} 的资讯邮件。",
  unsubscribedTitle: "您未订阅",
  unsubscribedState: "{email} 不会收到来自 {workspace} 的资讯邮件。",
  saved: "您的选择已保存。",
  subscribe: "订阅",
  unsubscribe: "退订",
  confirm: "确认",
  pendingTitle: "请确认您的订阅",
  pendingState: "确认后，来自 {workspace} 的资讯将发送至 {email}。",
  brokenTitle: "此链接无效",
  brokenText: "请从邮件中重新打开完整的链接。",
  goneTitle: "此地址不在列表中",
  goneText: "这里已不再保存您的任何数据。您无需进行任何操作。",
  topicsTitle: "您希望收到的内容",
  save: "保存",
  topicLeft: "您将不再收到“{topic}”。",
  footer: "您收到此邮件是因为您已订阅。",
  askSubject: "请确认您对 {workspace} 的订阅",
  askText: "有人（希望是您本人）使用 {email} 订阅了 {workspace} 的资讯。",
  askNote: "如果不是您本人，请忽略此邮件：若未确认，该地址将在七天后删除。",
};

// The texts for recipients in Japanese.
import type { RecipientTexts } from "../language.ts";

export const ja: RecipientTexts = {
  subscribedTitle: "配信登録されています",
  subscribedState: "{email} には {workspace} からのお知らせメールが届きます。",
  unsubscribedTitle: "配信登録されていません",
  unsubscribedState: "{email} には {workspace} からのお知らせメールは届きません。",
  saved: "変更を保存しました。",
  subscribe: "登録する",
  unsubscribe: "配信を停止する",
  confirm: "確認する",
  pendingTitle: "配信登録の確認をお願いします",
  pendingState: "確認後、{workspace} からのお知らせを {email} にお送りします。",
  brokenTitle: "このリンクは無効です",
  brokenText: "メールのリンク全体をもう一度開いてください。",
  goneTitle: "このアドレスはリストにありません",
  goneText: "お客様のデータはもう保存されていません。お手続きは不要です。",
  topicsTitle: "受け取りたい内容",
  save: "保存",
  topicLeft: "「{topic}」は今後届きません。",
  footer: "このメールは、配信登録されている方にお送りしています。",
  askSubject: "{workspace} の配信登録の確認をお願いします",
  askText: "{email} に対して {workspace} からのお知らせの配信登録がありました。",
  askNote: "お心当たりがない場合は、このメールを無視してください。確認がなければ、アドレスは7日後に削除されます。",
};

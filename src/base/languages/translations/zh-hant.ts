// The texts for recipients in traditional Chinese.
import type { RecipientTexts } from "../language.ts";

export const zhHant: RecipientTexts = {
  subscribedTitle: "您已訂閱",
  subscribedState: "{email} 會收到來自 {workspace} 的電子報。",
  unsubscribedTitle: "您尚未訂閱",
  unsubscribedState: "{email} 不會收到來自 {workspace} 的電子報。",
  saved: "您的選擇已儲存。",
  subscribe: "訂閱",
  unsubscribe: "取消訂閱",
  confirm: "確認",
  pendingTitle: "請確認您的訂閱",
  pendingState: "確認後，來自 {workspace} 的電子報將寄送至 {email}。",
  brokenTitle: "此連結無效",
  brokenText: "請從信件中重新開啟完整的連結。",
  goneTitle: "此地址不在名單中",
  goneText: "這裡已不再保存您的任何資料。您無需採取任何動作。",
  topicsTitle: "您希望收到的內容",
  save: "儲存",
  topicLeft: "您將不再收到「{topic}」。",
  footer: "您收到這封信是因為您已訂閱。",
  askSubject: "請確認您對 {workspace} 的訂閱",
  askText: "有人（希望是您本人）使用 {email} 訂閱了 {workspace} 的電子報。",
  askNote: "如果不是您本人，請忽略這封信：若未確認，此地址將在七天後刪除。",
};

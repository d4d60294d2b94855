// The texts for recipients in Arabic.
import type { RecipientTexts } from "../language.ts";

export const ar: RecipientTexts = {
  subscribedTitle: "أنت مشترك",
  subscribedState: "تصل أخبار {workspace} إلى {email} بالبريد الإلكتروني.",
  unsubscribedTitle: "أنت غير مشترك",
  unsubscribedState: "لا تصل أخبار {workspace} إلى {email} بالبريد الإلكتروني.",
  saved: "تم حفظ اختيارك.",
  subscribe: "اشتراك",
  unsubscribe: "إلغاء الاشتراك",
  confirm: "تأكيد",
  pendingTitle: "يرجى تأكيد اشتراكك",
  pendingState: "سترسل أخبار {workspace} إلى {email} بعد أن تؤكد الاشتراك.",
  brokenTitle: "هذا الرابط غير صالح",
  brokenText: "يرجى فتح الرابط كاملاً من رسالة البريد الإلكتروني مرة أخرى.",
  goneTitle: "هذا العنوان ليس في القائمة",
  goneText: "لم تعد هنا أي بيانات عنك. لا يلزمك فعل أي شيء.",
  topicsTitle: "ما الذي ترغب في تلقيه",
  save: "حفظ",
  topicLeft: "لن تتلقى «{topic}» بعد الآن.",
  footer: "تصلك هذه الرسالة لأنك مشترك.",
  askSubject: "يرجى تأكيد اشتراكك في {workspace}",
  askText: "قام شخص ما، نأمل أن يكون أنت، بتسجيل {email} لتلقي أخبار {workspace}.",
  askNote: "إذا لم تكن أنت، فتجاهل هذه الرسالة: من دون تأكيد سيُحذف العنوان بعد سبعة أيام.",
};

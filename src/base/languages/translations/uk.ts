// The texts for recipients in Ukrainian.
import type { RecipientTexts } from "../language.ts";

export const uk: RecipientTexts = {
  subscribedTitle: "Ви підписані",
  subscribedState: "{email} отримує новини від {workspace} електронною поштою.",
  unsubscribedTitle: "Ви не підписані",
  unsubscribedState: "{email} не отримує новин від {workspace} електронною поштою.",
  saved: "Ваш вибір збережено.",
  subscribe: "Підписатися",
  unsubscribe: "Відписатися",
  confirm: "Підтвердити",
  pendingTitle: "Підтвердьте підписку",
  pendingState: "Новини від {workspace} надходитимуть на {email}, щойно ви підтвердите підписку.",
  brokenTitle: "Це посилання недійсне",
  brokenText: "Відкрийте повне посилання з листа ще раз.",
  goneTitle: "Цієї адреси немає в списку",
  goneText: "Тут більше немає даних про вас. Вам не потрібно нічого робити.",
  topicsTitle: "Що ви хочете отримувати",
  save: "Зберегти",
  topicLeft: "Ви більше не отримуватимете «{topic}».",
  footer: "Ви отримали цей лист, бо ви підписані.",
  askSubject: "Підтвердьте підписку на новини від {workspace}",
  askText: "Хтось, сподіваємося, що ви, підписав адресу {email} на новини від {workspace}.",
  askNote: "Якщо це були не ви, проігноруйте цей лист: без підтвердження адресу буде видалено через сім днів.",
};

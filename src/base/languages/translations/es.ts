// The texts for recipients in Spanish.
import type { RecipientTexts } from "../language.ts";

export const es: RecipientTexts = {
  subscribedTitle: "Está suscrito",
  subscribedState: "{email} recibe novedades de {workspace} por correo electrónico.",
  unsubscribedTitle: "No está suscrito",
  unsubscribedState: "{email} no recibe novedades de {workspace} por correo electrónico.",
  saved: "Se ha guardado su elección.",
  subscribe: "Suscribirse",
  unsubscribe: "Cancelar la suscripción",
  confirm: "Confirmar",
  pendingTitle: "Confirme su suscripción",
  pendingState: "Las novedades de {workspace} se enviarán a {email} en cuanto confirme.",
  brokenTitle: "Este enlace no es válido",
  brokenText: "Abra de nuevo el enlace completo desde el correo.",
  goneTitle: "Esta dirección no está en la lista",
  goneText: "Aquí ya no hay datos sobre usted. No tiene que hacer nada.",
  topicsTitle: "Lo que desea recibir",
  save: "Guardar",
  topicLeft: "Ya no recibirá «{topic}».",
  footer: "Recibe este correo porque está suscrito.",
  askSubject: "Confirme su suscripción a {workspace}",
  askText: "Alguien, esperamos que usted, ha suscrito {email} a las novedades de {workspace}.",
  askNote: "Si no fue usted, ignore este correo: sin confirmación, la dirección se borrará a los siete días.",
};

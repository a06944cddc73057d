// Spanish.
import type { Locale } from '../locale'

export const es: Locale = {
  code: 'es',
  footer: {
    text: 'Ha recibido este correo porque aceptó recibir correos de {projectName}.',
    link: 'Darse de baja',
  },
  unsubscribe: {
    title: 'Darse de baja',
    question: '¿Quiere dejar de recibir correos de {projectName} en {email}?',
    button: 'Darse de baja',
    manageLink: 'Gestionar la suscripción en su lugar',
    doneTitle: 'Se ha dado de baja',
    done: 'Ya no recibirá boletines de {projectName} en {email}.',
    changedMind: '¿Ha cambiado de opinión?',
    again: 'Volver a suscribirse',
  },
  subscribe: {
    title: 'Suscribirse',
    question: '¿Quiere recibir correos de {projectName} en {email}?',
    button: 'Suscribirse',
    doneTitle: 'Su suscripción está activa',
    done: 'Recibirá correos de {projectName} en {email}.',
  },
  manage: {
    title: 'Gestionar su suscripción',
    description: 'Decida si recibe correos de {projectName} en {email}.',
    label: 'Su suscripción',
    subscribed: 'Su suscripción está activa.',
    unsubscribed: 'Se ha dado de baja.',
    paused: 'Los correos están en pausa hasta el {date}.',
    subscribedNote: 'Su elección se ha guardado. Volverá a recibir correos.',
    unsubscribedNote: 'Su elección se ha guardado. Ya no recibirá boletines.',
    pausedNote: 'Su elección se ha guardado. No recibirá boletines hasta el {date}.',
    unsubscribeLink: 'Abrir la página de baja',
    subscribeLink: 'Abrir la página de suscripción',
    disclaimer:
      'Se trata de boletines y ofertas. Es posible que siga recibiendo mensajes sobre su cuenta o sus pedidos, como recibos y el restablecimiento de la contraseña.',
  },
  topics: {
    title: 'Lo que recibe',
    question: '¿Desea dejar de recibir «{topic}» de {projectName} en {email}?',
    everything: 'Darse de baja de todo',
  },
  snooze: {
    title: 'O tómese un descanso',
    changeTitle: 'Cambiar la pausa',
    label: 'Pausar los correos durante',
    durations: {
      '2_weeks': '2 semanas',
      '1_month': '1 mes',
      '6_months': '6 meses',
      '1_year': '1 año',
    },
    button: 'Pausar',
    resume: 'Volver a recibir correos ahora',
  },
  faults: {
    brokenTitle: 'Algo ha fallado',
    broken: 'Inténtelo de nuevo dentro de unos minutos.',
    invalidTitle: 'Este enlace no es válido',
    invalid:
      'Puede estar incompleto o la dirección se ha eliminado. Abra el enlace exactamente como aparece en el correo.',
    choose: 'Elija una de las opciones.',
    notSubscribed: 'Solo se puede pausar una suscripción activa. Suscríbase primero.',
  },
}

// Spanish.
import type { Locale } from './en'

export const es: Locale = {
  code: 'es',
  footer: 'Ha recibido este correo porque aceptó recibir correos de {projectName}.',
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
    button: 'Pausar',
    resume: 'Volver a recibir correos ahora',
  },
  forms: {
    email: 'Dirección de correo electrónico',
    optional: 'opcional',
    consent:
      'Al suscribirse, acepta recibir correos de {projectName}. Puede darse de baja en cualquier momento.',
    step: { title: 'Un paso más', text: 'Pulse el botón para enviar el formulario.', button: 'Enviar' },
    asked: {
      title: 'Revise su bandeja de entrada',
      text: 'Si la dirección puede recibirlo, un correo con un enlace está en camino. Abra el enlace y confirme; solo entonces quedará suscrito. Si no llega nada, mire en la carpeta de correo no deseado. Se envía como máximo un correo así al día.',
    },
    confirm: { title: 'Confirme su suscripción', button: 'Confirmar' },
    over: {
      title: 'Este enlace ya no funciona',
      text: 'Ya se usó, ha caducado o un correo más reciente lo ha sustituido. Rellene el formulario de nuevo.',
    },
    closed: { title: 'Este formulario está cerrado', text: 'No está disponible en este momento.' },
    faults: {
      email: 'Introduzca una dirección de correo válida.',
      refused: 'No podemos enviar correos a esta dirección. Utilice otra.',
      fields: 'Revise los campos marcados.',
      tooMany: 'Demasiados intentos. Inténtelo de nuevo más tarde.',
    },
    mail: {
      subject: 'Confirme su suscripción a {projectName}',
      text: 'Alguien, esperamos que usted, pidió recibir correos de {projectName} en {email}. Confirme que los desea.',
      until: 'El enlace funciona hasta el {date}.',
      ignore: 'Si no fue usted, ignore este correo. No recibirá nada más.',
    },
  },
  privacy: {
    title: 'Sus datos',
    offer:
      'Puede leer lo que {projectName} guarda aquí sobre usted o hacer que se borre. El enlace llega por correo a {email}, para que nadie más pueda hacerlo.',
    button: 'Enviarme el enlace',
    asked:
      'Si {email} puede recibirlo, un correo con el enlace está en camino. Se envía como máximo uno al día.',
    mail: {
      subject: 'Sus datos en {projectName}',
      text: 'Alguien, esperamos que usted, pidió lo que {projectName} guarda sobre {email}. El enlace lleva a ello y a su borrado.',
      ignore: 'Si no fue usted, ignore este correo.',
    },
    read: 'Leerlos',
    save: 'Guardarlos como archivo (JSON)',
    erase: {
      title: 'Borrar todo',
      text: 'Lo que se guarda aquí sobre {email} se borra para siempre y no se envía nada más a esa dirección. No se puede deshacer.',
      sure: 'Sí, borrar',
      button: 'Borrar',
      doneTitle: 'Sus datos se están borrando',
      done: 'De usted solo queda un código que permite reconocer su dirección, para que no se le envíe nada más.',
    },
    over: 'Ha caducado o los datos ya se han borrado. Los enlaces de nuestros correos llevan a uno nuevo.',
    parts: {
      contact: 'Usted',
      fields: 'Campos',
      consent: 'Consentimiento',
      events: 'Eventos',
      messages: 'Mensajes',
    },
    newest: 'Los {number} más recientes. El archivo los contiene todos.',
  },
  faults: {
    brokenTitle: 'Algo ha fallado',
    broken: 'Inténtelo de nuevo dentro de unos minutos.',
    testTitle: 'Era una prueba',
    test: 'Este enlace procede de un correo de prueba. No se ha cambiado nada.',
    invalidTitle: 'Este enlace no es válido',
    invalid:
      'Puede estar incompleto o la dirección se ha eliminado. Abra el enlace exactamente como aparece en el correo.',
    goneTitle: 'Ya no está disponible',
    gone: 'El enlace es correcto, pero el remitente ha cambiado de sistema de correo y esta página ya no está disponible.',
    choose: 'Elija una de las opciones.',
    notSubscribed: 'Solo se puede pausar una suscripción activa. Suscríbase primero.',
  },
}
